//! Law of ids: in a request each call has an id of its own, and its result stands behind it under the same one; what was sent
//! stays as it was when more is said. Histories are put together by hand, and by a conversation with servers that repeat
//! their ids or give none.

use prompt_agent::Conversation;
use prompt_agent::wire::{Provider, RequestOptions};
use prompt_core::{Message, ToolCall, ToolResult};
use proptest::prelude::*;
use serde_json::{Value, json};
use std::collections::BTreeSet;

/// What is called and answered in one exchange: the ids of its calls, and whether one message has all results.
type Exchange = (Vec<&'static str>, bool);

fn exchanges() -> impl Strategy<Value = Vec<Exchange>> {
    let id = prop::sample::select(vec![
        "call_1", "call_2", "call_1_2", "call_1_3", "a:1", "a.1", "",
    ]);
    prop::collection::vec((prop::collection::vec(id, 1..5), any::<bool>()), 1..8)
}

/// A log in which each call has a number, which its result repeats.
fn log(exchanges: &[Exchange]) -> Vec<Message> {
    let mut log = vec![Message::user("Look.")];
    let mut number = 0;
    for (ids, together) in exchanges {
        let calls: Vec<ToolCall> = ids
            .iter()
            .map(|id| {
                number += 1;
                ToolCall::new(*id, "look", json!({ "n": number }))
            })
            .collect();
        log.push(Message::calls(calls.clone()));
        let results: Vec<ToolResult> = calls.iter().map(seen).collect();
        if *together {
            log.push(Message::tool(results));
        } else {
            log.extend(results.into_iter().map(Message::from));
        }
    }
    log
}

fn seen(call: &ToolCall) -> ToolResult {
    ToolResult::ok(call, format!("seen {}", call.arguments["n"]))
}

fn request(provider: Provider, log: &[Message]) -> Value {
    let options = RequestOptions::new("m").max_tokens(9).call_ids(true);
    provider.request(log, &[], &options).unwrap()
}

/// The calls and results of a body in their order: the id, and the number.
#[derive(Default)]
struct Found {
    calls: Vec<(String, u64)>,
    results: Vec<(String, u64)>,
}

impl Found {
    fn of(body: &Value) -> Self {
        let mut found = Self::default();
        found.read(body);
        found
    }

    fn read(&mut self, value: &Value) {
        let Value::Object(map) = value else {
            let list = value.as_array().into_iter().flatten();
            return list.for_each(|inner| self.read(inner));
        };
        let id = |key: &str| map.get(key).and_then(Value::as_str).map(str::to_owned);
        let arguments = ["arguments", "input", "args"]
            .iter()
            .find_map(|key| map.get(*key));
        let text = arguments
            .and_then(Value::as_str)
            .map(|text| serde_json::from_str(text).unwrap());
        let arguments: Option<Value> = text.or_else(|| arguments.cloned());
        let number = arguments.and_then(|arguments| arguments["n"].as_u64());
        let own = id("call_id").or_else(|| id("id"));
        if let Some(number) = number {
            self.calls.push((own.unwrap(), number));
            return;
        }
        // Chat Completions and Ollama have the call around the function.
        if let Some(function) = map
            .get("function")
            .filter(|function| function.get("arguments").is_some())
        {
            let mut inner = Self::default();
            let mut with_id = function.clone();
            with_id["id"] = json!(id("id").unwrap());
            inner.read(&with_id);
            return self.calls.append(&mut inner.calls);
        }
        let answered = id("tool_call_id").or_else(|| id("tool_use_id"));
        let is_answer = map.contains_key("output") || map.contains_key("response");
        if let Some(answered) = answered.or_else(|| own.filter(|_| is_answer)) {
            let words = value.to_string();
            let digits = words.split("seen ").nth(1).unwrap();
            let digits = digits.split(|c: char| !c.is_ascii_digit()).next().unwrap();
            return self.results.push((answered, digits.parse().unwrap()));
        }
        map.values().for_each(|inner| self.read(inner));
    }
}

fn check(provider: Provider, log: &[Message]) -> Result<(), TestCaseError> {
    let body = request(provider, log);
    let Found { calls, results } = Found::of(&body);
    let ids: BTreeSet<&str> = calls.iter().map(|(id, _)| id.as_str()).collect();
    prop_assert_eq!(ids.len(), calls.len(), "{}: {:?}", provider, calls);
    prop_assert_eq!(
        &calls,
        &results,
        "{}: each result behind its call",
        provider
    );
    let all: usize = log.iter().map(|message| message.tool_calls().count()).sum();
    prop_assert_eq!(calls.len(), all, "{}", provider);
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig { cases: prompt_tests::random_cases(600), failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn calls_of_a_request_have_ids_of_their_own(exchanges in exchanges()) {
        let log = log(&exchanges);
        for provider in Provider::ALL {
            check(*provider, &log)?;
            // What was sent once is sent again.
            let before = Found::of(&request(*provider, &log));
            for length in 1..exchanges.len() {
                let shorter = Found::of(&request(*provider, &self::log(&exchanges[..length])));
                prop_assert!(before.calls.starts_with(&shorter.calls), "{}", provider);
            }
        }
    }

    #[test]
    fn calls_of_a_conversation_have_ids_of_their_own(exchanges in exchanges(), saved in any::<u8>()) {
        let mut talk = Conversation::default();
        talk.begin("Look.");
        let mut number = 0;
        for (at, (ids, _)) in exchanges.iter().enumerate() {
            let calls = ids.iter().map(|id| {
                number += 1;
                ToolCall::new(*id, "look", json!({ "n": number }))
            });
            talk.push(Message::calls(calls));
            while let Some(call) = talk.next_call() {
                talk.push_results([seen(&call)]).unwrap();
            }
            if saved >> (at % 8) & 1 == 1 {
                let text = serde_json::to_string(&talk).unwrap();
                talk = serde_json::from_str(&text).unwrap();
            }
        }
        let log = talk.history().log();
        let calls: Vec<ToolCall> = log.iter().flat_map(Message::tool_calls).collect();
        let ids: BTreeSet<&str> = calls.iter().map(|call| call.id.as_str()).collect();
        prop_assert_eq!(ids.len(), calls.len());
        for provider in Provider::ALL {
            check(*provider, log)?;
        }
    }
}
