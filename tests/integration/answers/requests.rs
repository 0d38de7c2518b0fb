//! A typed answer in the requests and replies of every provider.

use prompt_agent::answer::{Answer, AnswerError, AnswerMode, Read};
use prompt_agent::wire::{Provider, RequestOptions, ToolChoice};
use prompt_core::{Message, ToolSpec};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Value, json};
use std::collections::BTreeMap;

#[derive(Debug, PartialEq, Deserialize, JsonSchema)]
struct Harvest {
    sort: String,
    #[serde(default)]
    crates: Option<u32>,
}

/// A whole reply with this text.
fn reply(provider: Provider, text: &str, cut: bool) -> Value {
    let word = |whole: &'static str, length: &'static str| if cut { length } else { whole };
    match provider {
        Provider::OpenAiChat => {
            json!({ "choices": [{ "index": 0, "message": { "role": "assistant", "content": text },
            "finish_reason": word("stop", "length") }] })
        }
        Provider::OpenAiResponses => json!({ "status": word("completed", "incomplete"),
            "incomplete_details": if cut { json!({ "reason": "max_output_tokens" }) } else { Value::Null },
            "output": [{ "type": "message", "role": "assistant", "content": [{ "type": "output_text", "text": text }] }] }),
        Provider::Anthropic => json!({ "content": [{ "type": "text", "text": text }],
            "stop_reason": word("end_turn", "max_tokens") }),
        Provider::Gemini => {
            json!({ "candidates": [{ "content": { "role": "model", "parts": [{ "text": text }] },
            "finishReason": word("STOP", "MAX_TOKENS") }] })
        }
        Provider::Ollama => {
            json!({ "message": { "role": "assistant", "content": text }, "done": true,
            "done_reason": word("stop", "length") })
        }
        other => panic!("{other}"),
    }
}

#[test]
fn the_same_is_read_from_every_provider() -> Result<(), Box<dyn std::error::Error>> {
    for &provider in Provider::ALL {
        let mut answer = Answer::<Harvest>::new();
        let refused = provider.reply(&reply(provider, "{\"sort\": []}", false))?;
        assert!(
            matches!(answer.read(&refused)?, Read::Again(_)),
            "{provider}"
        );
        let cut = provider.reply(&reply(provider, "{\"sort\": \"Bos", true))?;
        assert!(matches!(answer.read(&cut)?, Read::CutOff(_)), "{provider}");
        let open = provider.reply(&reply(
            provider,
            "So:\n```json\n{\"sort\": \"Boskoop\"\n",
            false,
        ))?;
        let Read::Accepted(accepted) = answer.read(&open)? else {
            panic!("{provider}")
        };
        assert_eq!(accepted.value().sort, "Boskoop");
        assert_eq!(accepted.repairs().len(), 2, "{:?}", accepted.repairs());
    }
    Ok(())
}

#[test]
fn a_forced_tool_stands_behind_the_others() -> Result<(), Box<dyn std::error::Error>> {
    let answer = Answer::<Harvest>::new().mode(AnswerMode::Tool);
    let other = ToolSpec::closed("look", "Looks.")?;
    let log = [Message::user("What came in?")];
    let options = RequestOptions::new("a-model").answer(&answer);
    let body = Provider::OpenAiChat.request(&log, std::slice::from_ref(&other), &options)?;
    assert_eq!(body["tools"][1]["function"]["name"], "answer");
    assert_eq!(body["tool_choice"], "required");
    let body = Provider::OpenAiChat.request(&log, &[], &options)?;
    assert_eq!(body["tool_choice"]["function"]["name"], "answer");
    let choice = options.tool_choice(ToolChoice::None);
    let body = Provider::OpenAiChat.request(&log, &[other], &choice)?;
    assert_eq!(body["tool_choice"], "none");
    // Options with an answer are stored and read like any others.
    let stored: RequestOptions = serde_json::from_value(serde_json::to_value(&choice)?)?;
    assert_eq!(stored, choice);
    Ok(())
}

#[derive(Deserialize, JsonSchema)]
#[allow(dead_code)]
struct Verdict {
    zeta: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    middle: Option<Inner>,
    alpha: Vec<Inner>,
}

#[derive(Deserialize, JsonSchema)]
#[allow(dead_code)]
struct Inner {
    reason: String,
    #[serde(
        default,
        rename(deserialize = "note"),
        skip_serializing_if = "Option::is_none"
    )]
    hint: Option<String>,
    done: bool,
}

/// What a model writes first it writes without knowing the rest.
#[test]
fn the_schema_has_the_fields_in_the_order_of_the_declaration()
-> Result<(), Box<dyn std::error::Error>> {
    let answer = Answer::<Verdict>::new();
    let options = RequestOptions::new("m").answer(&answer);
    let body = Provider::OpenAiChat.request(&[Message::user("Well?")], &[], &options)?;
    let schema = &body["response_format"]["json_schema"]["schema"];
    assert_eq!(schema["required"], json!(["zeta", "middle", "alpha"]));
    let inner = json!(["reason", "note", "done"]);
    assert_eq!(schema["properties"]["alpha"]["items"]["required"], inner);
    assert_eq!(schema["properties"]["middle"]["required"], inner);
    let lines: Vec<String> = answer
        .format()
        .as_str()
        .lines()
        .map(|line| line.trim().into())
        .collect();
    let fields = [
        "zeta: string",
        "middle?: {",
        "reason: string",
        "note?: string",
        "done: boolean",
        "}",
        "alpha: {",
    ];
    assert_eq!(lines[1..8], fields);
    Ok(())
}

/// Whatever is sent, and how: the bytes of the body say the order. Only `note` and `table` need not be there.
#[derive(Deserialize, JsonSchema)]
#[allow(dead_code)]
struct Judged<T> {
    #[serde(skip_serializing_if = "Option::is_none")]
    note: Option<String>,
    reasons: String,
    table: Option<T>,
    grade: u8,
}

fn stand_in_order(sent: &str, names: &[&str]) -> bool {
    let places = names.iter().map(|name| sent.find(&format!("{name:?}:{{")));
    let places: Vec<_> = places.collect();
    places.iter().all(Option::is_some) && places.is_sorted()
}

#[test]
fn the_bytes_of_a_body_have_the_order_of_the_type() -> Result<(), Box<dyn std::error::Error>> {
    let names = ["note", "reasons", "table", "grade"];
    let log = [Message::user("Well?")];
    let strict = Answer::<Judged<Inner>>::new();
    let tool = ToolSpec::loose_of::<Judged<BTreeMap<String, u8>>>("judge")?;
    for &provider in Provider::ALL {
        for mode in [AnswerMode::Provider, AnswerMode::Tool] {
            // It cannot demand a call.
            if provider == Provider::Ollama && mode == AnswerMode::Tool {
                continue;
            }
            let options = RequestOptions::new("m").answer(&strict.clone().mode(mode));
            let body = provider.request(&log, &[], &options)?;
            let sent = serde_json::to_string(&body)?;
            assert!(stand_in_order(&sent, &names), "{provider} {mode:?}: {sent}");
            assert_eq!(body.to_string(), sent);
        }
        let body =
            provider.request(&log, std::slice::from_ref(&tool), &RequestOptions::new("m"))?;
        let sent = serde_json::to_string(&body)?;
        assert!(stand_in_order(&sent, &names), "{provider}: {sent}");
    }
    // Without strict mode fields may be left out, and keep their places.
    let loose = Answer::<Judged<BTreeMap<String, u8>>>::new();
    let options = RequestOptions::new("m").answer(&loose);
    let sent = Provider::Ollama.request(&log, &[], &options)?.to_string();
    assert!(stand_in_order(&sent, &names), "{sent}");
    let text = loose.format_as_schema().as_str().replace(": {", ":{");
    assert!(stand_in_order(&text, &names), "{text}");
    Ok(())
}

#[test]
fn what_strict_mode_cannot_say_is_told_with_the_way_out() {
    let log = [Message::user("What came in?")];
    let map = Answer::<BTreeMap<String, u32>>::new();
    let list = Answer::<Vec<u32>>::new();
    for &provider in Provider::ALL {
        let request = |options: RequestOptions| provider.request(&log, &[], &options);
        let error = request(RequestOptions::new("m").answer(&list))
            .unwrap_err()
            .to_string();
        assert!(error.contains("AnswerMode::Prompt"), "{error}");
        let written = request(RequestOptions::new("m").answer(&map));
        match provider {
            // Its `format` takes any schema of an object.
            Provider::Ollama => assert_eq!(written.unwrap()["format"]["type"], "object"),
            _ => assert!(
                written
                    .unwrap_err()
                    .to_string()
                    .contains("AnswerMode::Prompt")
            ),
        }
    }
}

#[test]
fn what_is_no_answer_is_an_error() -> Result<(), Box<dyn std::error::Error>> {
    let mut answer = Answer::<Harvest>::new();
    let refused =
        json!({ "content": [{ "type": "text", "text": "No." }], "stop_reason": "refusal" });
    let reply = Provider::Anthropic.reply(&refused)?;
    assert_eq!(
        answer.read(&reply).unwrap_err(),
        AnswerError::Filtered { text: "No.".into() }
    );
    let paused =
        json!({ "content": [{ "type": "text", "text": "I search" }], "stop_reason": "pause_turn" });
    let reply = Provider::Anthropic.reply(&paused)?;
    assert_eq!(answer.read(&reply).unwrap_err(), AnswerError::Paused);
    assert_eq!(answer.tries(), 0);
    Ok(())
}
