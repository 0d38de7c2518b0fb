//! `rig-core`: the additional parameters of a completion request are merged over what the client writes, and its own
//! reading of the response is kept whole.

use super::{Failure, Server, converse};
use prompt_agent::wire::openai_chat;
use rig_core::client::CompletionClient;
use rig_core::completion::CompletionModel;
use rig_core::providers::openai::CompletionsClient;
use serde_json::Value;

async fn send(server: &Server, body: Value) -> Result<Value, Failure> {
    let client = CompletionsClient::builder()
        .api_key(&server.key)
        .base_url(&server.base_url)
        .http_client(server.http()?)
        .build()?;
    let model = client.completion_model(&server.model);
    // The one line. The text of the request gives way to the messages of the body.
    let request = model.completion_request("").additional_params(body);
    Ok(serde_json::to_value(request.send().await?.raw_response)?)
}

/// Asks the bulletin's question with `rig-core`.
///
/// # Errors
///
/// The client's, or that of the conversation.
pub async fn ask(server: &Server, question: &str) -> Result<String, Failure> {
    converse(&server.model, question, async |body| {
        Ok(openai_chat::reply(&send(server, body).await?)?)
    })
    .await
}

/// What the client's own type keeps of an answer.
///
/// # Errors
///
/// The client's.
pub async fn own(server: &Server, body: Value) -> Result<String, Failure> {
    Ok(send(server, body).await?.to_string())
}
