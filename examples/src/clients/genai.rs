//! `genai`: the extra body is merged over what the client writes, and the raw answer can be kept.

use super::{Server, converse};
use genai::adapter::AdapterKind;
use genai::chat::{ChatOptions, ChatRequest};
use genai::resolver::{AuthData, Endpoint};
use genai::{ModelIden, ServiceTarget};
use std::error::Error;

/// Asks the bulletin's question with `genai`.
///
/// # Errors
///
/// The client's, or that of the conversation.
pub async fn ask(server: &Server, question: &str) -> Result<String, Box<dyn Error + Send + Sync>> {
    let client = genai::Client::builder()
        .with_reqwest(server.http()?)
        .build()?;
    let base = format!("{}/", server.base_url.trim_end_matches('/'));
    let target = ServiceTarget {
        endpoint: Endpoint::from_owned(base),
        auth: AuthData::from_single(server.key.clone()),
        model: ModelIden::new(AdapterKind::OpenAI, server.model.clone()),
    };
    converse(&server.model, question, async |body| {
        let options = ChatOptions::default()
            .with_capture_raw_body(true)
            // The one line:
            .with_extra_body(body.into());
        let answer = client
            .exec_chat(target.clone(), ChatRequest::default(), Some(&options))
            .await?;
        Ok(answer
            .captured_raw_body
            .ok_or("the client kept no answer")?)
    })
    .await
}
