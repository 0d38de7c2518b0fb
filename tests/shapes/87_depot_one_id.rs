// Shape: a conversation that begins with a server that gives no ids and goes on with one that wants each id once.
// Design: ../found/use.md V10.
use prompt_agent::wire::{Provider, RequestOptions};
use prompt_agent::Conversation;
use prompt_core::{PromptNode, ToolResult};
use serde_json::{Value, json};
use std::collections::BTreeSet;

/// You look.
#[derive(PromptNode)]
struct Desk;

fn under<'v>(value: &'v Value, kind: &str, key: &str, found: &mut Vec<&'v str>) {
    match value {
        Value::Object(map) => {
            if map.get("type").and_then(Value::as_str) == Some(kind) {
                found.extend(map.get(key).and_then(Value::as_str));
            }
            map.values().for_each(|inner| under(inner, kind, key, found));
        }
        Value::Array(list) => list.iter().for_each(|inner| under(inner, kind, key, found)),
        _ => {}
    }
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut talk = Conversation::default();
    talk.begin("What time is it, twice?");
    for _ in 0..2 {
        let _ = talk.prompt(&Desk).render()?;
        talk.push(Provider::Ollama.reply(&json!({ "message": { "role": "assistant", "content": "", "tool_calls": [
            { "function": { "name": "now", "arguments": {} } }, { "function": { "name": "then", "arguments": {} } }
        ] }, "done": true, "done_reason": "stop" }))?);
        while let Some(call) = talk.next_call() {
            talk.push_results([ToolResult::ok(&call, "noon")])?;
        }
    }
    let prompt = talk.prompt(&Desk).render()?;
    let body = Provider::Anthropic.request(&prompt.messages(), prompt.tools(), &RequestOptions::new("m").max_tokens(9))?;
    let (mut uses, mut results) = (Vec::new(), Vec::new());
    under(&body, "tool_use", "id", &mut uses);
    under(&body, "tool_result", "tool_use_id", &mut results);
    assert_eq!(uses.len(), 4);
    assert_eq!(uses.iter().collect::<BTreeSet<_>>().len(), 4, "each id once: {uses:?}");
    assert_eq!(uses, results, "each result behind its call");
    println!("ok");
    Ok(())
}
