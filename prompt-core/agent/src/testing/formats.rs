//! Answers in the JSON of the providers, as the events of a stream, written by hand from the providers' references. A whole answer
//! is what its events come to.

use crate::wire::{Provider, StopReason};
use prompt_core::tool::ToolCall;
use serde_json::{Value, json};

/// What the model answers.
#[derive(Clone, Debug, Default)]
pub(super) struct Answer {
    pub(super) text: String,
    pub(super) calls: Vec<ToolCall>,
    /// Why it stops; by itself where nothing is said.
    pub(super) stop: Option<StopReason>,
    /// Whether the connection is cut on the way.
    pub(super) is_cut: bool,
}

/// An answer to one request.
pub(super) struct Sent<'s> {
    pub(super) answer: &'s Answer,
    /// The request's number, from 1.
    pub(super) number: usize,
    pub(super) model: &'s str,
    pub(super) input: usize,
    pub(super) output: usize,
}

/// The body of a whole answer: its events, put together.
pub(super) fn whole(provider: Provider, sent: &Sent<'_>) -> Value {
    let mut reader = provider.stream();
    for event in events(provider, sent) {
        // What is wrong with one, the end says again.
        drop(reader.push(&event));
    }
    reader.finish().map_or(Value::Null, |reply| reply.raw)
}

fn events(provider: Provider, sent: &Sent<'_>) -> Vec<Value> {
    match provider {
        #[cfg(feature = "openai")]
        Provider::OpenAiChat => chat::events(sent),
        #[cfg(feature = "openai")]
        Provider::OpenAiResponses => responses::events(sent),
        #[cfg(feature = "anthropic")]
        Provider::Anthropic => anthropic::events(sent),
        #[cfg(feature = "gemini")]
        Provider::Gemini => gemini::events(sent),
        #[cfg(feature = "ollama")]
        Provider::Ollama => ollama::events(sent),
    }
}

/// The body of a streamed answer.
pub(super) fn stream(provider: Provider, sent: &Sent<'_>) -> String {
    let is_lines = stream_type(provider) == LINES;
    let event = |event: Value| match event.get("type").and_then(Value::as_str) {
        _ if is_lines => format!("{event}\n"),
        Some(name) => format!("event: {name}\ndata: {event}\n\n"),
        None => format!("data: {event}\n\n"),
    };
    let mut body: String = events(provider, sent).into_iter().map(event).collect();
    #[cfg(feature = "openai")]
    if provider == Provider::OpenAiChat {
        body.push_str("data: [DONE]\n\n");
    }
    body
}

const LINES: &str = "application/x-ndjson";

/// The media type of a streamed answer.
pub(super) fn stream_type(provider: Provider) -> &'static str {
    match provider {
        #[cfg(feature = "ollama")]
        Provider::Ollama => LINES,
        #[allow(unreachable_patterns, reason = "the only format may be that one")]
        _ => "text/event-stream",
    }
}

/// The body of an error.
pub(super) fn error(provider: Provider, status: u16, message: &str) -> Value {
    match provider {
        #[cfg(feature = "openai")]
        Provider::OpenAiChat | Provider::OpenAiResponses => {
            json!({ "error": { "message": message, "type": kind(status), "param": null, "code": null } })
        }
        #[cfg(feature = "anthropic")]
        Provider::Anthropic => {
            json!({ "type": "error", "error": { "type": kind(status), "message": message } })
        }
        #[cfg(feature = "gemini")]
        Provider::Gemini => {
            let word = if status == 429 {
                "RESOURCE_EXHAUSTED"
            } else {
                "INTERNAL"
            };
            json!({ "error": { "code": status, "message": message, "status": word } })
        }
        #[cfg(feature = "ollama")]
        Provider::Ollama => json!({ "error": message }),
    }
}

fn kind(status: u16) -> &'static str {
    match status {
        400 => "invalid_request_error",
        401 => "authentication_error",
        403 => "permission_error",
        404 => "not_found_error",
        429 => "rate_limit_error",
        529 => "overloaded_error",
        _ => "api_error",
    }
}

/// The arguments as the model writes them.
fn written(arguments: &Value) -> String {
    match arguments {
        Value::String(text) => text.clone(),
        other => other.to_string(),
    }
}

/// A text in the pieces of a stream: at most five characters each.
fn pieces(text: &str) -> Vec<String> {
    let characters: Vec<char> = text.chars().collect();
    characters
        .chunks(5)
        .map(|piece| piece.iter().collect())
        .collect()
}

impl Sent<'_> {
    /// The word for the reason in a format: that of an end, of calls, of the length, of a filter, of a pause.
    fn stop<'w>(&'w self, [end, calls, length, filtered, paused]: [&'w str; 5]) -> &'w str {
        match &self.answer.stop {
            None if self.answer.calls.is_empty() => end,
            None | Some(StopReason::ToolCalls) => calls,
            Some(StopReason::End) => end,
            Some(StopReason::Length) => length,
            Some(StopReason::Filtered) => filtered,
            Some(StopReason::Paused) => paused,
            Some(StopReason::Other(word)) => word,
        }
    }
}

/// `OpenAI`'s API reference, "Chat Completions", the object and the chunk object.
#[cfg(feature = "openai")]
mod chat {
    use super::{Sent, Value, json, pieces, written};

    pub(super) fn events(sent: &Sent<'_>) -> Vec<Value> {
        let chunk = |choices: Value| {
            json!({ "id": format!("chatcmpl-{}", sent.number), "object": "chat.completion.chunk", "created": 0,
                "model": sent.model, "choices": choices })
        };
        let finish = sent.stop(["stop", "tool_calls", "length", "content_filter", "stop"]);
        let delta =
            |delta: Value| chunk(json!([{ "index": 0, "delta": delta, "finish_reason": null }]));
        let mut events = vec![delta(json!({ "role": "assistant", "content": "" }))];
        let texts = pieces(&sent.answer.text).into_iter();
        events.extend(texts.map(|text| delta(json!({ "content": text }))));
        for (index, call) in sent.answer.calls.iter().enumerate() {
            let function = json!({ "name": call.name, "arguments": "" });
            let begun =
                json!({ "index": index, "id": call.id, "type": "function", "function": function });
            events.push(delta(json!({ "tool_calls": [begun] })));
            for piece in pieces(&written(&call.arguments)) {
                let more = json!({ "index": index, "function": { "arguments": piece } });
                events.push(delta(json!({ "tool_calls": [more] })));
            }
        }
        events.push(chunk(
            json!([{ "index": 0, "delta": {}, "finish_reason": finish }]),
        ));
        let mut last = chunk(json!([]));
        last["usage"] = json!({ "prompt_tokens": sent.input, "completion_tokens": sent.output,
            "total_tokens": sent.input + sent.output });
        events.push(last);
        events
    }
}

/// `OpenAI`'s API reference, "Responses", the response object and "Streaming events".
#[cfg(feature = "openai")]
mod responses {
    use super::{Sent, Value, json, pieces, written};

    fn items(sent: &Sent<'_>) -> Vec<Value> {
        let mut items = Vec::new();
        if !sent.answer.text.is_empty() {
            let part =
                json!({ "type": "output_text", "text": sent.answer.text, "annotations": [] });
            items.push(json!({ "type": "message", "id": format!("msg_{}", sent.number), "status": "completed",
                "role": "assistant", "content": [part] }));
        }
        items.extend(sent.answer.calls.iter().map(|call| {
            json!({ "type": "function_call", "id": format!("fc_{}", call.id), "call_id": call.id, "name": call.name,
                "arguments": written(&call.arguments), "status": "completed" })
        }));
        items
    }

    fn response(sent: &Sent<'_>) -> Value {
        let reason = sent.stop(["", "", "max_output_tokens", "content_filter", ""]);
        let (status, details) = if reason.is_empty() {
            ("completed", Value::Null)
        } else {
            ("incomplete", json!({ "reason": reason }))
        };
        let usage = json!({ "input_tokens": sent.input, "output_tokens": sent.output,
            "total_tokens": sent.input + sent.output });
        json!({ "id": format!("resp_{}", sent.number), "object": "response", "created_at": 0, "status": status,
            "incomplete_details": details, "error": null, "model": sent.model, "output": items(sent), "usage": usage })
    }

    pub(super) fn events(sent: &Sent<'_>) -> Vec<Value> {
        let whole = response(sent);
        let mut begun = whole.clone();
        (begun["status"], begun["output"]) = ("in_progress".into(), json!([]));
        let mut events = vec![json!({ "type": "response.created", "response": begun })];
        for (at, item) in items(sent).into_iter().enumerate() {
            let mut added = item.clone();
            let is_call = item["type"] == "function_call";
            let (field, kind) = if is_call {
                ("arguments", "response.function_call_arguments.delta")
            } else {
                ("content", "response.output_text.delta")
            };
            added[field] = if is_call { "".into() } else { json!([]) };
            added["status"] = "in_progress".into();
            events.push(
                json!({ "type": "response.output_item.added", "output_index": at, "item": added }),
            );
            let text = if is_call {
                &item["arguments"]
            } else {
                &item["content"][0]["text"]
            };
            for delta in pieces(text.as_str().unwrap_or_default()) {
                events.push(
                    json!({ "type": kind, "output_index": at, "item_id": item["id"],
                    "content_index": 0, "delta": delta }),
                );
            }
            events.push(
                json!({ "type": "response.output_item.done", "output_index": at, "item": item }),
            );
        }
        let last = if whole["status"] == "completed" {
            "response.completed"
        } else {
            "response.incomplete"
        };
        events.push(json!({ "type": last, "response": whole }));
        for (number, event) in events.iter_mut().enumerate() {
            event["sequence_number"] = number.into();
        }
        events
    }
}

/// Anthropic's API reference, "Messages" and "Streaming messages".
#[cfg(feature = "anthropic")]
mod anthropic {
    use super::{Sent, Value, json, pieces, written};

    pub(super) fn events(sent: &Sent<'_>) -> Vec<Value> {
        let begun = json!({ "id": format!("msg_{}", sent.number), "type": "message", "role": "assistant",
            "model": sent.model, "content": [], "stop_reason": null, "stop_sequence": null,
            "usage": { "input_tokens": sent.input, "output_tokens": 1 } });
        let mut events = vec![json!({ "type": "message_start", "message": begun })];
        let mut index = 0;
        let mut block = |begun: Value, kind: &str, field: &str, text: &str| {
            events.push(
                json!({ "type": "content_block_start", "index": index, "content_block": begun }),
            );
            for piece in pieces(text) {
                let delta = json!({ "type": kind, field: piece });
                events
                    .push(json!({ "type": "content_block_delta", "index": index, "delta": delta }));
            }
            events.push(json!({ "type": "content_block_stop", "index": index }));
            index += 1;
        };
        if !sent.answer.text.is_empty() {
            let begun = json!({ "type": "text", "text": "" });
            block(begun, "text_delta", "text", &sent.answer.text);
        }
        for call in &sent.answer.calls {
            let begun =
                json!({ "type": "tool_use", "id": call.id, "name": call.name, "input": {} });
            let arguments = written(&call.arguments);
            block(begun, "input_json_delta", "partial_json", &arguments);
        }
        let reason = sent.stop([
            "end_turn",
            "tool_use",
            "max_tokens",
            "refusal",
            "pause_turn",
        ]);
        let delta = json!({ "stop_reason": reason, "stop_sequence": null });
        let usage = json!({ "output_tokens": sent.output });
        events.push(json!({ "type": "message_delta", "delta": delta, "usage": usage }));
        events.push(json!({ "type": "message_stop" }));
        events
    }
}

/// Google's API reference, `generateContent` and `streamGenerateContent` with `alt=sse`.
#[cfg(feature = "gemini")]
mod gemini {
    use super::{Sent, Value, json, pieces};

    fn chunk(sent: &Sent<'_>, parts: &[Value], is_last: bool) -> Value {
        let mut candidate = json!({ "content": { "role": "model", "parts": parts }, "index": 0 });
        if is_last {
            let reason = sent.stop(["STOP", "STOP", "MAX_TOKENS", "SAFETY", "STOP"]);
            candidate["finishReason"] = reason.into();
        }
        json!({ "candidates": [candidate], "modelVersion": sent.model, "responseId": format!("resp_{}", sent.number),
            "usageMetadata": { "promptTokenCount": sent.input, "candidatesTokenCount": sent.output,
                "totalTokenCount": sent.input + sent.output } })
    }

    pub(super) fn events(sent: &Sent<'_>) -> Vec<Value> {
        let texts = pieces(&sent.answer.text).into_iter();
        let calls = sent.answer.calls.iter();
        let calls = calls
            .map(|call| json!({ "functionCall": { "name": call.name, "args": call.arguments } }));
        let parts = texts.map(|text| json!({ "text": text })).chain(calls);
        let mut events: Vec<Value> = parts.map(|part| chunk(sent, &[part], false)).collect();
        events.push(chunk(sent, &[json!({ "text": "" })], true));
        events
    }
}

/// Ollama's API reference, "Generate a chat completion".
#[cfg(feature = "ollama")]
mod ollama {
    use super::{Sent, Value, json, pieces};

    fn line(sent: &Sent<'_>, message: &Value, is_last: bool) -> Value {
        let mut line = json!({ "model": sent.model, "created_at": "2026-01-01T00:00:00Z", "message": message,
            "done": is_last });
        if is_last {
            let reason = sent.stop(["stop", "stop", "length", "content_filter", "stop"]);
            line["done_reason"] = reason.into();
            line["prompt_eval_count"] = sent.input.into();
            line["eval_count"] = sent.output.into();
        }
        line
    }

    pub(super) fn events(sent: &Sent<'_>) -> Vec<Value> {
        let said = |content: String| json!({ "role": "assistant", "content": content });
        let texts = pieces(&sent.answer.text).into_iter();
        let mut events: Vec<Value> = texts.map(|text| line(sent, &said(text), false)).collect();
        for call in &sent.answer.calls {
            let call = json!({ "function": { "name": call.name, "arguments": call.arguments } });
            let message = json!({ "role": "assistant", "content": "", "tool_calls": [call] });
            events.push(line(sent, &message, false));
        }
        events.push(line(sent, &said(String::new()), true));
        events
    }
}
