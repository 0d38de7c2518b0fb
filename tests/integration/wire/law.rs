//! Nothing that a provider sends is lost: whatever its SDK's types allow, and fields that nobody knows yet, go back where
//! they came from, whole or streamed, saved or not. `fixtures/wire/types.json` has the types; `sdk/schemas.py` writes it
//! from openai 3.54.0, anthropic 2.12.0, google-genai 3.4.0, ollama 0.6.3 and mcp 2.3.0.

use prompt_agent::wire::{Provider, RequestOptions, mcp, openai_responses};
use prompt_core::Message;
use proptest::prelude::*;
use serde_json::{Map, Value, json};
use std::sync::LazyLock;

static TYPES: LazyLock<Value> =
    LazyLock::new(|| serde_json::from_str(include_str!("../../fixtures/wire/types.json")).unwrap());

/// Values of a type. Every text is another one, so that a lost one is found by its name.
struct Maker {
    seed: u64,
    made: usize,
}

impl Maker {
    fn draw(&mut self, below: usize) -> usize {
        // splitmix64, by Steele, Lea and Flood.
        self.seed = self.seed.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (self.seed ^ (self.seed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        usize::try_from((mixed ^ (mixed >> 31)) % below as u64).unwrap()
    }

    fn text(&mut self) -> Value {
        self.made += 1;
        json!(format!("t{}", self.made))
    }

    fn value(&mut self, of: &Value) -> Value {
        match of.as_str() {
            Some("string") => return self.text(),
            Some("integer") => return json!(self.draw(1000)),
            Some("number") => return json!(self.draw(1000) as f64 / 8.0),
            Some("boolean") => return json!(self.draw(2) == 0),
            Some(_) => {
                return [json!({ "any": self.text() }), json!([self.text(), 1, null])]
                    [self.draw(2)]
                .clone();
            }
            None => {}
        }
        let list = |key: &str| of[key].as_array().filter(|list| !list.is_empty());
        if let Some(values) = list("one") {
            return values[self.draw(values.len())].clone();
        }
        if let Some(types) = list("any_of") {
            let kind = self.draw(types.len());
            return self.value(&types[kind]);
        }
        if let Some(inner) = of.get("list") {
            return (0..self.draw(3)).map(|_| self.value(inner)).collect();
        }
        if let Some(inner) = of.get("map") {
            let mut pair = |key: &str| (key.to_owned(), self.value(inner));
            return Value::Object(Map::from_iter([pair("a"), pair("b c")]));
        }
        let optional = list("optional").cloned().unwrap_or_default();
        let mut fields = Map::new();
        for (name, inner) in of["fields"].as_object().into_iter().flatten() {
            if !optional.contains(&json!(name)) || self.draw(2) == 0 {
                fields.insert(name.clone(), self.value(inner));
            }
        }
        if self.draw(6) == 0 {
            let unknown = self.value(&json!("any"));
            fields.insert("not_yet_known".into(), unknown);
        }
        Value::Object(fields)
    }

    fn pieces(&mut self, of: &Value) -> Vec<Value> {
        (0..=self.draw(4)).map(|_| self.value(of)).collect()
    }
}

/// A part of Gemini's has one kind of data, with a name if it is a call; the type of the SDK has all of them.
fn part(maker: &mut Maker) -> Value {
    const DATA: [&str; 9] = [
        "codeExecutionResult",
        "executableCode",
        "fileData",
        "functionCall",
        "functionResponse",
        "inlineData",
        "text",
        "toolCall",
        "toolResponse",
    ];
    let mut part = maker.value(&TYPES["gemini"]);
    let kind = DATA[maker.draw(DATA.len())];
    let fields = &TYPES["gemini"]["fields"];
    let map = part.as_object_mut().unwrap();
    map.retain(|key, _| !DATA.contains(&key.as_str()));
    let mut data = maker.value(&fields[kind]);
    for key in ["inlineData", "fileData"] {
        if kind == key && maker.draw(2) == 0 {
            data["mimeType"] = json!("image/png");
        }
    }
    if kind == "functionCall" {
        data["name"] = maker.text();
        // A call that comes in pieces is another matter.
        let call = data.as_object_mut().unwrap();
        call.retain(|key, _| key != "partialArgs" && key != "willContinue");
    }
    map.insert(kind.into(), data);
    part
}

/// The body of a whole answer, and the place of what the model said in it.
fn answer(provider: Provider, maker: &mut Maker) -> (Value, Value) {
    let of = &TYPES[provider.as_str()];
    match provider {
        Provider::Anthropic => {
            let mut content = maker.pieces(of);
            for block in &mut content {
                // What is no text for the provider is none that it sends.
                if block["type"] == "thinking" && block["signature"] == "" {
                    block["signature"] = maker.text();
                }
            }
            let content = Value::from(content);
            (
                json!({ "role": "assistant", "content": content, "stop_reason": "end_turn" }),
                content,
            )
        }
        Provider::OpenAiResponses => {
            let output = Value::from(maker.pieces(of));
            (json!({ "status": "completed", "output": output }), output)
        }
        Provider::Gemini => {
            let mut parts: Vec<Value> = (0..=maker.draw(4)).map(|_| part(maker)).collect();
            // Neighbouring texts are one.
            let plain = |part: &Value| {
                part["text"].is_string()
                    && part
                        .as_object()
                        .unwrap()
                        .keys()
                        .all(|key| key == "text" || key == "thought")
            };
            parts.dedup_by(|after, before| plain(after) && plain(before));
            let parts = Value::from(parts);
            let content = json!({ "role": "model", "parts": parts });
            (
                json!({ "candidates": [{ "content": content, "finishReason": "STOP" }] }),
                parts,
            )
        }
        Provider::OpenAiChat => {
            let mut message = maker.value(of);
            let more = [
                ("reasoning_content", json!("string")),
                (
                    "reasoning_details",
                    json!({ "list": { "fields": { "type": "string", "data": "string" } } }),
                ),
                ("thinking_blocks", json!({ "list": { "map": "string" } })),
                ("images", json!({ "list": { "map": { "map": "string" } } })),
                ("extra_content", json!({ "map": "any" })),
            ];
            // What servers add that speak this format (OpenRouter, LiteLLM, Google's).
            for (name, of) in more {
                if maker.draw(3) == 0 {
                    message[name] = maker.value(&of);
                }
            }
            for call in message["tool_calls"].as_array_mut().into_iter().flatten() {
                if maker.draw(2) == 0 {
                    call["extra_content"] =
                        json!({ "google": { "thought_signature": maker.text() } });
                }
            }
            (
                json!({ "choices": [{ "message": message, "finish_reason": "stop" }] }),
                message,
            )
        }
        _ => {
            let mut message = maker.value(of);
            for call in message["tool_calls"].as_array_mut().into_iter().flatten() {
                if maker.draw(2) == 0 {
                    call["id"] = maker.text();
                }
            }
            (
                json!({ "message": message, "done": true, "done_reason": "stop" }),
                message,
            )
        }
    }
}

/// A text in two.
fn halves(text: &Value) -> [String; 2] {
    let (head, tail) = text
        .as_str()
        .unwrap_or_default()
        .split_at(text.as_str().map_or(0, |text| text.len() / 2));
    [head.to_owned(), tail.to_owned()]
}

/// The events that bring an answer.
fn events(provider: Provider, body: &Value) -> Vec<Value> {
    let list = |value: &Value| value.as_array().cloned().unwrap_or_default();
    match provider {
        Provider::Anthropic => {
            let mut events = vec![json!({ "type": "message_start", "message": { "content": [] } })];
            for (index, mut block) in list(&body["content"]).into_iter().enumerate() {
                let mut deltas = Vec::new();
                for (kind, key) in [("text", "text"), ("thinking", "thinking")] {
                    if block["type"] == kind {
                        for half in halves(&block[key].take()) {
                            deltas.push(json!({ "type": format!("{kind}_delta"), key: half }));
                        }
                        block[key] = json!("");
                    }
                }
                if block["type"] == "thinking" {
                    deltas.push(json!({ "type": "signature_delta", "signature": block["signature"].take() }));
                    block["signature"] = json!("");
                }
                if block["type"] == "text" && block.get("citations").is_some() {
                    let citations = list(&block["citations"].take());
                    block["citations"] = json!([]);
                    deltas.extend(citations.into_iter().map(
                        |citation| json!({ "type": "citations_delta", "citation": citation }),
                    ));
                }
                if block["type"] == "compaction" {
                    let mut delta = block.clone();
                    delta["type"] = json!("compaction_delta");
                    deltas.push(delta);
                    block = json!({ "type": "compaction" });
                }
                if block["input"].is_object() {
                    let input = json!(block["input"].take().to_string());
                    block["input"] = json!({});
                    deltas.extend(
                        halves(&input).map(
                            |half| json!({ "type": "input_json_delta", "partial_json": half }),
                        ),
                    );
                }
                events.push(json!({ "type": "content_block_start", "index": index, "content_block": block }));
                events.extend(deltas.into_iter().map(|delta| json!({ "type": "content_block_delta", "index": index, "delta": delta })));
            }
            events.push(
                json!({ "type": "message_delta", "delta": { "stop_reason": body["stop_reason"] } }),
            );
            events.push(json!({ "type": "message_stop" }));
            events
        }
        Provider::OpenAiResponses => {
            let items = list(&body["output"]).into_iter().enumerate();
            let mut events: Vec<Value> = items
                .map(|(at, item)| json!({ "type": "response.output_item.done", "output_index": at, "item": item }))
                .collect();
            events.push(json!({ "type": "response.completed", "response": { "status": "completed", "output": [] } }));
            events
        }
        Provider::Gemini => {
            let parts = list(&body["candidates"][0]["content"]["parts"]);
            let chunk = |part: Value| json!({ "candidates": [{ "content": { "parts": [part] } }] });
            let mut events: Vec<Value> = parts.into_iter().map(chunk).collect();
            events.push(json!({ "candidates": [{ "finishReason": "STOP" }] }));
            events
        }
        Provider::OpenAiChat => {
            let mut message = body["choices"][0]["message"].clone();
            let mut deltas = Vec::new();
            for key in ["content", "refusal", "reasoning_content"] {
                if let Some(text) = message.as_object_mut().unwrap().shift_remove(key) {
                    deltas.extend(halves(&text).map(|half| json!({ key: half })));
                }
            }
            let calls = message.as_object_mut().unwrap().shift_remove("tool_calls");
            for (index, mut call) in list(&calls.unwrap_or_default()).into_iter().enumerate() {
                let kind = call["type"].as_str().unwrap().to_owned();
                let field = if kind == "custom" {
                    "input"
                } else {
                    "arguments"
                };
                let [head, tail] = halves(&call[&kind][field].take());
                call["index"] = json!(index);
                call[&kind][field] = json!(head);
                deltas.push(json!({ "tool_calls": [call] }));
                deltas.push(json!({ "tool_calls": [{ "index": index, &kind: { field: tail } }] }));
            }
            deltas.push(message);
            let chunk = |delta: Value| json!({ "choices": [{ "index": 0, "delta": delta }] });
            let mut events: Vec<Value> = deltas.into_iter().map(chunk).collect();
            events
                .push(json!({ "choices": [{ "index": 0, "delta": {}, "finish_reason": "stop" }] }));
            events
        }
        _ => {
            let mut message = body["message"].clone();
            let mut events = Vec::new();
            for key in ["thinking", "content"] {
                if let Some(text) = message.as_object_mut().unwrap().shift_remove(key) {
                    events.extend(
                        halves(&text)
                            .map(|half| json!({ "message": { key: half }, "done": false })),
                    );
                }
            }
            events.push(json!({ "message": message, "done": false }));
            events.push(json!({ "done": true, "done_reason": "stop" }));
            events
        }
    }
}

/// The first place at which `sent` has not what `came`; null and what is empty have no leaves. Arguments that are JSON in a text may be
/// written in another way.
fn lost(sent: &Value, came: &Value, at: &str) -> Option<String> {
    match (sent, came) {
        (_, Value::Null) => None,
        (_, came) if *came == json!([]) || *came == json!({}) => None,
        (Value::Object(sent), Value::Object(came)) => came.iter().find_map(|(key, inner)| {
            lost(
                sent.get(key).unwrap_or(&Value::Null),
                inner,
                &format!("{at}/{key}"),
            )
        }),
        (Value::Array(sent), Value::Array(came)) if sent.len() == came.len() => {
            let mut pairs = sent.iter().zip(came).enumerate();
            pairs.find_map(|(n, (sent, came))| lost(sent, came, &format!("{at}/{n}")))
        }
        _ => (sent != came).then(|| format!("{at}: {came} came, {sent} is sent")),
    }
}

/// The next request with what the model said, as it was saved.
fn sent_back(provider: Provider, message: &Message) -> Value {
    let saved = serde_json::to_string(message).unwrap();
    let log = [
        Message::user("Well?"),
        serde_json::from_str(&saved).unwrap(),
    ];
    let shared = RequestOptions::new("m");
    let body = match provider {
        // Reasoning without its content is of use only where the provider keeps it.
        Provider::OpenAiResponses => {
            openai_responses::request(&log, &[], &shared.clone().store(true))
        }
        _ => provider.request(&log, &[], &shared),
    };
    let body = body.unwrap();
    match provider {
        Provider::Anthropic => body["messages"]
            .get(1)
            .map(|message| message["content"].clone())
            .unwrap_or_default(),
        Provider::OpenAiResponses => json!(body["input"].as_array().unwrap()[1..]),
        Provider::Gemini => body["contents"]
            .get(1)
            .map(|content| content["parts"].clone())
            .unwrap_or_default(),
        _ => body["messages"][1].clone(),
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: prompt_tests::random_cases(400), failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn every_leaf_of_a_reply_is_in_the_next_request(seed in any::<u64>()) {
        for provider in Provider::ALL {
            let (body, came) = answer(*provider, &mut Maker { seed, made: 0 });
            let whole = provider.reply(&body).unwrap();
            let sent = sent_back(*provider, &whole.message);
            prop_assert_eq!(lost(&sent, &came, ""), None, "{}: {:#}", provider, sent);
            prop_assert_eq!(&whole.raw, &body);

            let mut reader = provider.stream();
            for event in events(*provider, &body) {
                reader.push(&event).unwrap();
            }
            let streamed = reader.finish().unwrap();
            let sent = sent_back(*provider, &streamed.message);
            prop_assert_eq!(lost(&sent, &came, ""), None, "{} streamed: {:#}", provider, sent);
            prop_assert_eq!(streamed, whole, "{}", provider);
        }
    }

    #[test]
    fn every_leaf_of_a_prompt_is_in_the_prompt_again(seed in any::<u64>()) {
        let mut maker = Maker { seed, made: 0 };
        let blocks = maker.pieces(&TYPES["mcp"]);
        let came: Value = blocks.into_iter().map(|block| json!({ "role": "user", "content": block })).collect();
        let messages = mcp::messages(&came).unwrap();
        let sent = mcp::prompts_get("", &messages, &mcp::McpOptions::new()).unwrap();
        prop_assert_eq!(lost(&sent["messages"], &came, ""), None, "{:#}", sent);
    }
}
