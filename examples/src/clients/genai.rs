//! `genai`: the extra body is merged over what the client writes, and the raw answer can be kept.

use super::{Failure, Server, converse};
use genai::adapter::AdapterKind;
use genai::chat::{ChatOptions, ChatRequest, ChatResponse};
use genai::resolver::{AuthData, Endpoint};
use genai::{Client, ModelIden, ServiceTarget};
use prompt_agent::wire::openai_chat;
use serde_json::Value;

async fn send(server: &Server, body: Value, raw: bool) -> Result<ChatResponse, Failure> {
    let client = Client::builder().with_reqwest(server.http()?).build()?;
    let base = format!("{}/", server.base_url.trim_end_matches('/'));
    let target = ServiceTarget {
        endpoint: Endpoint::from_owned(base),
        auth: AuthData::from_single(server.key.clone()),
        model: ModelIden::new(AdapterKind::OpenAI, server.model.clone()),
    };
    let options = ChatOptions::default()
        .with_capture_raw_body(raw)
        // The one line:
        .with_extra_body(body);
    let request = ChatRequest::default();
    Ok(client.exec_chat(target, request, Some(&options)).await?)
}

/// Asks the bulletin's question with `genai`.
///
/// # Errors
///
/// The client's, or that of the conversation.
pub async fn ask(server: &Server, question: &str) -> Result<String, Failure> {
    converse(&server.model, question, async |body| {
        let raw = send(server, body, true).await?.captured_raw_body;
        Ok(openai_chat::reply(
            &raw.ok_or("the client kept no answer")?,
        )?)
    })
    .await
}

/// What the client's own type keeps of an answer.
///
/// # Errors
///
/// The client's.
pub async fn own(server: &Server, body: Value) -> Result<String, Failure> {
    Ok(format!("{:?}", send(server, body, false).await?))
}
