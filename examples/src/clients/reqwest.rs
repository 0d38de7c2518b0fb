//! `reqwest` alone: the body goes out byte for byte, and `read` judges whatever comes back, by status, headers and bytes.

use super::{Failure, Server, converse};
use prompt_agent::wire::Provider;

/// Asks the bulletin's question with `reqwest`.
///
/// # Errors
///
/// The client's, or that of the conversation.
pub async fn ask(server: &Server, question: &str) -> Result<String, Failure> {
    let client = server.http()?;
    let url = format!("{}/chat/completions", server.base_url);
    converse(&server.model, question, async |body| {
        let request = client.post(&url).bearer_auth(&server.key).json(&body);
        let response = request.send().await?;
        let (status, headers) = (response.status().as_u16(), response.headers().clone());
        let bytes = response.bytes().await?;
        Ok(Provider::OpenAiChat.read(status, &headers, &bytes)?)
    })
    .await
}
