//! Replies that come piece by piece: any whole reply, cut into any stream, gives the same reply; what comes on the way
//! adds up to it; and a stream that ends early is no reply.

use prompt_agent::wire::{
    Delta, Provider, Reply, StreamReader, WireError, anthropic, gemini, ollama, openai_chat,
    openai_responses,
};
use prompt_core::{Content, ToolCall};
use proptest::prelude::*;
use serde_json::{Map, Value, json};

/// Where texts are cut: numbers of characters, round and round.
struct Cuts {
    sizes: Vec<usize>,
    next: usize,
}

impl Cuts {
    fn draw(&mut self, below: usize) -> usize {
        self.next += 1;
        self.sizes[self.next % self.sizes.len()] % below
    }

    /// A text in pieces, some of them empty.
    fn cut(&mut self, text: &str) -> Vec<String> {
        let mut rest: Vec<char> = text.chars().collect();
        let mut pieces = Vec::new();
        let mut empty = 0;
        while !rest.is_empty() {
            let size = self.draw(4).min(rest.len());
            // A source of zeros must not go round for ever.
            empty = if size == 0 { empty + 1 } else { 0 };
            let size = if empty > 2 { 1 } else { size };
            pieces.push(rest.drain(..size).collect());
        }
        pieces
    }

    /// One list of all elements, which keep their order within each of the given lists.
    fn shuffle(&mut self, lists: Vec<Vec<Value>>) -> Vec<Value> {
        let mut lists: Vec<_> = lists
            .into_iter()
            .map(|list| list.into_iter().peekable())
            .collect();
        let mut mixed = Vec::new();
        loop {
            lists.retain_mut(|list| list.peek().is_some());
            if lists.is_empty() {
                return mixed;
            }
            let at = self.draw(lists.len());
            mixed.extend(lists[at].next());
        }
    }
}

fn list<'v>(value: &'v Value, key: &str) -> &'v [Value] {
    value[key].as_array().map_or(&[], Vec::as_slice)
}

fn cut_chat(whole: &Value, cuts: &mut Cuts) -> Vec<Value> {
    let choice = &whole["choices"][0];
    let message = &choice["message"];
    let mut deltas = Vec::new();
    for field in ["reasoning_content", "content", "refusal"] {
        let text = message[field].as_str().unwrap_or_default();
        deltas.extend(
            cuts.cut(text)
                .into_iter()
                .map(|piece| json!({ field: piece })),
        );
    }
    let calls = list(message, "tool_calls").iter().enumerate();
    let calls = calls.map(|(at, call)| {
        let kind = call["type"].as_str().unwrap();
        let field = if kind == "custom" {
            "input"
        } else {
            "arguments"
        };
        let mut begun = call.clone();
        begun["index"] = json!(at);
        begun[kind][field] = json!("");
        let text = call[kind][field].as_str().unwrap();
        let rest = cuts.cut(text).into_iter();
        let rest = rest.map(|piece| json!({ "index": at, kind: { field: piece } }));
        let pieces: Vec<Value> = std::iter::once(begun).chain(rest).collect();
        pieces
            .into_iter()
            .map(|piece| json!({ "tool_calls": [piece] }))
            .collect()
    });
    let calls = calls.collect();
    deltas.extend(cuts.shuffle(calls));
    let chunk =
        |choices: Value| json!({ "id": whole["id"], "model": whole["model"], "choices": choices });
    let said = |delta: Value, finish: &Value| {
        chunk(json!([{ "index": 0, "delta": delta, "finish_reason": finish }]))
    };
    let mut events = vec![said(
        json!({ "role": "assistant", "content": "" }),
        &Value::Null,
    )];
    events.extend(deltas.into_iter().map(|delta| said(delta, &Value::Null)));
    events.push(said(json!({}), &choice["finish_reason"]));
    let mut last = chunk(json!([]));
    last["usage"] = whole["usage"].clone();
    events.push(last);
    events
}

fn cut_responses(whole: &Value, cuts: &mut Cuts) -> Vec<Value> {
    let mut events = vec![
        json!({ "type": "response.created", "response": { "id": whole["id"], "output": [] } }),
    ];
    for (at, item) in list(whole, "output").iter().enumerate() {
        events.push(
            json!({ "type": "response.output_item.added", "output_index": at, "item": item }),
        );
        let mut deltas = |kind: &str, text: &Value| {
            for piece in cuts.cut(text.as_str().unwrap_or_default()) {
                events.push(json!({ "type": kind, "output_index": at, "delta": piece }));
            }
        };
        match item["type"].as_str().unwrap() {
            "message" => {
                for part in list(item, "content") {
                    deltas("response.output_text.delta", &part["text"]);
                    deltas("response.refusal.delta", &part["refusal"]);
                }
            }
            "function_call" => deltas("response.function_call_arguments.delta", &item["arguments"]),
            _ => deltas(
                "response.reasoning_summary_text.delta",
                &item["summary"][0]["text"],
            ),
        }
        events
            .push(json!({ "type": "response.output_item.done", "output_index": at, "item": item }));
    }
    let mut last = whole.clone();
    if cuts.draw(2) == 0 {
        last["output"] = json!([]);
    }
    let kind = format!("response.{}", whole["status"].as_str().unwrap());
    events.push(json!({ "type": kind, "response": last }));
    events
}

fn cut_anthropic(whole: &Value, cuts: &mut Cuts) -> Vec<Value> {
    let mut start = whole.clone();
    start["content"] = json!([]);
    start["stop_reason"] = Value::Null;
    start["usage"]["output_tokens"] = json!(1);
    let mut events = vec![
        json!({ "type": "message_start", "message": start }),
        json!({ "type": "ping" }),
    ];
    for (at, block) in list(whole, "content").iter().enumerate() {
        let mut begun = block.clone();
        let mut deltas = Vec::new();
        let mut take = |key: &str, kind: &str, cuts: &mut Cuts| {
            let Some(text) = block[key].as_str() else {
                return;
            };
            begun[key] = json!("");
            let field = kind.strip_suffix("_delta").unwrap();
            deltas.extend(
                cuts.cut(text)
                    .into_iter()
                    .map(|piece| json!({ "type": kind, field: piece })),
            );
        };
        take("text", "text_delta", cuts);
        take("thinking", "thinking_delta", cuts);
        take("signature", "signature_delta", cuts);
        if let Some(input) = block.get("input") {
            begun["input"] = json!({});
            let text = input
                .as_str()
                .map_or_else(|| input.to_string(), str::to_owned);
            // No arguments: some streams say nothing, some say `{}`.
            let silent = *input == json!({}) && cuts.draw(2) == 0;
            let pieces = if silent { Vec::new() } else { cuts.cut(&text) };
            let delta = |piece| json!({ "type": "input_json_delta", "partial_json": piece });
            deltas.extend(pieces.into_iter().map(delta));
        }
        events.push(json!({ "type": "content_block_start", "index": at, "content_block": begun }));
        for delta in deltas {
            events.push(json!({ "type": "content_block_delta", "index": at, "delta": delta }));
        }
        events.push(json!({ "type": "content_block_stop", "index": at }));
    }
    let delta = json!({ "stop_reason": whole["stop_reason"], "stop_sequence": null });
    let usage = json!({ "output_tokens": whole["usage"]["output_tokens"] });
    events.push(json!({ "type": "message_delta", "delta": delta, "usage": usage }));
    events.push(json!({ "type": "message_stop" }));
    events
}

fn cut_gemini(whole: &Value, cuts: &mut Cuts) -> Vec<Value> {
    let mut parts = Vec::new();
    let candidate = &whole["candidates"][0];
    for part in list(&candidate["content"], "parts") {
        match part["text"]
            .as_str()
            .filter(|_| part.get("thoughtSignature").is_none())
        {
            Some(text) => parts.extend(cuts.cut(text).into_iter().map(|piece| {
                let mut part = part.clone();
                part["text"] = json!(piece);
                part
            })),
            // A part with a signature comes whole.
            None => parts.push(part.clone()),
        }
    }
    let mut events = Vec::new();
    let chunk = |parts: &[Value]| {
        let content = json!({ "role": "model", "parts": parts });
        json!({ "candidates": [{ "content": content, "index": 0 }], "responseId": whole["responseId"], "modelVersion": whole["modelVersion"] })
    };
    while !parts.is_empty() {
        let count = (1 + cuts.draw(3)).min(parts.len());
        let some: Vec<Value> = parts.drain(..count).collect();
        events.push(chunk(&some));
    }
    let mut last = chunk(&[]);
    last["candidates"][0]["finishReason"] = candidate["finishReason"].clone();
    last["usageMetadata"] = whole["usageMetadata"].clone();
    events.push(last);
    events
}

fn cut_ollama(whole: &Value, cuts: &mut Cuts) -> Vec<Value> {
    let mut messages = Vec::new();
    for field in ["thinking", "content"] {
        for piece in cuts.cut(whole["message"][field].as_str().unwrap_or_default()) {
            messages.push(json!({ "role": "assistant", field: piece }));
        }
    }
    for call in list(&whole["message"], "tool_calls") {
        messages.push(json!({ "role": "assistant", "content": "", "tool_calls": [call] }));
    }
    let mut events: Vec<Value> = messages
        .into_iter()
        .map(|message| json!({ "model": whole["model"], "message": message, "done": false }))
        .collect();
    let mut last = whole.clone();
    last["message"] = json!({ "role": "assistant", "content": "" });
    events.push(last);
    events
}

/// What a model may say, in no format.
#[derive(Clone, Debug)]
enum Piece {
    Thinking(String),
    Text(String),
    Call { name: String, arguments: Value },
    Native,
}

fn text() -> impl Strategy<Value = String> {
    "[a-z \"\\\\\n{}é🦀]{0,12}"
}

fn pieces() -> impl Strategy<Value = Vec<Piece>> {
    let arguments = prop_oneof![
        3 => (text(), any::<i32>()).prop_map(|(a, b)| json!({ "a": a, "b": [b, null, { "c": a }] })),
        1 => Just(json!({})),
        1 => "[a-z\\[{\"]{1,8}[{]".prop_map(Value::String),
    ];
    let piece = prop_oneof![
        4 => text().prop_map(Piece::Text),
        2 => text().prop_map(Piece::Thinking),
        3 => ("[a-z_]{1,6}", arguments).prop_map(|(name, arguments)| Piece::Call { name, arguments }),
        1 => Just(Piece::Native),
    ];
    prop::collection::vec(piece, 0..7)
}

fn written(arguments: &Value) -> String {
    arguments
        .as_str()
        .map_or_else(|| arguments.to_string(), str::to_owned)
}

/// The texts of one kind as one.
fn all_of(pieces: &[Piece], pick: fn(&Piece) -> Option<&str>) -> String {
    pieces.iter().filter_map(pick).collect()
}

fn text_of(piece: &Piece) -> Option<&str> {
    match piece {
        Piece::Text(text) => Some(text),
        _ => None,
    }
}

fn thinking_of(piece: &Piece) -> Option<&str> {
    match piece {
        Piece::Thinking(text) => Some(text),
        _ => None,
    }
}

/// Something for each call and each native piece, with its number.
fn each(
    pieces: &[Piece],
    call: impl Fn(usize, &str, &Value) -> Value,
    native: impl Fn(usize) -> Value,
) -> Vec<Value> {
    let made = pieces
        .iter()
        .enumerate()
        .filter_map(|(at, piece)| match piece {
            Piece::Call { name, arguments } => Some(call(at, name, arguments)),
            Piece::Native => Some(native(at)),
            _ => None,
        });
    made.filter(|value| !value.is_null()).collect()
}

fn whole_chat(pieces: &[Piece], stop: usize, tokens: u64) -> Value {
    let mut message = Map::new();
    message.insert("role".into(), json!("assistant"));
    let (text, thinking) = (all_of(pieces, text_of), all_of(pieces, thinking_of));
    message.insert(
        "content".into(),
        if text.is_empty() {
            Value::Null
        } else {
            json!(text)
        },
    );
    if !thinking.is_empty() {
        message.insert("reasoning_content".into(), json!(thinking));
    }
    let calls = each(
        pieces,
        |at, name, arguments| {
            let function = json!({ "name": name, "arguments": written(arguments) });
            json!({ "id": format!("call_{at}"), "type": "function", "function": function })
        },
        |at| json!({ "id": format!("c_{at}"), "type": "custom", "custom": { "name": "sh", "input": "ls" } }),
    );
    if !calls.is_empty() {
        message.insert("tool_calls".into(), json!(calls));
    }
    let finish = ["stop", "tool_calls", "length", "content_filter", "tired"][stop];
    json!({
        "id": "chatcmpl-1", "model": "m", "choices": [{ "index": 0, "message": message, "finish_reason": finish }],
        "usage": { "prompt_tokens": tokens, "completion_tokens": 3 },
    })
}

fn whole_responses(pieces: &[Piece], stop: usize, tokens: u64) -> Value {
    let items: Vec<Value> = pieces
        .iter()
        .enumerate()
        .map(|(at, piece)| match piece {
            Piece::Text(text) => {
                let part = if at % 3 == 2 {
                    json!({ "type": "refusal", "refusal": text })
                } else {
                    json!({ "type": "output_text", "text": text, "annotations": [] })
                };
                json!({ "type": "message", "role": "assistant", "id": "m", "content": [part, { "type": "output_text", "text": "." }] })
            }
            Piece::Thinking(text) => json!({ "type": "reasoning", "id": "rs", "summary": [{ "type": "summary_text", "text": text }] }),
            Piece::Call { name, arguments } => {
                json!({ "type": "function_call", "call_id": format!("call_{at}"), "name": name, "arguments": written(arguments) })
            }
            Piece::Native => json!({ "type": "web_search_call", "id": "ws" }),
        })
        .collect();
    let (status, reason) = [
        ("completed", None),
        ("completed", None),
        ("incomplete", Some("max_output_tokens")),
        ("incomplete", Some("content_filter")),
        ("incomplete", Some("tired")),
    ][stop];
    let details = reason.map(|reason| json!({ "reason": reason }));
    json!({
        "id": "resp_1", "model": "m", "status": status, "error": null, "incomplete_details": details,
        "output": items, "usage": { "input_tokens": tokens, "output_tokens": 3 },
    })
}

fn whole_anthropic(pieces: &[Piece], stop: usize, tokens: u64) -> Value {
    let blocks: Vec<Value> = pieces
        .iter()
        .enumerate()
        .map(|(at, piece)| match piece {
            Piece::Text(text) => json!({ "type": "text", "text": text }),
            Piece::Thinking(text) if at % 3 == 2 => json!({ "type": "thinking", "thinking": text }),
            Piece::Thinking(text) => json!({ "type": "thinking", "thinking": text, "signature": "sig" }),
            Piece::Call { name, arguments } => {
                json!({ "type": "tool_use", "id": format!("toolu_{at}"), "name": name, "input": arguments })
            }
            Piece::Native if at % 2 == 0 => json!({ "type": "redacted_thinking", "data": "xyz" }),
            Piece::Native => json!({ "type": "server_tool_use", "id": "srv", "name": "web_search", "input": { "query": "tide" } }),
        })
        .collect();
    let reason = [
        "end_turn",
        "tool_use",
        "max_tokens",
        "refusal",
        "pause_turn",
    ][stop];
    json!({
        "id": "msg_1", "type": "message", "role": "assistant", "model": "m", "content": blocks, "stop_reason": reason,
        "usage": { "input_tokens": tokens, "cache_read_input_tokens": 5, "output_tokens": 3 },
    })
}

fn whole_gemini(pieces: &[Piece], stop: usize, tokens: u64) -> Value {
    let parts: Vec<Value> = pieces
        .iter()
        .enumerate()
        .map(|(at, piece)| {
            let mut part = match piece {
                Piece::Text(text) => json!({ "text": text }),
                Piece::Thinking(text) => json!({ "text": text, "thought": true }),
                Piece::Call { name, arguments } => {
                    json!({ "functionCall": { "name": name, "args": arguments } })
                }
                Piece::Native => json!({ "executableCode": { "language": "PYTHON", "code": "1" } }),
            };
            if at % 3 == 1 {
                part["thoughtSignature"] = json!("sig");
            }
            part
        })
        .collect();
    let reason = ["STOP", "STOP", "MAX_TOKENS", "SAFETY", "OTHER"][stop];
    json!({
        "responseId": "r", "modelVersion": "m",
        "candidates": [{ "content": { "role": "model", "parts": parts }, "finishReason": reason, "index": 0 }],
        "usageMetadata": { "promptTokenCount": tokens, "candidatesTokenCount": 2, "thoughtsTokenCount": 1 },
    })
}

fn whole_ollama(pieces: &[Piece], stop: usize, tokens: u64) -> Value {
    let calls = each(
        pieces,
        |_, name, arguments| json!({ "function": { "name": name, "arguments": arguments } }),
        |_| Value::Null,
    );
    let message = json!({
        "role": "assistant", "content": all_of(pieces, text_of), "thinking": all_of(pieces, thinking_of),
        "tool_calls": calls,
    });
    let reason = ["stop", "stop", "length", "load", "unload"][stop];
    json!({ "model": "m", "message": message, "done": true, "done_reason": reason, "prompt_eval_count": tokens, "eval_count": 3 })
}

type Whole = fn(&[Piece], usize, u64) -> Value;
type Cut = fn(&Value, &mut Cuts) -> Vec<Value>;

const FORMATS: [(Provider, Whole, Cut); 5] = [
    (Provider::OpenAiChat, whole_chat, cut_chat),
    (Provider::OpenAiResponses, whole_responses, cut_responses),
    (Provider::Anthropic, whole_anthropic, cut_anthropic),
    (Provider::Gemini, whole_gemini, cut_gemini),
    (Provider::Ollama, whole_ollama, cut_ollama),
];

/// What the deltas of a stream add up to.
#[derive(Default)]
struct Heard {
    text: String,
    calls: Vec<(String, String, String)>,
}

impl Heard {
    fn add(&mut self, deltas: Vec<Delta>) {
        for delta in deltas {
            match delta {
                Delta::Text(text) => self.text.push_str(&text),
                Delta::Call { index, id, name } => {
                    assert_eq!(index, self.calls.len());
                    self.calls.push((id, name, String::new()));
                }
                Delta::Arguments { index, text } => self.calls[index].2.push_str(&text),
                _ => {}
            }
        }
    }

    /// Whether this is what the reply says.
    fn check(&self, reply: &Reply) -> Result<(), TestCaseError> {
        let texts = reply.message.content.iter().filter_map(Content::as_text);
        prop_assert_eq!(&self.text, &texts.collect::<String>());
        let ours = self.calls.iter().filter(|(id, ..)| !id.starts_with("c_"));
        let mut ours: Vec<_> = ours.collect();
        let mut calls: Vec<ToolCall> = reply.message.tool_calls().collect();
        // Pieces of calls may come in any order.
        ours.sort();
        calls.sort_by(|a, b| a.id.cmp(&b.id));
        prop_assert_eq!(ours.len(), calls.len());
        for ((id, name, arguments), call) in ours.into_iter().zip(calls) {
            prop_assert_eq!((id, name), (&call.id, &call.name));
            let said = match call.arguments {
                Value::String(written) => Value::String(written) == *arguments,
                object => {
                    let said = if arguments.is_empty() {
                        "{}"
                    } else {
                        arguments
                    };
                    serde_json::from_str(said).ok() == Some(object)
                }
            };
            // Formats without a text for arguments give a broken one as JSON.
            prop_assert!(said || serde_json::from_str::<String>(arguments).is_ok());
        }
        Ok(())
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: prompt_tests::random_cases(100), failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn any_reply_cut_into_any_stream_is_the_same_reply(
        pieces in pieces(),
        stop in 0_usize..5,
        tokens in 0_u64..1000,
        sizes in prop::collection::vec(0_usize..100, 1..20),
    ) {
        for (provider, whole, cut) in FORMATS {
            let whole = whole(&pieces, stop, tokens);
            let expected = provider.reply(&whole).unwrap();
            let events = cut(&whole, &mut Cuts { sizes: sizes.clone(), next: 0 });

            let (mut reader, mut heard) = (provider.stream(), Heard::default());
            for event in &events {
                heard.add(reader.push(event).unwrap());
            }
            prop_assert_eq!(&reader.finish().unwrap(), &expected, "{}: {:#}", provider, whole);
            heard.check(&expected)?;

            // The same from the lines of the body.
            let mut reader = provider.stream();
            for event in &events {
                let line = match provider {
                    Provider::Ollama => format!("{event}\n"),
                    _ => format!("data: {event}\r\n"),
                };
                for line in ["event: x", ": comment", "", line.as_str()] {
                    reader.push_line(line).unwrap();
                }
            }
            reader.push_line("data: [DONE]").unwrap();
            prop_assert_eq!(&reader.finish().unwrap(), &expected);

            // A server that does not stream sends it whole: in a line, as an event, printed over many lines.
            let pretty = format!("{whole:#}");
            let event = pretty.replace('\n', "\r\ndata: ");
            for body in [format!("{whole}"), format!("data: {whole}\n"), pretty, format!("data: {event}\n\n")] {
                let (mut reader, mut heard) = (provider.stream(), Heard::default());
                let mut rest = body.as_bytes();
                while !rest.is_empty() {
                    let (head, tail) = rest.split_at((1 + sizes[rest.len() % sizes.len()]).min(rest.len()));
                    heard.add(reader.push_bytes(head).unwrap());
                    rest = tail;
                }
                prop_assert!(reader.is_done(), "{}", body);
                heard.check(&expected)?;
                prop_assert_eq!(&reader.finish().unwrap(), &expected, "{}: {}", provider, body);
            }

            // Cut off anywhere it is no reply, and nothing panics.
            let mut reader = provider.stream();
            for event in events.iter().take(sizes[0] % events.len()) {
                reader.push(event).unwrap();
            }
            match reader.finish() {
                Err(error) => prop_assert_eq!(error, WireError::Unfinished),
                // Behind the reason to stop, only the usage is missing.
                Ok(reply) => prop_assert_eq!(
                    (provider, reply.message, reply.stop),
                    (Provider::OpenAiChat, expected.message, expected.stop)
                ),
            }
        }
    }

    /// Events in any order, or of another format: errors at worst.
    #[test]
    fn no_event_makes_a_reader_panic(
        pieces in pieces(),
        sizes in prop::collection::vec(0_usize..100, 1..20),
    ) {
        let mut events = Vec::new();
        for (_, whole, cut) in FORMATS {
            events.extend(cut(&whole(&pieces, 0, 1), &mut Cuts { sizes: sizes.clone(), next: 0 }));
        }
        let count = events.len();
        for provider in Provider::ALL {
            let mut reader = provider.stream();
            for size in &sizes {
                let _ = reader.push(&events[(size * 7) % count]);
            }
            let _ = reader.finish();
        }
    }
}

#[test]
fn nothing_is_finished_before_the_last_event() {
    for provider in Provider::ALL {
        assert_eq!(
            provider.stream().finish(),
            Err(WireError::Unfinished),
            "{provider}"
        );
    }
    let mut reader = anthropic::StreamReader::new();
    let start = json!({ "type": "message_start", "message": { "id": "m", "content": [] } });
    reader.push(&start).unwrap();
    reader
        .push(&json!({ "type": "message_delta", "delta": { "stop_reason": "end_turn" } }))
        .unwrap();
    assert_eq!(reader.finish(), Err(WireError::Unfinished));
}

#[test]
fn arguments_can_be_read_as_far_as_they_have_come() {
    let call = |piece: Value| json!({ "choices": [{ "delta": { "tool_calls": [piece] } }] });
    let mut reader = openai_chat::StreamReader::new();
    let begun =
        json!({ "index": 0, "id": "a", "function": { "name": "look", "arguments": "{\"a" } });
    let deltas = reader.push(&call(begun)).unwrap();
    let expected = [
        Delta::Call {
            index: 0,
            id: "a".into(),
            name: "look".into(),
        },
        Delta::Arguments {
            index: 0,
            text: "{\"a".into(),
        },
    ];
    assert_eq!(deltas, expected);
    reader
        .push(&call(
            json!({ "index": 0, "function": { "arguments": "\":1" } }),
        ))
        .unwrap();
    assert_eq!(
        (reader.arguments(0), reader.arguments(1)),
        (Some("{\"a\":1"), None)
    );
}

#[test]
fn pieces_of_arguments_without_a_byte_are_no_delta() {
    let mut reader = anthropic::StreamReader::new();
    let call = json!({ "type": "tool_use", "id": "a", "name": "look", "input": {} });
    let begin = json!({ "type": "content_block_start", "index": 0, "content_block": call });
    assert_eq!(reader.push(&begin).unwrap().len(), 1);
    let mut piece = |text: &str| {
        let delta = json!({ "type": "input_json_delta", "partial_json": text });
        let event = json!({ "type": "content_block_delta", "index": 0, "delta": delta });
        reader.push(&event).unwrap()
    };
    assert_eq!(piece(""), []);
    assert_eq!(piece("{}").len(), 1);
}

/// A tool that ran at the provider is answered there: its broken input is of no use, and the field takes objects only.
#[test]
fn broken_input_of_a_call_that_is_not_ours_is_left_out() {
    for (written, input) in [
        ("{\"query\": \"tide", json!({})),
        ("{\"query\": \"tides\"}", json!({ "query": "tides" })),
    ] {
        let call =
            json!({ "type": "server_tool_use", "id": "a", "name": "web_search", "input": {} });
        let delta = json!({ "type": "input_json_delta", "partial_json": written });
        let mut reader = anthropic::StreamReader::new();
        for event in [
            json!({ "type": "message_start", "message": { "id": "m", "role": "assistant" } }),
            json!({ "type": "content_block_start", "index": 0, "content_block": call }),
            json!({ "type": "content_block_delta", "index": 0, "delta": delta }),
            json!({ "type": "message_delta", "delta": { "stop_reason": "end_turn" } }),
            json!({ "type": "message_stop" }),
        ] {
            reader.push(&event).unwrap();
        }
        let reply = reader.finish().unwrap();
        let Content::Native { value, .. } = &reply.message.content[0] else {
            panic!("{reply:?}");
        };
        assert_eq!(value["input"], input);
    }
}

/// Servers that speak `OpenAI`'s format number calls in their own ways.
#[test]
fn calls_are_kept_apart_whatever_their_numbers() {
    let stream = |pieces: &[Value]| {
        let mut reader = openai_chat::StreamReader::new();
        for piece in pieces {
            let delta = json!({ "tool_calls": [piece] });
            reader
                .push(&json!({ "choices": [{ "delta": delta }] }))
                .unwrap();
        }
        reader
            .push(&json!({ "choices": [{ "delta": {}, "finish_reason": "stop" }] }))
            .unwrap();
        let calls: Vec<ToolCall> = reader.finish().unwrap().message.tool_calls().collect();
        calls
    };
    let function = |name: &str, arguments: &str| json!({ "name": name, "arguments": arguments });
    let expected = [
        ToolCall::new("a", "look", json!({ "at": 1 })),
        ToolCall::new("b", "look", json!({ "at": 2 })),
    ];
    // All with the number 0, none with a number, and the id said again with every piece.
    let one = json!({ "index": 0, "id": "a", "function": function("look", "{\"at\":1}") });
    let two = json!({ "index": 0, "id": "b", "function": function("look", "{\"at\":2}") });
    assert_eq!(stream(&[one, two]), expected);
    let one = json!({ "id": "a", "function": function("look", "{\"at\":") });
    let more = json!({ "function": { "arguments": "1}" } });
    let two = json!({ "id": "b", "function": function("look", "{\"at\":2}") });
    assert_eq!(stream(&[one, more, two]), expected);
    let one = json!({ "index": 0, "id": "a", "function": function("look", "{\"at\":") });
    let more = json!({ "index": 0, "id": "a", "function": function("look", "1}") });
    let two = json!({ "index": 1, "id": "b", "function": function("look", "{\"at\":2}") });
    assert_eq!(stream(&[one, more, two]), expected);
}

#[test]
fn errors_in_a_stream_end_it() {
    let api = |result: Result<Vec<Delta>, WireError>| match result {
        Err(WireError::Api { message, .. }) => message,
        other => panic!("{other:?}"),
    };
    let overloaded = json!({ "type": "error", "error": { "type": "overloaded_error", "message": "Overloaded" } });
    assert_eq!(
        api(anthropic::StreamReader::new().push(&overloaded)),
        "Overloaded"
    );
    let error = json!({ "type": "error", "code": "x", "message": "Sorry.", "param": null });
    assert_eq!(
        api(openai_responses::StreamReader::new().push(&error)),
        "Sorry."
    );
    let failed = json!({ "type": "response.failed", "response": { "status": "failed", "output": [], "error": { "code": "x", "message": "Sorry." } } });
    let mut reader = openai_responses::StreamReader::new();
    reader.push(&failed).unwrap();
    assert!(matches!(reader.finish(), Err(WireError::Api { message, .. }) if message == "Sorry."));
    let line = gemini::StreamReader::new()
        .push_line("data: {\"error\": {\"code\": 503, \"message\": \"Busy.\"}}");
    assert_eq!(api(line), "Busy.");
    assert_eq!(
        api(ollama::StreamReader::new().push(&json!({ "error": "gone" }))),
        "gone"
    );
    let result = ollama::StreamReader::new().push_line("data: nothing");
    assert!(matches!(result, Err(WireError::NoReply { text, .. }) if text == "nothing"));
}

/// A server or gateway that ignores `stream: true`.
#[test]
fn a_whole_answer_in_a_stream_is_an_answer() {
    let function = json!({ "name": "look", "arguments": "{\"at\":1}" });
    let calls = json!([{ "id": "a", "type": "function", "function": function }]);
    let message = json!({ "role": "assistant", "content": "whole", "reasoning_content": "Hm.", "tool_calls": calls });
    let whole = json!({ "id": "x", "choices": [{ "index": 0, "message": message, "finish_reason": "stop" }] });
    let mut reader = openai_chat::StreamReader::new();
    let deltas = reader.push(&whole).unwrap();
    let expected = [
        Delta::Thinking("Hm.".into()),
        Delta::Text("whole".into()),
        Delta::Call {
            index: 0,
            id: "a".into(),
            name: "look".into(),
        },
        Delta::Arguments {
            index: 0,
            text: "{\"at\":1}".into(),
        },
    ];
    assert_eq!(deltas, expected);
    assert!(reader.is_done());
    assert_eq!(
        reader.finish().unwrap(),
        openai_chat::reply(&whole).unwrap()
    );

    // The chunks of the old completions, and their whole answer.
    let chunk = |text: &str, finish: Value| json!({ "object": "text_completion", "choices": [{ "index": 0, "text": text, "finish_reason": finish }] });
    let mut reader = openai_chat::StreamReader::new();
    assert_eq!(
        reader.push(&chunk("Two", Value::Null)).unwrap(),
        [Delta::Text("Two".into())]
    );
    reader.push(&chunk(" fathoms.", json!("stop"))).unwrap();
    let whole = openai_chat::reply(&chunk("Two fathoms.", json!("stop"))).unwrap();
    assert_eq!(whole.message.text(), "Two fathoms.");
    assert_eq!(reader.finish().unwrap(), whole);

    // What was streamed is not said again by a last event that has it all.
    let mut reader = openai_chat::StreamReader::new();
    let delta = json!({ "choices": [{ "index": 0, "delta": { "content": "Two fathoms." } }] });
    reader.push(&delta).unwrap();
    let last = json!({ "choices": [{ "index": 0, "message": { "content": "Two fathoms." }, "finish_reason": "stop" }] });
    assert_eq!(reader.push(&last), Ok(Vec::new()));
    assert_eq!(reader.finish().unwrap().message.text(), "Two fathoms.");

    // Gemini's stream without `alt=sse` is one list.
    let part = |text: &str, finish: Value| json!({ "candidates": [{ "content": { "parts": [{ "text": text }] }, "finishReason": finish }] });
    let list = json!([part("Two", Value::Null), part(" fathoms.", json!("STOP"))]);
    let mut reader = gemini::StreamReader::new();
    reader.push_bytes(format!("{list:#}").as_bytes()).unwrap();
    assert_eq!(reader.finish().unwrap().message.text(), "Two fathoms.");
}

/// What a user sees does not hang on where the bytes were cut.
#[test]
fn what_stands_in_front_of_an_error_is_given() {
    let said = json!({ "choices": [{ "index": 0, "delta": { "content": "Hi" } }] });
    let body = format!(
        "data: {said}\n\ndata: {{\"error\": {{ \"message\": \"Busy.\" }} }}\n\ndata: {said}\n\n"
    );
    for cut in 0..body.len() {
        let mut reader = openai_chat::StreamReader::new();
        let (mut heard, mut faults) = (Vec::new(), Vec::new());
        for piece in [&body[..cut], &body[cut..], ""] {
            match reader.push_bytes(piece.as_bytes()) {
                Ok(deltas) => heard.extend(deltas),
                Err(fault) => faults.push(fault.to_string()),
            }
        }
        assert_eq!(heard, [Delta::Text("Hi".into())], "{cut}");
        assert!(reader.is_done());
        let fault = reader.finish().unwrap_err().to_string();
        assert!(
            !faults.is_empty() && faults.iter().all(|known| *known == fault),
            "{cut}: {faults:?}"
        );
        assert!(fault.ends_with("Busy."), "{fault}");
    }
}

/// The fields of server-sent events that have nothing to say are no text of a page.
#[test]
fn the_fields_of_events_are_no_body() {
    let said =
        json!({ "message": { "content": "Two fathoms." }, "done": true, "done_reason": "stop" });
    for field in [
        "retry: 3000",
        "retry",
        "id: 7",
        "event: message",
        ": keep-alive",
        ":",
        "",
    ] {
        let mut reader = ollama::StreamReader::new();
        reader.push_line(field).unwrap();
        assert_eq!(reader.finish(), Err(WireError::Unfinished), "{field}");
        let mut reader = ollama::StreamReader::new();
        reader
            .push_bytes(format!("{field}\n{said}\n").as_bytes())
            .unwrap();
        assert_eq!(
            reader.finish().unwrap().message.text(),
            "Two fathoms.",
            "{field}"
        );
    }
}

#[test]
fn readers_can_be_sent_to_another_thread() {
    fn check<T: Send + Sync>() {}
    check::<StreamReader>();
    check::<openai_chat::StreamReader>();
    check::<openai_responses::StreamReader>();
    check::<anthropic::StreamReader>();
    check::<gemini::StreamReader>();
    check::<ollama::StreamReader>();
    check::<Reply>();
    check::<prompt_core::DynamicNode>();
    check::<prompt_core::RenderedPrompt>();
    check::<prompt_core::Budget<'_>>();
}

#[test]
fn a_blocked_prompt_ends_a_stream() {
    let mut reader = gemini::StreamReader::new();
    reader
        .push(&json!({ "promptFeedback": { "blockReason": "SAFETY" } }))
        .unwrap();
    assert_eq!(reader.finish().unwrap().stop.as_str(), "filtered");
}
