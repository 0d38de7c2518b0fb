//! What can be said of an answer that is still being written.

use prompt_agent::answer::{Answer, Partial};
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
