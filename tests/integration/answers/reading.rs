//! What is read from hostile and odd texts.

use prompt_agent::answer::{Answer, AnswerError, AnswerWording, Ending, FaultKind, Read};
use prompt_core::Message;
use schemars::JsonSchema;
use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::Value;
use std::collections::BTreeMap;
use std::fmt::Debug;
use std::time::{Duration, Instant};

#[derive(Debug, PartialEq, Deserialize, JsonSchema)]
struct Line {
    price: f64,
    #[serde(default)]
    note: String,
}

/// The value and its repairs, or the faults as `path kind`.
fn read<T: DeserializeOwned + JsonSchema>(text: &str) -> Result<(T, String), String> {
    read_by(&mut Answer::<T>::new(), text, Ending::Own)
}

fn read_by<T: DeserializeOwned + JsonSchema>(
    answer: &mut Answer<T>,
    text: &str,
    ending: Ending,
) -> Result<(T, String), String> {
    match answer.read_message(&Message::assistant(text), ending) {
        Ok(Read::Accepted(accepted)) => {
            let repairs: Vec<String> = accepted.repairs().iter().map(ToString::to_string).collect();
            Ok((accepted.into_value(), repairs.join(" ")))
        }
        Ok(Read::Again(_)) => Err(facts(answer)),
        Ok(Read::CutOff(message)) => Err(format!("cut off: {}", message.text())),
        Err(error) => Err(format!("error: {error}")),
    }
}

fn facts<T>(answer: &Answer<T>) -> String {
    let facts = answer.faults().iter();
    let facts: Vec<String> = facts
        .map(|fault| format!("{} {}", fault.path, fault.kind))
        .collect();
    facts.join(", ")
}

#[test]
fn valid_json_is_read_as_serde_json_reads_it() {
    for text in [
        "1e400",
        "12345678901234567890123",
        "-0",
        "1E5",
        "\"\\ud83d\\ude00\\u0000\"",
        "[[[[]]]]",
        "{\"a\":1,\"a\":2}",
        "{\"\":{\"~/\":[null,true]}}",
        " \u{feff}[1]",
        "\"a\u{7f}\u{2028}b\"",
        "0.1e-7",
        "18446744073709551615",
    ] {
        let ours = read::<Value>(text).map(|(value, _)| value);
        let theirs = serde_json::from_str::<Value>(text.trim_start_matches([' ', '\u{feff}']));
        assert_eq!(ours.as_ref().ok(), theirs.as_ref().ok(), "{text}: {ours:?}");
    }
    // A map takes the last of two, a struct refuses them; of equal ones one is left out.
    let map = read::<BTreeMap<String, u8>>("{\"a\":1,\"a\":2}");
    assert_eq!(
        map,
        Ok((BTreeMap::from([("a".into(), 2)]), "duplicate_key".into()))
    );
    assert_eq!(
        read::<Line>("{\"price\":1,\"price\":2}").unwrap_err(),
        "/price duplicate_field"
    );
    assert_eq!(
        read::<Line>("{\"price\":1,\"price\":1}").unwrap().1,
        "duplicate_key"
    );
}

#[test]
fn bad_input_is_a_clear_fault() {
    for (text, wanted) in [
        ("", " missing"),
        ("nothing {here} [1] [see]", " missing"),
        ("{\"price\": \"a\u{0}b\"}", " syntax"),
        ("{\"price\": 1, \"note\": \"\\ud83d\"}", " syntax"),
        ("{\"price\": 0x1F}", " syntax"),
        ("{\"price\": NaN}", " syntax"),
        ("{\"price\": 1 \"note\": \"x\"}", " syntax"),
        ("{\"price\": 1e999}", "/price syntax"),
        ("[\"x\"]", " type"),
        ("{\"price\": 12", " syntax"),
        ("{\"price\": 12,", " syntax"),
        ("{\"price\": 1, \"note\": \"cut", " syntax"),
        ("{\"price\": tru", " syntax"),
        ("{\"a\": 1 \"price\": {\"price\": 2}}", " syntax"),
    ] {
        let found = read::<Line>(text);
        assert_eq!(
            found.as_ref().map_err(String::as_str),
            Err(wanted),
            "{text}: {found:?}"
        );
    }
    for depth in [200, 10_000, 1_000_000] {
        for opening in ["[", "{\"a\":", "{a:", "[{'a':"] {
            let text = opening.repeat(depth);
            let fault = read::<Value>(&text).unwrap_err();
            assert_eq!(fault, " syntax", "{opening} {depth}");
        }
    }
}

#[test]
fn candidates_are_chosen_by_the_type() {
    let line = |price: f64| Line {
        price,
        note: String::new(),
    };
    for (text, price, repairs) in [
        (
            "Two fences:\n```json\n{\"prize\": 1}\n```\nand\n```json\n{\"price\": 2}\n```",
            2.0,
            "fence",
        ),
        (
            "{\"price\": 1} is wrong, in a fence:\n```\n{\"price\": 2}\n```",
            2.0,
            "fence several",
        ),
        (
            "<think>{\"price\": 1} or {\"price\": 3, </think>\n{\"price\": 2}",
            2.0,
            "prose",
        ),
        ("Set {n: 3 | n odd} gives {\"price\": 2}.", 2.0, "prose"),
        ("See [1] and [2, 3]: {\"price\": 2}", 2.0, "prose"),
        ("~~~json\n{\"price\": 2}\n~~~", 2.0, "fence"),
        (
            "{ // so {far}\n price: 2, /* a } */ }",
            2.0,
            "trailing_comma comment unquoted_key",
        ),
        ("{\"price\": \"2\"}", 2.0, "coerced:/price"),
        ("{\"price\": 2, \"note\": null}", 2.0, "coerced:/note"),
        ("'{\"price\": 2}'", 2.0, "prose"),
    ] {
        assert_eq!(
            read::<Line>(text),
            Ok((line(price), repairs.into())),
            "{text}"
        );
    }
    assert_eq!(
        read::<Vec<u8>>("They are [1, 2]."),
        Ok((vec![1, 2], "prose".into()))
    );
    assert_eq!(read::<Vec<Line>>("{\"price\": 1}").unwrap().1, "coerced:");
    // Two values where a list is wanted: none of them is silently lost.
    assert_eq!(
        read::<Vec<Line>>("{\"price\": 1}\n{\"price\": 2}").unwrap_err(),
        " type"
    );
    assert_eq!(read::<Vec<Vec<u8>>>("[1]").unwrap_err(), "/0 type");
}

#[test]
fn closers_are_only_added_at_the_models_own_end() {
    let text = "{\"price\": 1, \"note\": \"done\"";
    assert_eq!(read::<Line>(text).unwrap().1, "missing_closer");
    let mut answer = Answer::<Line>::new();
    let cut = read_by(&mut answer, text, Ending::Length).unwrap_err();
    assert!(
        cut.starts_with("cut off: ") && cut.contains("/note"),
        "{cut}"
    );
    assert_eq!(
        read_by(&mut answer, text, Ending::Unknown).unwrap_err(),
        " syntax"
    );
    // A whole value may stand before text that is cut.
    assert!(read_by(&mut answer, "{\"price\": 1} I hope th", Ending::Length).is_ok());
    assert!(
        read_by(&mut answer, "```json\n{\"pr", Ending::Length)
            .unwrap_err()
            .starts_with("cut")
    );
}

#[derive(Debug, PartialEq, Deserialize, JsonSchema)]
enum Shape {
    Dot,
    Circle(f64),
    Box { width: u8, height: u8 },
}

#[derive(Debug, PartialEq, Deserialize, JsonSchema)]
#[serde(untagged)]
enum Loose {
    Text(String),
    Number(f64),
    Both { a: u8, b: u8 },
}

#[derive(Debug, PartialEq, Deserialize, JsonSchema)]
struct Odd {
    mid: u8,
    shape: Shape,
    loose: Loose,
    other: Level,
    pair: (u8, bool),
    by: BTreeMap<u8, bool>,
    whole: i64,
}

#[derive(Debug, PartialEq, Deserialize, JsonSchema)]
#[serde(tag = "t", content = "c")]
enum Level {
    Low(u8),
    High { by: u8 },
}

#[derive(Debug, PartialEq, Deserialize, JsonSchema)]
struct Written {
    tags: Vec<String>,
    #[serde(default)]
    depths: Vec<u8>,
    #[serde(default)]
    shape: Option<Shape>,
    #[serde(default)]
    by: BTreeMap<String, u8>,
    #[serde(default)]
    note: String,
}

/// Models write a list or an object as a text: it is read as that, and nothing else is made of it.
#[test]
fn json_in_a_text_is_read_as_what_it_is() {
    let (value, repairs) = read::<Written>(
        r#"{"tags": "[\"a\", \"b\"]", "depths": " [1, 2] ", "shape": "{\"Circle\": 2.5}", "by": "{\"x\": \"3\"}", "note": "[1]"}"#,
    )
    .unwrap();
    assert_eq!(value.tags, ["a", "b"]);
    assert_eq!(value.depths, [1, 2]);
    assert_eq!(value.by, BTreeMap::from([("x".to_owned(), 3)]));
    assert_eq!(value.note, "[1]");
    assert_eq!(value.shape, Some(Shape::Circle(2.5)));
    assert_eq!(
        repairs,
        "coerced:/tags coerced:/depths coerced:/shape coerced:/by coerced:/by/x"
    );
    let (value, _) = read::<Written>(r#"{"tags": "[]"}"#).unwrap();
    assert!(value.tags.is_empty());
    // One value for a list, but no JSON, and nothing that says nothing.
    let (value, _) = read::<Written>(r#"{"tags": "a, b", "depths": "7"}"#).unwrap();
    assert_eq!(
        (value.tags, value.depths),
        (vec!["a, b".to_owned()], vec![7])
    );
    for text in [
        "",
        " ",
        "null",
        r#"[\"a\", "#,
        r#"{\"a\": 1}"#,
        r#"\"a\", \"b\""#,
        "None",
        "n/a",
        r#"Here: [\"a\"]"#,
        r#"```\n[\"a\"]\n```"#,
    ] {
        let answer = format!(r#"{{"tags": "{text}"}}"#);
        assert_eq!(
            read::<Written>(&answer).unwrap_err(),
            "/tags type",
            "{answer}"
        );
    }
    let (value, _) = read::<Vec<u8>>(r#""[1, 2]""#).unwrap();
    assert_eq!(value, [1, 2]);
}

#[test]
fn types_of_every_kind_are_explained() {
    let sound = r#"{"mid": 1, "shape": "Dot", "loose": "30", "other": {"t": "Low", "c": 3}, "pair": [1, true],
        "by": {"1": true}, "whole": 3.0}"#;
    let (odd, repairs) = read::<Odd>(sound).unwrap();
    assert_eq!(repairs, "coerced:/whole");
    assert_eq!(
        (odd.mid, odd.shape, odd.loose),
        (1, Shape::Dot, Loose::Text("30".into()))
    );
    let wrong = r#"{"mid": "x", "shape": {"Box": {"width": 300}}, "loose": {"a": "x", "b": 2}, "other": {"t": "Hih"},
        "pair": [1, 2], "by": {"1": "perhaps"}, "whole": 3.5}"#;
    assert_eq!(
        read::<Odd>(wrong).unwrap_err(),
        "/mid type, /shape/Box/width bound, /shape/Box/height missing, /loose/a type, /other/t variant, \
         /pair/1 type, /by/1 type, /whole type"
    );
    let near = r#"{"mid": 1, "shape": {"Bax": {}}, "loose": [], "other": {}, "pair": 1, "by": [], "whole": "x"}"#;
    let mut answer = Answer::<Odd>::new();
    let found = read_by(&mut answer, near, Ending::Own).unwrap_err();
    assert_eq!(
        found,
        "/shape/Bax variant, /loose type, /other/t missing, /pair type, /by type, /whole type"
    );
    assert_eq!(answer.faults()[0].nearest.as_deref(), Some("Box"));
    // Variants in another spelling, in all three places.
    let (value, repairs) = read::<Vec<Shape>>(r#"["dot", {"circle": "2.5"}]"#).unwrap();
    assert_eq!(value, [Shape::Dot, Shape::Circle(2.5)]);
    assert_eq!(repairs, "coerced:/0 coerced:/1 coerced:/1/Circle");
}

#[test]
fn what_the_model_is_told() {
    let text = r#"{"price": "cheap", "prize": 3}"#;
    let told = |answer: &mut Answer<Line>, text: &str| match answer
        .read_message(&Message::assistant(text), Ending::Own)
        .unwrap()
    {
        Read::Again(message) => message.text(),
        other => panic!("{other:?}"),
    };
    let mut answer = Answer::<Line>::new().max_tries(9);
    assert_eq!(
        told(&mut answer, text),
        "Your answer was not accepted:\n- /price: \"cheap\" is not of the type number.\n\
         Answer with the corrected JSON value only."
    );
    assert_eq!(
        told(&mut answer, r#"{"prize": 3}"#),
        "Your answer was not accepted:\n- /price: missing (number). \"prize\" stands there instead.\n\
         Answer with the corrected JSON value only."
    );
    // What stands there is cut, and is no sentence of ours.
    let long = format!("{{\"price\": \"{}{{path}}\"}}", "{path}\\n".repeat(50));
    let message = told(&mut answer, &long);
    assert!(
        message.len() < 220 && message.contains("{path}\\n"),
        "{message}"
    );
    let mut wording = AnswerWording::default();
    wording.refused = "Passt nicht:".into();
    wording.wrong_type = "{path}: {found} statt {expected}".into();
    wording.again = "Bitte noch einmal.".into();
    let mut answer = Answer::<Line>::new().wording(wording);
    assert_eq!(
        told(&mut answer, text),
        "Passt nicht:\n- /price: \"cheap\" statt number\nBitte noch einmal."
    );
    // Many faults are counted.
    let many = format!("[{}]", vec!["{}"; 33].join(","));
    let mut answer = Answer::<Vec<Line>>::new();
    let Ok(Read::Again(message)) = answer.read_message(&Message::assistant(many), Ending::Own)
    else {
        panic!()
    };
    assert_eq!(message.text().lines().count(), 1 + 20 + 1 + 1);
    assert!(message.text().contains("and 13 more"));
    assert_eq!(answer.faults().len(), 33);
}

#[test]
fn tries_are_counted_over_a_restart() {
    let bad = Message::assistant("{}");
    let mut answer = Answer::<Line>::new().max_tries(3);
    assert!(matches!(
        answer.read_message(&bad, Ending::Own),
        Ok(Read::Again(_))
    ));
    let stored = serde_json::to_string(&answer).unwrap();
    let mut answer: Answer<Line> = serde_json::from_str(&stored).unwrap();
    assert_eq!(answer.tries(), 1);
    assert!(matches!(
        answer.read_message(&bad, Ending::Own),
        Ok(Read::Again(_))
    ));
    let error = answer.read_message(&bad, Ending::Own).unwrap_err();
    let AnswerError::TooManyTries { tries, faults } = &error else {
        panic!("{error}")
    };
    assert_eq!((*tries, faults[0].kind), (3, FaultKind::Missing));
    let good = Message::assistant("{\"price\": 1}");
    assert!(matches!(
        answer.read_message(&good, Ending::Own),
        Ok(Read::Accepted(_))
    ));
    assert_eq!(answer.tries(), 0);
    // Settings that are missing are the defaults.
    let empty: Answer<Line> = serde_json::from_str("{}").unwrap();
    assert_eq!(empty.tries(), 0);
}

#[test]
fn strict_reading_changes_nothing() {
    let mut answer = Answer::<Line>::new().strict().max_tries(99);
    for text in [
        "{\"price\": 1,}",
        "So: {\"price\": 1}",
        "{\"price\": \"1\"}",
        "{price: 1}",
        "{\"price\": 1",
    ] {
        assert!(read_by(&mut answer, text, Ending::Own).is_err(), "{text}");
    }
    for text in [
        "\u{feff}{\"price\": 1}\r\n",
        "```json\n{\"price\": 1}\n```",
        "```\r\n{\"price\": 1}\r\n```",
    ] {
        assert!(read_by(&mut answer, text, Ending::Own).is_ok(), "{text}");
    }
    assert!(
        read_by(&mut answer, "{\"price\": 1", Ending::Length)
            .unwrap_err()
            .starts_with("cut")
    );
}

#[test]
fn a_message_that_calls_tools_is_no_answer_yet() {
    let call = r#"{"role": "assistant", "content": [{"type": "tool_call", "id": "1", "name": "find", "arguments": {}}]}"#;
    let message: Message = serde_json::from_str(call).unwrap();
    let error = Answer::<Line>::new()
        .read_message(&message, Ending::Own)
        .unwrap_err();
    assert_eq!(
        error,
        AnswerError::PendingCalls {
            names: vec!["find".into()]
        }
    );
}

#[derive(Debug, PartialEq, Deserialize, JsonSchema)]
struct Branch {
    name: String,
    twigs: Vec<Branch>,
}

#[test]
fn depth_needs_little_stack() {
    let run = || {
        let deep = |end: &str| {
            format!(
                "{}{end}{}",
                "{\"name\": \"a\", \"twigs\": [".repeat(60),
                "]}".repeat(60)
            )
        };
        assert!(read::<Branch>(&deep("")).is_ok());
        let faults = read::<Branch>(&deep("{\"name\": []}")).unwrap_err();
        assert_eq!(
            faults.matches("type").count() + faults.matches("missing").count(),
            2,
            "{faults}"
        );
        assert!(read::<Branch>(&deep("{name: 7, \"twigs\": {\"name\": 1, 'twigs': []}}")).is_ok());
        assert_eq!(
            read::<Branch>(&"{\"name\": \"a\", \"twigs\": [".repeat(64)).unwrap_err(),
            " syntax"
        );
    };
    let thread = std::thread::Builder::new().stack_size(512 * 1024);
    thread.spawn(run).unwrap().join().unwrap();
}

/// What grew with the square of its text would take ten minutes and more: the limit only ends such a run.
#[test]
fn reading_is_linear() {
    let mega = |piece: &str| piece.repeat(300_000 / piece.len() + 1);
    for text in [
        mega("{"),
        mega("["),
        mega("\""),
        mega("'"),
        mega("The answer is short. "),
        mega("{a:b,"),
        mega("a { b "),
        mega("{\"a\":"),
        mega("{\"a\":1 "),
        mega("[1] "),
        mega("{'a "),
        mega("{} "),
        mega("```\n"),
        mega("{/*"),
        mega("\\u"),
        mega("{\"a\":\"\\ud83d"),
        mega("[\"a\"],"),
        format!("[{}1]", mega("1,")),
        mega("{'a':{'b':{'c':{"),
        mega("{\"price\": \"x\"} "),
        format!("<think>{}</think>{{}}", mega("{\"x\": [")),
        mega("</think>"),
        mega("<think>"),
        mega("{/*</think>"),
        mega("{\"a\":\"</think>"),
        mega("{\"a\":1 </think>"),
        mega("{}, a: [1,"),
        mega("{}, a: [/*"),
        mega("[1], "),
        mega("{\"price\":1}, \""),
        mega("{\"price\":1}} "),
        mega("[THINK"),
    ] {
        for wants in [0, 1] {
            let start = Instant::now();
            let message = Message::assistant(text.as_str());
            _ = match wants {
                0 => Answer::<Line>::new()
                    .read_message(&message, Ending::Own)
                    .is_ok(),
                _ => Answer::<Value>::new()
                    .read_message(&message, Ending::Length)
                    .is_ok(),
            };
            let took = start.elapsed();
            if std::env::var_os("PRINT_TIMES").is_some() {
                println!("{took:?} {:.12}", text.escape_debug().to_string());
            }
            assert!(took < Duration::from_secs(60), "{took:?}: {:.20}", text);
        }
    }
}
