//! One question to a real provider: Anthropic, with the HTTP client `reqwest` and a key from the environment.
//!
//! ```text
//! ANTHROPIC_API_KEY=.. cargo run --example ask --features live -- "When is high water?"
//! ```

use prompt_agent::Conversation;
use prompt_agent::wire::{Provider, RequestOptions};
use prompt_core::PromptNode;
use std::env;

/// You pilot boats into the harbour. Answer in one sentence.
#[derive(PromptNode)]
struct Pilot;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut conversation = Conversation::default();
    conversation.begin(env::args().nth(1).unwrap_or("When is high water?".into()));
    let prompt = conversation.prompt(&Pilot).render()?;
    let options = RequestOptions::new("claude-sonnet-4-6").max_tokens(500);
    let body = Provider::Anthropic.request(&prompt.messages(), prompt.tools(), &options)?;

    let key = env::var("ANTHROPIC_API_KEY").map_err(|_| "ANTHROPIC_API_KEY is not set")?;
    let server = env::var("ANTHROPIC_BASE_URL").unwrap_or("https://api.anthropic.com".into());
    let response = reqwest::blocking::Client::new()
        .post(format!("{server}/v1/messages"))
        .header("x-api-key", key)
        .header("anthropic-version", "2023-06-01")
        .json(&body)
        .send()?;
    let (status, headers) = (response.status().as_u16(), response.headers().clone());
    let reply = Provider::Anthropic.read(status, &headers, &response.bytes()?)?;
    println!("{}", reply.message.text());
    Ok(())
}
