//! What can be said of an answer that is still being written.

use prompt_agent::Conversation;
use prompt_agent::answer::{Answer, AnswerMode, Partial, Shown};
use prompt_agent::testing::Script;
use prompt_agent::wire::{Delta, Provider, RequestOptions};
use prompt_core::{ToolResult, ToolSpec};
use serde_json::{Value, json};
use std::time::{Duration, Instant};

/// Whether a value is what another one may still become.
fn is_prefix(early: &Value, late: &Value) -> bool {
    match (early, late) {
        (Value::String(early), Value::String(late)) => late.starts_with(early.as_str()),
        (Value::Array(early), Value::Array(late)) => {
            early.len() <= late.len()
                && early
                    .iter()
                    .zip(late)
                    .all(|(early, late)| is_prefix(early, late))
        }
        (Value::Object(early), Value::Object(late)) => early
            .iter()
            .all(|(key, early)| late.get(key).is_some_and(|late| is_prefix(early, late))),
        (early, late) => early == late,
    }
}

#[test]
fn every_value_is_a_prefix_of_the_final_one() {
    let value = json!({
        "name": "caf\u{e9} \"quoted\" \u{1f600} \\ \n end", "list": [1, -2.5e3, true, null, [], {}, [["x"]]],
        "deep": { "a": { "b": [{ "c": "d" }, {}] } }, "empty": "", "word": "true"
    });
    let texts = [
        value.to_string(),
        format!("{value:#}"),
        format!("Here it is:\n```json\n{value:#}\n```\nDone {{so}}."),
        format!("<think>So {{\"name\": \"draft\"}}, or [1]?</think>{value}"),
        format!("<Reasoning>\n{{\"name\": \"</reasoning>\n\n{value:#}"),
        format!("[THINK]\"x\"[/THINK]\n{value} <thin"),
        format!("<think>a</think><scratchpad>{{}}</scratchpad>```\n{value}\n```"),
        value
            .to_string()
            .replace('\u{1f600}', "\\ud83d\\ude00")
            .replace('\u{e9}', "\\u00e9"),
    ];
    for text in texts {
        let mut partial = Partial::new();
        let mut before = None;
        for c in text.chars() {
            partial.push(c.encode_utf8(&mut [0; 4]));
            let now = partial.value();
            if let Some(now) = &now {
                assert!(is_prefix(now, &value), "{now}");
                assert!(
                    before.as_ref().is_none_or(|before| is_prefix(before, now)),
                    "{now}"
                );
            }
            before = now;
        }
        assert_eq!(before, Some(value.clone()));
        // However it is cut.
        for size in [2, 3, 7, 50, 10_000] {
            let mut partial = Partial::default();
            let chars: Vec<char> = text.chars().collect();
            for piece in chars.chunks(size) {
                partial.push(&piece.iter().collect::<String>());
            }
            assert_eq!(partial.value(), Some(value.clone()), "{size}");
        }
    }
}

#[test]
fn nothing_is_shown_of_reasoning() {
    let answer = Answer::<Value>::new();
    for (text, wanted) in [
        ("<think>{\"a\": 1}", None),
        ("<think>{\"a\": 1}</thi", None),
        ("<THOUGHT>{\"a\": 1}</THOUGHT> So", None),
        (
            "<think>{\"a\": 1}</think>\n{\"b\": \"Gu",
            Some(json!({ "b": "Gu" })),
        ),
        ("<think>{\"a\": 1}</think>\"Gu", Some(json!("Gu"))),
        // Of a draft without an opening tag nobody knows until it ends.
        ("So {\"a\": 1}", Some(json!({ "a": 1 }))),
        ("So {\"a\": 1}</think>", None),
        ("So {\"a\": [1, </think>\n{\"b\":", Some(json!({}))),
        ("{\"a\": 1}</think>{\"b\": 2}", Some(json!({ "b": 2 }))),
        // In the answer a tag is text.
        (
            "{\"a\": \"</think>\", \"b\": 2",
            Some(json!({ "a": "</think>" })),
        ),
        ("{\"a\": 1} <b>and</b> [x]", Some(json!({ "a": 1 }))),
        ("{\"a\": 1} <think>right?", Some(json!({ "a": 1 }))),
    ] {
        assert_eq!(answer.partial(text), wanted, "{text}");
        let mut partial = Partial::new();
        for c in text.chars() {
            partial.push(c.encode_utf8(&mut [0; 4]));
        }
        assert_eq!(partial.value(), wanted, "{text}");
    }
}

#[test]
fn what_models_do_to_json_is_shown_too() {
    let answer = Answer::<Value>::new();
    for (text, wanted) in [
        ("{a: 'it", json!({ "a": "it" })),
        (
            "{\"a\": True, // so {far}\n \"b\": [1,",
            json!({ "a": true, "b": [1] }),
        ),
        ("{\"a\": 1, /* \"b\": 2", json!({ "a": 1 })),
        (
            "{\"a\": 1, /* \"b\": 2 */ \"c\": 3,}",
            json!({ "a": 1, "c": 3 }),
        ),
        ("{I think} {\"a\": 1}", json!({ "a": 1 })),
        ("{\"a\": tru", json!({})),
        ("{\"a\": \"x\\ud83d", json!({ "a": "x" })),
        ("\"The ans", json!("The ans")),
        ("[1", json!([])),
    ] {
        assert_eq!(answer.partial(text), Some(wanted), "{text}");
    }
    assert_eq!(Answer::<Vec<u8>>::new().partial("As [1"), Some(json!([])));
    #[derive(serde::Deserialize, schemars::JsonSchema)]
    #[allow(dead_code)]
    struct Line {
        price: f64,
    }
    assert_eq!(
        Answer::<Line>::new().partial("As [1] says: {\"pr"),
        Some(json!({}))
    );
}

#[test]
fn a_stream_costs_what_it_is_long() {
    for piece in [
        "{\"a\":",
        "[",
        "1",
        "\"",
        "'x ",
        "a",
        "{/*",
        "//x",
        "[1,",
        "\\u00e9",
        "{\"k\": \"v\", ",
        "</think>",
        "<think>",
        "<thin",
        "{\"a\": 1}</",
    ] {
        let text = format!("{{\"a\": {}", piece.repeat(300_000 / piece.len()));
        let start = Instant::now();
        let mut partial = Partial::new();
        for c in text.chars() {
            partial.push(c.encode_utf8(&mut [0; 4]));
        }
        drop(partial.value());
        let took = start.elapsed();
        assert!(took < Duration::from_secs(60), "{took:?} {piece}");
    }
}

#[derive(Debug, PartialEq, serde::Deserialize, schemars::JsonSchema)]
struct Berth {
    name: String,
    depth: u8,
}

/// What a page shows that does what the events say.
fn page(screen: &mut Option<Value>, event: Option<Shown>) {
    match event {
        Some(Shown::Value(value)) => *screen = Some(value),
        Some(Shown::Withdrawn) => {
            assert!(screen.is_some(), "there is nothing to withdraw");
            *screen = None;
        }
        None => {}
    }
}

#[test]
fn what_was_shown_of_a_refused_answer_is_withdrawn() {
    let good = json!({ "name": "North \u{1f600}", "depth": 4 });
    let refused = json!({ "name": "South", "depth": 400 });
    for &provider in Provider::ALL {
        for mode in [AnswerMode::Provider, AnswerMode::Tool] {
            // It cannot be told that a tool must be called.
            if (provider, mode) == (Provider::Ollama, AnswerMode::Tool) {
                continue;
            }
            let answer = Answer::<Berth>::new().mode(mode);
            let options = RequestOptions::new("a-model").answer(&answer).stream(true);
            let script = Script::new().calls("look", json!({ "at": "{\"name\": 1}" }));
            let mut model = if mode == AnswerMode::Tool {
                script
                    .says("Let me see.")
                    .calls("answer", refused.clone())
                    .calls("answer", good.clone())
            } else {
                script
                    .says("Let me see.")
                    .says(refused.to_string())
                    .says(format!("Here:\n```json\n{good:#}\n```"))
            };
            let mut conversation = Conversation::default();
            conversation.begin("Where?");
            let (mut screen, mut withdrawn) = (None, 0);
            let accepted = loop {
                if let Some(call) = conversation.next_call() {
                    let result = ToolResult::ok(&call, "{\"name\": \"seen\"}");
                    conversation.push_results([result]).unwrap();
                    continue;
                }
                let prompt = conversation.prompt("You berth.").render().unwrap();
                let tools = [ToolSpec::closed("look", "Looks.").unwrap()];
                let body = provider
                    .request(&prompt.messages(), &tools, &options)
                    .unwrap();
                let response = model.respond(provider, &body);
                let reader = provider.stream();
                let mut reader = reader.response(response.status(), response.headers());
                let mut partial = answer.partial_stream();
                for bytes in response.pieces(7) {
                    for delta in reader.push_bytes(bytes).unwrap() {
                        page(&mut screen, partial.show(&delta));
                    }
                }
                let read = conversation.read(&answer, reader.finish().unwrap());
                let event = partial.settle(&read);
                if let Some(accepted) = read.unwrap() {
                    page(&mut screen, event);
                    break accepted.into_value();
                }
                withdrawn += usize::from(event.is_some());
                page(&mut screen, event);
                assert_eq!(screen, None, "{provider} {mode:?}");
                assert_eq!(partial.withdraw(), None);
            };
            assert_eq!(screen, Some(good.clone()), "{provider} {mode:?}");
            assert_eq!(accepted, serde_json::from_value(good.clone()).unwrap());
            assert_eq!(withdrawn, 1, "{provider} {mode:?}");
        }
    }
}

/// In the end a person sees the answer that the program has.
#[test]
fn the_last_word_for_a_person_is_the_accepted_answer() {
    let berth = |name: &str, depth: Value| json!({ "name": name, "depth": depth });
    let (south, north) = (berth("South", json!(2)), berth("North", json!("4")));
    let text = format!("First I thought {south}, but it is {north}");
    let two = |first: &Value| {
        Script::new()
            .calls("answer", first.clone())
            .and_calls("answer", north.clone())
    };
    for (mode, mut model) in [
        (AnswerMode::Prompt, Script::new().says(text)),
        (AnswerMode::Tool, two(&south)),
        (AnswerMode::Tool, two(&berth("?", json!("?")))),
    ] {
        let provider = Provider::Anthropic;
        let answer = Answer::<Berth>::new().mode(mode);
        let options = RequestOptions::new("a-model").answer(&answer).stream(true);
        let mut conversation = Conversation::default();
        conversation.begin("Where?");
        let prompt = conversation.prompt("You berth.").render().unwrap();
        let body = provider.request(&prompt.messages(), &[], &options).unwrap();
        let response = model.respond(provider, &body);
        let reader = provider.stream();
        let mut reader = reader.response(response.status(), response.headers());
        let (mut partial, mut screen) = (answer.partial_stream(), None);
        for delta in reader.push_bytes(response.body()).unwrap() {
            page(&mut screen, partial.show(&delta));
        }
        let read = conversation.read(&answer, reader.finish().unwrap());
        page(&mut screen, partial.settle(&read));
        assert_eq!(screen, Some(berth("North", json!(4))), "{mode:?}");
        let accepted = read.unwrap().unwrap();
        assert_eq!(Some(accepted.json()), screen.as_ref());
    }
    // Elsewhere a tool of that name is a tool.
    let mut partial = Answer::<Berth>::new().partial_stream();
    let (id, name) = ("1".to_owned(), "answer".to_owned());
    let text = "{\"mail\": \"Dear".to_owned();
    let deltas = [
        Delta::Call { index: 0, id, name },
        Delta::Arguments { index: 0, text },
    ];
    assert!(deltas.iter().all(|delta| partial.show(delta).is_none()));
}

#[test]
fn events_show_what_a_stream_has_said() {
    let text = "So {\"a\": 1}</think>\n{\"b\": \"Gut\", \"c\": [1, 2]}";
    let mut partial = Partial::new();
    let (mut plain, mut screen, mut events) = (Partial::new(), None, Vec::new());
    for c in text.chars() {
        let piece = c.to_string();
        plain.push(&piece);
        let event = partial.show(&Delta::Text(piece));
        events.extend(event.clone());
        page(&mut screen, event);
        assert_eq!(screen, plain.value());
    }
    // The draft went with its closing tag; nothing is told twice.
    assert!(events.contains(&Shown::Withdrawn));
    assert!(events.windows(2).all(|pair| pair[0] != pair[1]));
    let stored = serde_json::to_string(&events).unwrap();
    assert_eq!(serde_json::from_str::<Vec<Shown>>(&stored).unwrap(), events);
}
