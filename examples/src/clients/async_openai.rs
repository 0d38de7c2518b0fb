//! `async-openai`: the `_byot` methods take any body and give back any answer.

use super::{Failure, Server, converse};
use async_openai::Client;
use async_openai::config::OpenAIConfig;
use async_openai::types::chat::CreateChatCompletionResponse;
use prompt_agent::wire::openai_chat;
use serde_json::Value;

fn client(server: &Server) -> Result<Client<OpenAIConfig>, Failure> {
    let config = OpenAIConfig::new()
        .with_api_base(&server.base_url)
        .with_api_key(&server.key);
    Ok(Client::build(server.http()?, config))
}

/// Asks the bulletin's question with `async-openai`.
///
/// # Errors
///
/// The client's, or that of the conversation.
pub async fn ask(server: &Server, question: &str) -> Result<String, Failure> {
    let client = client(server)?;
    converse(&server.model, question, async |body| {
        // The one line:
        let answer: Value = client.chat().create_byot(body).await?;
        Ok(openai_chat::reply(&answer)?)
    })
    .await
}

/// What the client's own type keeps of an answer.
///
/// # Errors
///
/// The client's.
pub async fn own(server: &Server, body: Value) -> Result<String, Failure> {
    let client = client(server)?;
    let answer: CreateChatCompletionResponse = client.chat().create_byot(body).await?;
    Ok(format!("{answer:?}"))
}
