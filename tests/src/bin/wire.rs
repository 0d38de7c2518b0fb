//! Reads replies and writes the next request, for the checks in `sdk/`: a JSON object per line in, one out.
//!
//! In: `{"provider": "anthropic", "body": {..}}`, or `"mcp"` with the result of `prompts/get`. Out: `{"request": {..}}`, or
//! `{"error": ".."}`.

use prompt_agent::wire::{Provider, RequestOptions, mcp, openai_responses};
use prompt_core::Message;
use serde_json::{Value, json};
use std::io::{BufRead, Write, stdin, stdout};

/// The next request after a reply, or the prompt again.
fn next(asked: &Value) -> Result<Value, Box<dyn std::error::Error>> {
    let name = asked["provider"].as_str().unwrap_or_default();
    if name == "mcp" {
        let messages = mcp::messages(&asked["body"])?;
        return Ok(mcp::prompts_get("", &messages, &mcp::McpOptions::new())?);
    }
    let provider: Provider = name.parse()?;
    let log = [
        Message::user("Well?"),
        provider.reply(&asked["body"])?.message,
    ];
    let options = RequestOptions::new("m");
    Ok(match provider {
        // Reasoning without its content is of use only where the provider keeps it.
        Provider::OpenAiResponses => {
            let options = options.clone().store(true);
            openai_responses::request(&log, &[], &options)?
        }
        provider => provider.request(&log, &[], &options)?,
    })
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut out = stdout().lock();
    for line in stdin().lock().lines() {
        let answer = match next(&serde_json::from_str(&line?)?) {
            Ok(request) => json!({ "request": request }),
            Err(error) => json!({ "error": error.to_string() }),
        };
        writeln!(out, "{answer}")?;
    }
    Ok(())
}
