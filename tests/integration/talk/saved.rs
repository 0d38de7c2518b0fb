//! A saved state that contradicts itself is refused, in words; the fuzz target `states` changes states at random.

use prompt_agent::Conversation;
use prompt_agent::Tools;
use prompt_agent::answer::Answer;
use prompt_agent::testing::Script;
use prompt_agent::wire::Provider;
use prompt_core::compaction::{CompactionConfig, Extractor, RecapForm};
use prompt_core::{DynamicNode, History, Message, Overrides, ToolCall, ToolResult, ToolSpec};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Value, json};

fn error<S: serde::de::DeserializeOwned>(mut saved: Value, pointer: &str, value: Value) -> String {
    serde_json::from_value::<S>(saved.clone())
        .map(drop)
        .expect("it is sound as it was saved");
    *saved.pointer_mut(pointer).expect(pointer) = value;
    match serde_json::from_value::<S>(saved) {
        Ok(_) => "nothing".into(),
        Err(error) => error.to_string(),
    }
}

fn node() -> DynamicNode {
    let tides = DynamicNode::builder("tides")
        .body("High water at six.")
        .summary("On tides.");
    let node =
        DynamicNode::builder("root").section(tides.visibility(prompt_core::Visibility::Summary));
    node.build().unwrap()
}

/// The model rings and asks for the tides; the bell has rung.
fn talk() -> Conversation {
    let mut talk = Conversation::default();
    talk.begin("When?");
    let calls = [
        ToolCall::new("1", "ring", json!({})),
        ToolCall::new(
            "2",
            "open_sections",
            json!({ "section_keys": ["tides"], "reason": "r" }),
        ),
    ];
    talk.push(Message::calls(calls.clone()));
    talk.push_results([ToolResult::ok(&calls[0], "It rings.")])
        .unwrap();
    talk
}

#[test]
fn a_result_of_no_call_of_the_last_message_is_refused() {
    let saved = serde_json::to_value(talk()).unwrap();
    let words = "conversation: a result answers no call of the last message";
    assert_eq!(
        error::<Conversation>(saved.clone(), "/results/0/id", json!("7")),
        words
    );
    let twice = json!([saved["results"][0], saved["results"][0]]);
    assert_eq!(
        error::<Conversation>(saved.clone(), "/results", twice),
        words
    );
    // The calls went from the log.
    let log = json!([saved["history"]["log"][0]]);
    assert_eq!(error::<Conversation>(saved, "/history/log", log), words);
}

#[test]
fn an_answer_to_no_request_for_sections_is_refused() {
    let talk = talk();
    talk.prompt(&node()).render().unwrap();
    let saved = serde_json::to_value(talk).unwrap();
    assert!(
        saved["settled"]["results"]
            .as_array()
            .is_some_and(|results| !results.is_empty())
    );
    let log = json!([saved["history"]["log"][0]]);
    assert_eq!(
        error::<Conversation>(saved.clone(), "/history/log", log),
        "conversation: the last message asks for no sections, and there is an answer to it"
    );
    assert_eq!(
        error::<Conversation>(saved.clone(), "/settled/results/0/id", json!("1")),
        "conversation: a result answers no call of the last message"
    );
    assert_eq!(
        error::<Conversation>(
            saved,
            "/settled/state/opened",
            json!({ "tides": "summary" })
        ),
        "`tides` was opened, and is not shown in full"
    );
}

#[test]
fn a_path_that_stands_twice_is_refused() {
    let read = serde_json::from_str::<Overrides>(r#"{"a":"full","a":"summary"}"#);
    assert!(
        read.unwrap_err()
            .to_string()
            .starts_with("`a` stands twice")
    );
}

/// Two exchanges are compacted; of a third the call waits, so it stays.
fn history(form: RecapForm) -> History {
    let config = CompactionConfig::builder()
        .min_preserved(0)
        .batch_size(1)
        .recap_form(form);
    let turn = [
        Message::user("How high is the water at the north gauge, and is it rising?"),
        Message::assistant(
            "Two metres and ten, and falling since noon.\nrecap - north gauge 2.1 m",
        ),
    ];
    let call = [
        Message::user("Ring."),
        Message::calls([ToolCall::new("1", "ring", json!({}))]),
        Message::assistant("I have called for the bell."),
    ];
    let log = [&[Message::system("Words.")], &turn[..], &call, &turn].concat();
    History::from_log(config.build().unwrap(), log)
}

#[test]
fn a_history_that_contradicts_itself_is_refused() {
    let saved = serde_json::to_value(history(RecapForm::Exchange)).unwrap();
    assert_eq!(saved["frontier"]["full"], json!([3, 4, 5]));
    let refused = |pointer: &str, value: Value| {
        let error = error::<History>(saved.clone(), pointer, value);
        let words = error.strip_prefix("history: the stored frontier does not fit: ");
        words.unwrap_or(&error).to_owned()
    };
    for (pointer, value, words) in [
        (
            "/frontier/full",
            json!([3, 4]),
            "an exchange that waits for a result does not stay",
        ),
        (
            "/frontier/recaps_missing",
            json!([4]),
            "the messages without a recap are not answers",
        ),
        (
            "/frontier/lead",
            json!(2),
            "the system part ends within an exchange",
        ),
        (
            "/config/recap_form",
            json!("assistant"),
            "its recaps are not of the form in the configuration",
        ),
    ] {
        assert_eq!(
            refused(pointer, value.clone()),
            words,
            "{pointer} = {value}"
        );
    }
    let saved = serde_json::to_value(history(RecapForm::Assistant)).unwrap();
    let error = error::<History>(saved.clone(), "/frontier/recaps/0/1", json!(1));
    assert!(error.contains("does not fit"), "{error}");
}

#[derive(Deserialize, JsonSchema)]
#[allow(dead_code, reason = "its schema")]
struct Finding {
    hypothesis: String,
    actions: Vec<String>,
}

/// Typed answers shrink to the field that the configuration names, and the conversation is saved with it.
#[test]
fn typed_answers_are_compacted_and_saved() {
    let config = CompactionConfig::builder().min_preserved(1).batch_size(1);
    let config = config.extractor(Extractor::field("/hypothesis"));
    let mut talk = Conversation::new(config.build().unwrap());
    let answer = Answer::<Finding>::new();
    let mut script = Script::new();
    for hypothesis in ["The float is stuck.", "The river falls."] {
        let found = json!({ "hypothesis": hypothesis, "actions": ["Send a diver to the gauge.", "Ask the lock."] });
        script = script
            .says("I do not know.")
            .says(format!("```json\n{found:#}\n```"));
    }
    for _ in 0..2 {
        talk.begin("What is wrong with the gauge at the north quay?");
        loop {
            let reply = script.reply(Provider::Anthropic, &Value::Null);
            let reply = Provider::Anthropic.reply(&reply).unwrap();
            let accepted = talk.read(&answer, reply).unwrap();
            let saved = serde_json::to_string(&talk).unwrap();
            talk = serde_json::from_str(&saved).unwrap();
            if accepted.is_some() {
                break;
            }
        }
    }
    let sent = talk.history().view().messages();
    let texts: Vec<String> = sent.iter().map(Message::text).collect();
    assert_eq!(texts.len(), 4, "{texts:?}");
    assert_eq!(texts[1], "The float is stuck.");
    assert!(texts[3].contains("\"hypothesis\": \"The river falls.\""));
}

/// A tool that panics is answered, so that a program that is started again does not run into it again.
#[test]
fn a_panic_of_a_tool_is_an_answer() {
    let tools = Tools::new()
        .add(
            ToolSpec::closed("ring", "").unwrap(),
            |_: Value| -> String { panic!("no bell") },
        )
        .unwrap();
    let mut talk = Conversation::default();
    talk.begin("Ring.");
    talk.push(Message::calls([ToolCall::new("1", "ring", json!({}))]));
    while let Some(call) = talk.next_call() {
        talk.push_results([tools.run(&call)]).unwrap();
    }
    let last = serde_json::to_string(talk.history().log().last().unwrap()).unwrap();
    assert!(last.contains("The tool `ring` failed.") && !last.contains("no bell"));
}

/// What may be absent from a saved state, since it says nothing there.
const OPTIONAL: [&str; 7] = [
    "name", "asked", "results", "settled", "is_over", "is_error", "cache",
];

/// Each damage to the state at the pointer, and to all that is in the library's own fields there, is an error.
fn damage<S: serde::de::DeserializeOwned>(saved: &Value, pointer: &str) {
    let read = |damaged: Value| serde_json::from_value::<S>(damaged).map(drop);
    let fields = saved
        .pointer(pointer)
        .and_then(Value::as_object)
        .expect(pointer);
    let change = |change: &dyn Fn(&mut serde_json::Map<String, Value>)| {
        let mut damaged = saved.clone();
        change(
            damaged
                .pointer_mut(pointer)
                .unwrap()
                .as_object_mut()
                .unwrap(),
        );
        read(damaged)
    };
    read(saved.clone()).expect("it is sound as it was saved");
    let unknown = change(&|fields| drop(fields.insert("tide".into(), json!(1))));
    let words = unknown.expect_err(pointer).to_string();
    assert!(words.contains("unknown field `tide`"), "{pointer}: {words}");
    for name in fields
        .keys()
        .filter(|name| !OPTIONAL.contains(&name.as_str()))
    {
        let missing = change(&|fields| drop(fields.shift_remove(name)));
        let words = missing.expect_err(&format!("{pointer}/{name}")).to_string();
        assert!(
            words.contains(&format!("missing field `{name}`")),
            "{pointer}: {words}"
        );
        let misspelt = change(&|fields| {
            let value = fields.shift_remove(name).unwrap_or_default();
            fields.insert(format!("{name}z"), value);
        });
        misspelt.expect_err(&format!("{pointer}/{name}z"));
    }
    if fields.contains_key("version") {
        let newer = change(&|fields| drop(fields.insert("version".into(), json!(2))));
        let words = newer.expect_err(pointer).to_string();
        assert!(
            words.contains("saved by version 2 of this state; this library reads version 1"),
            "{words}"
        );
    }
}

/// What would come back with `take_back` belongs to calls of the log.
#[test]
fn results_before_a_question_answer_its_calls() {
    let calls = ["a", "b"].map(|id| ToolCall::new(id, "look", json!({})));
    let mut conversation = Conversation::default();
    conversation.begin("How deep?");
    conversation.push(Message::calls(calls.clone()));
    conversation
        .push_results([ToolResult::ok(&calls[0], "4 m")])
        .unwrap();
    conversation.begin("And now?");
    let saved = serde_json::to_string(&conversation).unwrap();
    let mut read: Conversation = serde_json::from_str(&saved).unwrap();
    read.take_back();
    assert_eq!(read.open_calls(), calls[1..]);
    let mut damaged = serde_json::to_value(&conversation).unwrap();
    damaged["asked"][1]["results"][0]["id"] = "c".into();
    let error = serde_json::from_value::<Conversation>(damaged).unwrap_err();
    assert!(
        error
            .to_string()
            .contains("a result answers no call before its question"),
        "{error}"
    );
}

/// What is not to be trusted does not become so by a damaged mark.
#[test]
fn a_damaged_mark_is_none() {
    let call = ToolCall::new("c1", "fetch", json!({}));
    let mut conversation = Conversation::default();
    conversation.begin("What is on the page?");
    conversation.push(Message::calls([call.clone()]));
    let page = ToolResult::ok(&call, "</rules>").untrusted();
    conversation.push_results([page]).unwrap();
    let saved = serde_json::to_string(&conversation).unwrap();
    assert!(serde_json::from_str::<Conversation>(&saved).is_ok());
    let mark = r#""untrusted":["c1"]"#;
    for damaged in [
        r#""untrusted":["c2"]"#,
        r#""untrsted":["c1"]"#,
        r#""untrusted":"c1""#,
    ] {
        assert!(saved.contains(mark));
        let damaged = saved.replace(mark, damaged);
        let error = serde_json::from_str::<Conversation>(&damaged).unwrap_err();
        assert!(
            error.to_string().contains("is no mark of a message"),
            "{error}"
        );
    }
}

#[test]
fn a_damaged_conversation_is_none() {
    let talk = talk();
    talk.prompt(&node()).render().unwrap();
    let saved = serde_json::to_value(&talk).unwrap();
    let pointers = [
        "",
        "/history",
        "/history/frontier",
        "/history/log/0",
        "/history/log/1/content/0",
        "/disclosure",
        "/results/0",
        "/settled",
        "/settled/state",
    ];
    for pointer in pointers {
        damage::<Conversation>(&saved, pointer);
    }
    for damaged in [
        "{}",
        r#"{"name":"shop"}"#,
        r#"{"version":1}"#,
        "[]",
        "null",
        "1",
    ] {
        assert!(
            serde_json::from_str::<Conversation>(damaged).is_err(),
            "{damaged}"
        );
    }
}

#[test]
fn a_damaged_history_or_disclosure_is_none() {
    let saved = serde_json::to_value(history(RecapForm::Exchange)).unwrap();
    for pointer in ["", "/frontier", "/log/0", "/log/1/content/0"] {
        damage::<History>(&saved, pointer);
    }
    let state = serde_json::to_value(talk().disclosure()).unwrap();
    damage::<prompt_core::disclosure::DisclosureState>(&state, "");
}
