//! Streams as servers write them, and as they arrive when something goes wrong on the way. The laws know nothing of the readers:
//! what the deltas said is what the message holds, or there is an error; and where the server only has ways of its own, the message
//! holds what it meant.

use super::{Source, check};
use prompt_agent::wire::{Delta, Provider, Reply};
use prompt_core::{Content, Message};
use serde_json::{Value, json};
use std::collections::BTreeMap;

/// What the model says.
enum Piece {
    /// Words that occur nowhere else.
    Text(Vec<String>),
    Thinking(Vec<String>),
    /// A tool, and the text of its arguments in pieces.
    Call(&'static str, Vec<String>),
}

/// A call as it is compared: its tool and its arguments.
type Called = (String, Value);

pub(super) fn streams(source: &mut Source<'_>) -> Result<(), String> {
    let provider = Provider::ALL[source.below(Provider::ALL.len())];
    let pieces = pieces(source);
    let (mut events, mut is_plain) = match provider {
        Provider::OpenAiChat => chat(source, &pieces),
        Provider::OpenAiResponses => responses(source, &pieces),
        Provider::Anthropic => anthropic(source, &pieces),
        Provider::Gemini => gemini(source, &pieces),
        _ => ollama(source, &pieces),
    };
    for _ in 0..source.below(4) {
        is_plain = false;
        mishap(source, &mut events);
    }
    let mut reader = provider.stream();
    let (mut deltas, mut body) = (Vec::new(), Vec::new());
    for event in &events {
        let line = match provider {
            Provider::Ollama => format!("{event}\n"),
            _ => format!("data: {event}\n\n"),
        };
        body.extend(line.into_bytes());
    }
    let mut rest = body.as_slice();
    while !rest.is_empty() {
        let (piece, behind) = rest.split_at((1 + source.below(256)).min(rest.len()));
        rest = behind;
        match reader.push_bytes(piece) {
            Ok(more) => deltas.extend(more),
            Err(_) => break,
        }
    }
    let shown = || format!("{provider}\n{}", String::from_utf8_lossy(&body));
    match reader.finish() {
        Ok(reply) => {
            holds(&reply, &deltas).map_err(|fault| format!("{fault}\n{}", shown()))?;
            if is_plain {
                means(&reply.message, &pieces).map_err(|fault| format!("{fault}\n{}", shown()))?;
            }
            Ok(())
        }
        Err(error) => check(!is_plain, || format!("{error}\n{}", shown())),
    }
}

fn pieces(source: &mut Source<'_>) -> Vec<Piece> {
    let mut number = 0;
    let mut words = |source: &mut Source<'_>, mark: &str| {
        let mut word = || {
            number += 1;
            format!("{mark}{number} ")
        };
        (0..=source.below(4)).map(|_| word()).collect::<Vec<_>>()
    };
    let mut piece = |source: &mut Source<'_>| match source.below(6) {
        0 => Piece::Thinking(words(source, "h")),
        1 | 2 => Piece::Text(words(source, "t")),
        _ => {
            let name = ["read_file", "look", "f"][source.below(3)];
            if source.chance(15) {
                return Piece::Call(name, Vec::new());
            }
            let value = words(source, "a").concat();
            let text = json!({ "at": value, "deep": { "n": 1 } }).to_string();
            Piece::Call(name, cut(source, &text))
        }
    };
    (0..=source.below(6)).map(|_| piece(source)).collect()
}

/// A text in a few pieces.
fn cut(source: &mut Source<'_>, text: &str) -> Vec<String> {
    let mut rest = text;
    let mut pieces = Vec::new();
    while !rest.is_empty() {
        let (piece, behind) = rest.split_at((1 + source.below(30)).min(rest.len()));
        pieces.push(piece.to_owned());
        rest = behind;
    }
    pieces
}

/// Something that happens to events on their way.
fn mishap(source: &mut Source<'_>, events: &mut Vec<Value>) {
    if events.is_empty() {
        return;
    }
    let at = source.below(events.len().min(256));
    match source.below(5) {
        0 => drop(events.remove(at)),
        1 => events.insert(at, events[at].clone()),
        2 => {
            let other = source.below(events.len().min(256));
            events.swap(at, other);
        }
        3 => renumber(&mut events[at], source.below(4)),
        _ => {
            let from = source.below(events.len().min(256));
            events[from..].rotate_left(1);
        }
    }
}

fn renumber(value: &mut Value, number: usize) {
    match value {
        Value::Object(map) => {
            for (key, value) in map {
                if key.ends_with("index") {
                    *value = number.into();
                } else {
                    renumber(value, number);
                }
            }
        }
        Value::Array(list) => list.iter_mut().for_each(|value| renumber(value, number)),
        _ => {}
    }
}

// ---- the formats, each in the ways of several servers; and whether all of it can be understood

fn chat(source: &mut Source<'_>, pieces: &[Piece]) -> (Vec<Value>, bool) {
    let numbers = source.below(4);
    let (has_ids, says_ids) = (source.chance(50), source.chance(30));
    let names = source.below(3);
    let begins_empty = source.chance(50);
    let field = ["reasoning_content", "reasoning"][source.below(2)];
    let event = |delta: Value| json!({ "choices": [{ "index": 0, "delta": delta }] });
    let mut events = vec![event(json!({ "role": "assistant", "content": "" }))];
    let (mut calls, mut counted) = (0, 0);
    for piece in pieces {
        let Piece::Call(name, arguments) = piece else {
            events.extend(match piece {
                Piece::Text(words) => said("content", words, &event),
                Piece::Thinking(words) => said(field, words, &event),
                Piece::Call(..) => Vec::new(),
            });
            continue;
        };
        let mut functions = Vec::new();
        if names == 1 && name.len() > 1 {
            let (head, tail) = name.split_at(name.len() / 2);
            functions.push(json!({ "name": head }));
            functions.push(json!({ "name": tail }));
        } else if begins_empty || arguments.is_empty() {
            functions.push(json!({ "name": name, "arguments": "" }));
        }
        for text in arguments {
            let mut function = json!({ "arguments": text });
            if names == 2 || functions.is_empty() {
                function["name"] = (*name).into();
            }
            functions.push(function);
        }
        for (at, function) in functions.into_iter().enumerate() {
            let mut call = json!({ "function": function });
            match numbers {
                0 => call["index"] = calls.into(),
                1 => call["index"] = 0.into(),
                2 => call["index"] = counted.into(),
                _ => {}
            }
            counted += 1;
            if has_ids && (at == 0 || says_ids) {
                call["id"] = format!("id_{calls}").into();
            }
            events.push(event(json!({ "tool_calls": [call] })));
        }
        calls += 1;
    }
    let end = json!({ "choices": [{ "index": 0, "delta": {}, "finish_reason": "stop" }] });
    events.push(end);
    let has_numbers = numbers == 0;
    let counts = numbers == 2;
    let is_empty =
        |piece: &Piece| matches!(piece, Piece::Call(_, arguments) if arguments.is_empty());
    let is_plain = has_numbers
        || (!(counts && names > 0) && (has_ids || counts || !pieces.iter().any(is_empty)));
    (events, is_plain)
}

/// One event for each word.
fn said(field: &str, words: &[String], event: &dyn Fn(Value) -> Value) -> Vec<Value> {
    let say = |word: &String| event(json!({ field: word }));
    words.iter().map(say).collect()
}

fn anthropic(source: &mut Source<'_>, pieces: &[Piece]) -> (Vec<Value>, bool) {
    let (is_numbered, begins, stops) = (source.chance(60), source.chance(70), source.chance(70));
    let is_whole = source.chance(30);
    let mut events = vec![
        json!({ "type": "message_start", "message": { "id": "m", "role": "assistant", "content": [], "usage": {} } }),
    ];
    for (number, piece) in pieces.iter().enumerate() {
        let index = if is_numbered { number } else { 0 };
        let begin = |block: Value| json!({ "type": "content_block_start", "index": index, "content_block": block });
        let delta =
            |delta: Value| json!({ "type": "content_block_delta", "index": index, "delta": delta });
        match piece {
            Piece::Text(words) => {
                events.extend(begins.then(|| begin(json!({ "type": "text", "text": "" }))));
                let say = |word: &String| delta(json!({ "type": "text_delta", "text": word }));
                events.extend(words.iter().map(say));
            }
            Piece::Thinking(words) => {
                let block = json!({ "type": "thinking", "thinking": "", "signature": "" });
                events.extend(begins.then(|| begin(block)));
                let say =
                    |word: &String| delta(json!({ "type": "thinking_delta", "thinking": word }));
                events.extend(words.iter().map(say));
            }
            Piece::Call(name, arguments) => {
                let text = arguments.concat();
                let input = serde_json::from_str(&text).ok().filter(|_| is_whole);
                let input: Value = input.unwrap_or(json!({}));
                let block = json!({ "type": "tool_use", "id": format!("id_{number}"), "name": name, "input": input });
                events.push(begin(block));
                if !is_whole {
                    let say = |text: &String| {
                        delta(json!({ "type": "input_json_delta", "partial_json": text }))
                    };
                    events.extend(arguments.iter().map(say));
                }
            }
        }
        events.extend(stops.then(|| json!({ "type": "content_block_stop", "index": index })));
    }
    events.push(
        json!({ "type": "message_delta", "delta": { "stop_reason": "end_turn" }, "usage": {} }),
    );
    events.push(json!({ "type": "message_stop" }));
    (events, true)
}

fn responses(source: &mut Source<'_>, pieces: &[Piece]) -> (Vec<Value>, bool) {
    let (is_numbered, adds, does) = (source.chance(70), source.chance(70), source.chance(70));
    let (has_deltas, is_bare) = (source.chance(80), source.chance(40));
    let mut events =
        vec![json!({ "type": "response.created", "response": { "id": "r", "output": [] } })];
    let mut output = Vec::new();
    for (number, piece) in pieces.iter().enumerate() {
        let event = |kind: &str, key: &str, value: Value| {
            let mut event = json!({ "type": format!("response.{kind}"), key: value });
            if is_numbered {
                event["output_index"] = number.into();
            }
            event
        };
        let (item, begun, kind, words) = match piece {
            Piece::Text(words) => {
                let item = |content: Value| json!({ "type": "message", "id": format!("m{number}"), "role": "assistant", "content": content });
                let whole = item(
                    json!([{ "type": "output_text", "text": words.concat(), "annotations": [] }]),
                );
                (whole, item(json!([])), "output_text.delta", words)
            }
            Piece::Thinking(words) => {
                let item = |summary: Value| json!({ "type": "reasoning", "id": format!("r{number}"), "summary": summary });
                let whole = item(json!([{ "type": "summary_text", "text": words.concat() }]));
                (
                    whole,
                    item(json!([])),
                    "reasoning_summary_text.delta",
                    words,
                )
            }
            Piece::Call(name, arguments) => {
                let item = |arguments: String| json!({ "type": "function_call", "call_id": format!("id_{number}"), "name": name, "arguments": arguments });
                (
                    item(arguments.concat()),
                    item(String::new()),
                    "function_call_arguments.delta",
                    arguments,
                )
            }
        };
        if adds {
            events.push(event("output_item.added", "item", begun));
        }
        if has_deltas {
            events.extend(
                words
                    .iter()
                    .map(|word| event(kind, "delta", word.as_str().into())),
            );
        }
        if does {
            events.push(event("output_item.done", "item", item.clone()));
        }
        output.push(item);
    }
    let output = if is_bare { json!([]) } else { json!(output) };
    events.push(json!({ "type": "response.completed", "response": { "id": "r", "status": "completed", "output": output } }));
    // Who neither numbers nor parts items cannot be told what belongs to which.
    let is_plain = does || (!is_bare && (is_numbered || adds));
    (events, is_plain)
}

fn gemini(source: &mut Source<'_>, pieces: &[Piece]) -> (Vec<Value>, bool) {
    let (in_pieces, has_ids) = (source.chance(40), source.chance(50));
    let event = |part: Value| json!({ "candidates": [{ "content": { "role": "model", "parts": [part] } }] });
    let mut events = Vec::new();
    for (number, piece) in pieces.iter().enumerate() {
        match piece {
            Piece::Text(words) => events.extend(said("text", words, &event)),
            Piece::Thinking(words) => {
                let say = |word: &String| event(json!({ "text": word, "thought": true }));
                events.extend(words.iter().map(say));
            }
            Piece::Call(name, arguments) => {
                let text = arguments.concat();
                let args: Value = serde_json::from_str(&text).unwrap_or(json!({}));
                let mut call = json!({ "name": name });
                if has_ids {
                    call["id"] = format!("id_{number}").into();
                }
                let mut say = |call: Value| events.push(event(json!({ "functionCall": call })));
                if !in_pieces || arguments.is_empty() {
                    call["args"] = args;
                    say(call);
                    continue;
                }
                call["willContinue"] = true.into();
                say(call);
                for word in args["at"].as_str().unwrap_or_default().split_inclusive(' ') {
                    let piece = json!({ "jsonPath": "$.at", "stringValue": word });
                    say(json!({ "partialArgs": [piece], "willContinue": true }));
                }
                say(json!({ "partialArgs": [{ "jsonPath": "$.deep.n", "numberValue": 1 }] }));
            }
        }
    }
    events.push(json!({ "candidates": [{ "content": { "parts": [] }, "finishReason": "STOP" }] }));
    (events, true)
}

fn ollama(source: &mut Source<'_>, pieces: &[Piece]) -> (Vec<Value>, bool) {
    let numbers = source.below(3);
    let event = |message: Value| {
        let mut message = message;
        message["role"] = "assistant".into();
        json!({ "message": message, "done": false })
    };
    let mut events = Vec::new();
    for piece in pieces {
        match piece {
            Piece::Text(words) => events.extend(said("content", words, &event)),
            Piece::Thinking(words) => events.extend(said("thinking", words, &event)),
            Piece::Call(name, arguments) => {
                let args: Value = serde_json::from_str(&arguments.concat()).unwrap_or(json!({}));
                let mut call = json!({ "function": { "name": name, "arguments": args } });
                if numbers > 0 {
                    call["index"] = (numbers - 1).into();
                }
                events.push(event(json!({ "content": "", "tool_calls": [call] })));
            }
        }
    }
    events.push(json!({ "message": { "role": "assistant", "content": "" }, "done": true, "done_reason": "stop" }));
    (events, true)
}

// ---- the laws

/// How often each of our words occurs.
fn words(text: &str, mark: char) -> BTreeMap<String, usize> {
    let is_part = |c: char| c.is_ascii_alphanumeric();
    let mut words = BTreeMap::new();
    for word in text.split(|c| !is_part(c)) {
        let number = word.strip_prefix(mark).unwrap_or_default();
        if !number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit()) {
            *words.entry(word.to_owned()).or_default() += 1;
        }
    }
    words
}

/// The arguments of a call, however they are written.
fn arguments(text: &str) -> Value {
    match serde_json::from_str(text) {
        Ok(value @ Value::Object(_)) => value,
        _ if text.trim().is_empty() => json!({}),
        _ => text.into(),
    }
}

fn sorted(mut calls: Vec<Called>) -> Vec<Called> {
    calls.sort_by_key(|(name, arguments)| (name.clone(), arguments.to_string()));
    calls
}

fn called(message: &Message) -> Vec<Called> {
    let call = |call: prompt_core::ToolCall| match call.arguments {
        Value::String(text) => (call.name, arguments(&text)),
        object => (call.name, object),
    };
    sorted(message.tool_calls().map(call).collect())
}

fn text_of(message: &Message) -> String {
    let texts = message.content.iter().filter_map(Content::as_text);
    texts.collect::<Vec<_>>().join(" ")
}

/// What the deltas said is what the message holds.
fn holds(reply: &Reply, deltas: &[Delta]) -> Result<(), String> {
    let (mut text, mut thinking, mut calls) = (String::new(), String::new(), BTreeMap::new());
    for delta in deltas {
        match delta {
            Delta::Text(piece) => text.push_str(piece),
            Delta::Thinking(piece) => thinking.push_str(piece),
            Delta::Call { index, name, .. } => {
                calls.insert(*index, (name.clone(), String::new()));
            }
            Delta::Arguments { index, text } => {
                let call = calls.get_mut(index).ok_or("arguments of no call")?;
                call.1.push_str(text);
            }
            _ => {}
        }
    }
    let message = &reply.message;
    let (told, held) = (words(&text, 't'), words(&text_of(message), 't'));
    check(told == held, || format!("told {told:?}, holds {held:?}"))?;
    let written = serde_json::to_string(message).map_err(|error| error.to_string())?;
    let (told, held) = (words(&thinking, 'h'), words(&written, 'h'));
    let is_held = |(word, count): (&String, &usize)| held.get(word) >= Some(count);
    check(told.iter().all(is_held), || {
        format!("thought {told:?}, holds {held:?}")
    })?;
    let told = calls.into_values();
    let told = sorted(told.map(|(name, text)| (name, arguments(&text))).collect());
    let held = called(message);
    check(told == held, || format!("called {told:?}, holds {held:?}"))
}

/// The message holds what the server meant.
fn means(message: &Message, pieces: &[Piece]) -> Result<(), String> {
    let (mut text, mut calls) = (String::new(), Vec::new());
    for piece in pieces {
        match piece {
            Piece::Text(words) => text.push_str(&words.concat()),
            Piece::Thinking(_) => {}
            Piece::Call(name, pieces) => {
                calls.push(((*name).to_owned(), arguments(&pieces.concat())));
            }
        }
    }
    let (meant, held) = (words(&text, 't'), words(&text_of(message), 't'));
    check(meant == held, || format!("meant {meant:?}, holds {held:?}"))?;
    let (meant, held) = (sorted(calls), called(message));
    check(meant == held, || {
        format!("meant to call {meant:?}, holds {held:?}")
    })
}
