//! `async-openai`: the `_byot` methods take any body and give back any answer.

use super::{Server, converse};
use async_openai::config::OpenAIConfig;
use serde_json::Value;
use std::error::Error;

/// Asks the bulletin's question with `async-openai`.
///
/// # Errors
///
/// The client's, or that of the conversation.
pub async fn ask(server: &Server, question: &str) -> Result<String, Box<dyn Error + Send + Sync>> {
    let config = OpenAIConfig::new()
        .with_api_base(&server.base_url)
        .with_api_key(&server.key);
    let client = async_openai::Client::build(server.http()?, config);
    converse(&server.model, question, async |body| {
        // The one line:
        let answer: Value = client.chat().create_byot(body).await?;
        Ok(answer)
    })
    .await
}
