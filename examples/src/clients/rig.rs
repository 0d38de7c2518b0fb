//! `rig-core`: the additional parameters of a completion request are merged over what the client writes, and the raw
//! response is kept beside its own reading.

use super::{Server, converse};
use rig_core::client::CompletionClient;
use rig_core::completion::CompletionModel;
use rig_core::providers::openai::CompletionsClient;
use std::error::Error;

/// Asks the bulletin's question with `rig-core`.
///
/// # Errors
///
/// The client's, or that of the conversation.
pub async fn ask(server: &Server, question: &str) -> Result<String, Box<dyn Error + Send + Sync>> {
    let client = CompletionsClient::builder()
        .api_key(&server.key)
        .base_url(&server.base_url)
        .http_client(server.http()?)
        .build()?;
    let model = client.completion_model(&server.model);
    converse(&server.model, question, async |body| {
        // The one line. The text of the request gives way to the messages of the body.
        let request = model
            .completion_request(question)
            .additional_params(body.into());
        let answer = request.send().await?;
        Ok(serde_json::to_value(answer.raw_response)?)
    })
    .await
}
