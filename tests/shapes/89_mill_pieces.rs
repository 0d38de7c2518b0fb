// Shape: streams as other servers write them: counted pieces, one index for two calls, a block that takes the index of another, an emoji cut in two.
// Design: ../found/use.md V1 to V4, V16.
use prompt_agent::wire::Provider;
use serde_json::{Value, json};

fn read(provider: Provider, events: &[Value]) -> Result<(String, Vec<(String, Value)>), Box<dyn std::error::Error>> {
    let mut reader = provider.stream();
    for event in events {
        let kind = event["type"].as_str().unwrap_or("message");
        reader.push_bytes(format!("event: {kind}\ndata: {event}\n\n").as_bytes())?;
    }
    let message = reader.finish()?.message;
    let calls = message.tool_calls().map(|call| (call.name.clone(), serde_json::to_value(&call.arguments).unwrap_or_default()));
    Ok((message.text(), calls.collect()))
}

fn piece(call: Value) -> Value {
    json!({ "choices": [{ "index": 0, "delta": { "tool_calls": [call] } }] })
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let end = json!({ "choices": [{ "index": 0, "delta": {}, "finish_reason": "tool_calls" }] });
    let chat = Provider::OpenAiChat;
    let (_, calls) = read(chat, &[
        piece(json!({ "index": 0, "id": "x", "function": { "name": "list_files", "arguments": "" } })),
        piece(json!({ "index": 1, "function": { "arguments": "{\"path\":" } })),
        piece(json!({ "index": 2, "function": { "arguments": "\"src\"}" } })),
        end.clone(),
    ])?;
    assert_eq!(calls, [("list_files".to_owned(), json!({ "path": "src" }))]);
    let (_, calls) = read(chat, &[
        piece(json!({ "index": 0, "function": { "name": "list_files", "arguments": "" } })),
        piece(json!({ "index": 0, "function": { "name": "delete_all", "arguments": "{\"path\":\"b\"}" } })),
        end.clone(),
    ])?;
    assert_eq!(calls, [("list_files".to_owned(), json!({})), ("delete_all".to_owned(), json!({ "path": "b" }))]);
    // Two halves of a character in two deltas.
    let mut reader = chat.stream();
    reader.push_bytes(b"data: {\"choices\":[{\"index\":0,\"delta\":{\"content\":\"x\\ud83d\"}}]}\n\n")?;
    reader.push_bytes(b"data: {\"choices\":[{\"index\":0,\"delta\":{\"content\":\"\\ude00y\"},\"finish_reason\":\"stop\"}]}\n\n")?;
    assert_eq!(reader.finish()?.message.text(), "x\u{1F600}y");
    let start = json!({ "type": "message_start", "message": { "id": "m", "role": "assistant", "content": [], "usage": { "input_tokens": 1, "output_tokens": 1 } } });
    let block = |block: Value| json!({ "type": "content_block_start", "index": 0, "content_block": block });
    let text = |text: &str| json!({ "type": "content_block_delta", "index": 0, "delta": { "type": "text_delta", "text": text } });
    let over = [json!({ "type": "message_delta", "delta": { "stop_reason": "end_turn" }, "usage": { "output_tokens": 5 } }), json!({ "type": "message_stop" })];
    let (words, _) = read(Provider::Anthropic, &[
        start, block(json!({ "type": "text", "text": "" })), text("The answer is 4."), block(json!({ "type": "thinking", "thinking": "hm" })), over[0].clone(), over[1].clone(),
    ])?;
    assert_eq!(words, "The answer is 4.");
    println!("ok");
    Ok(())
}
