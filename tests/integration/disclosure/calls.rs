//! Calls of `open_sections`: the tool, every fault with its text, turns with several calls, and what is told of them.

use prompt_core::Code;
use prompt_core::Disclosure;
use prompt_core::DynamicNode;
use prompt_core::Overrides;
use prompt_core::PromptNode;
use prompt_core::RenderedPrompt;
use prompt_core::ToolCall;
use prompt_core::ToolResult;
use prompt_core::ToolSpec;
use prompt_core::Visibility;
use prompt_core::disclosure::ToolError;
use prompt_core::disclosure::ToolFault;
use prompt_core::disclosure::ToolInvoked;
use prompt_core::disclosure::ToolOutcome;
use prompt_core::disclosure::ToolValidationError;
use prompt_core::disclosure::VisibilityExpansionRequired;
use serde_json::{Value, json};
use std::sync::{Arc, Mutex};

/// `p` (closed) with `c` (closed, with `e` closed in it) and `d` (no summary); `a` (closed); `f` (no summary).
fn tree() -> DynamicNode {
    let closed = |key: &str, sections: Value| {
        json!({ "key": key, "body": format!("full {key}"), "summary": format!("short {key}"),
                "visibility": "summary", "sections": sections })
    };
    let c = closed("c", json!([closed("e", json!([]))]));
    let d = json!({ "key": "d", "body": "full d" });
    let tree = json!({ "key": "root", "sections": [
        closed("p", json!([c, d])),
        closed("a", json!([])),
        { "key": "f", "body": "full f" },
        { "key": "gone", "body": "full gone", "summary": "short gone", "when": false },
    ] });
    DynamicNode::from_json(&tree.to_string()).unwrap()
}

fn prompt() -> RenderedPrompt {
    tree().prompt().render().unwrap()
}

fn call(id: &str, name: &str, arguments: Value) -> ToolCall {
    ToolCall {
        id: id.into(),
        name: name.into(),
        arguments,
    }
}

fn open(keys: &[&str]) -> ToolCall {
    call(
        "open_1",
        "open_sections",
        json!({ "section_keys": keys, "reason": "R" }),
    )
}

fn expanded(prompt: &RenderedPrompt, keys: &[&str]) -> VisibilityExpansionRequired {
    match prompt.call(&open(keys)) {
        Err(ToolError::Expansion(expansion)) => *expansion,
        other => panic!("{keys:?}: {other:?}"),
    }
}

fn refused(prompt: &RenderedPrompt, arguments: Value) -> ToolValidationError {
    match prompt.call(&call("x", "open_sections", arguments)) {
        Err(ToolError::Validation(error)) => error,
        other => panic!("{other:?}"),
    }
}

fn refused_keys(keys: &[&str]) -> ToolValidationError {
    refused(&prompt(), json!({ "section_keys": keys, "reason": "R" }))
}

fn ran(call: &ToolCall) -> ToolResult {
    ToolResult::ok(call, format!("ran {}", call.id))
}

#[test]
fn an_expansion_keeps_the_order_of_the_request_and_names_what_it_opens() {
    let expansion = expanded(&prompt(), &["p.c", "a", "p"]);
    assert_eq!(expansion.paths().collect::<Vec<_>>(), ["p.c", "a", "p"]);
    assert_eq!(
        expansion.requested_overrides.get("p.c"),
        Some(Visibility::Full)
    );
    assert_eq!(
        expansion.to_string(),
        "Visibility expansion required for sections: p.c, a, p. Reason: R"
    );
    assert_eq!(expansion.completed, []);
    let saved = serde_json::to_string(&expansion.requested_overrides).unwrap();
    assert_eq!(saved, r#"{"p.c":"full","a":"full","p":"full"}"#);
    assert_eq!(
        serde_json::from_str::<Overrides>(&saved)
            .unwrap()
            .iter()
            .next()
            .unwrap()
            .0,
        "p.c"
    );
}

#[test]
fn the_snapshot_has_every_section_that_is_shown() {
    let expansion = expanded(&prompt(), &["a"]);
    let shown: Vec<(&str, Visibility)> = expansion
        .visibility
        .iter()
        .map(|(path, it)| (path.as_str(), *it))
        .collect();
    assert_eq!(
        shown,
        [
            ("a", Visibility::Summary),
            ("f", Visibility::Full),
            ("p", Visibility::Summary)
        ]
    );
}

#[test]
fn a_section_inside_a_closed_one_needs_every_closed_one_around_it() {
    let hidden = |keys: &[&str]| match refused_keys(keys).kind() {
        ToolFault::Hidden { key, parent } => (key.clone(), parent.clone()),
        other => panic!("{other:?}"),
    };
    assert_eq!(hidden(&["p.c"]), ("p.c".into(), "p".into()));
    assert_eq!(hidden(&["p.d"]), ("p.d".into(), "p".into()));
    assert_eq!(hidden(&["p", "p.c.e"]), ("p.c.e".into(), "p.c".into()));
    assert_eq!(hidden(&["p.c", "p.c.e"]), ("p.c".into(), "p".into()));
    let text = refused_keys(&["p.c"]).to_string();
    assert!(
        text.contains("section 'p.c' is inside section 'p'") && text.contains("open 'p' first"),
        "{text}"
    );
    for keys in [
        &["p", "p.c", "p.c.e"][..],
        &["p.c.e", "p.c", "p"],
        &["p", "p.d"],
    ] {
        assert_eq!(expanded(&prompt(), keys).paths().collect::<Vec<_>>(), keys);
    }
}

#[test]
fn what_is_open_is_skipped_and_a_fault_only_if_nothing_is_left() {
    let expansion = expanded(&prompt(), &["f", "a"]);
    assert_eq!(expansion.section_keys, ["f", "a"]);
    assert_eq!(expansion.paths().collect::<Vec<_>>(), ["a"]);
    let error = refused_keys(&["f"]);
    assert_eq!(
        error.kind(),
        &ToolFault::AlreadyExpanded { key: "f".into() }
    );
    assert!(
        error
            .to_string()
            .contains("section 'f' is already expanded"),
        "{error}"
    );
    assert!(
        error
            .to_string()
            .ends_with("Sections that can be opened: 'p', 'a'."),
        "{error}"
    );
}

#[test]
fn a_prompt_without_a_summary_says_what_is_open_too() {
    let node = DynamicNode::from_json(
        r#"{ "key": "root", "sections": [{ "key": "f", "body": "full f" }] }"#,
    )
    .unwrap();
    let prompt = node.prompt().render().unwrap();
    let error = refused(&prompt, json!({ "section_keys": ["f"], "reason": "R" }));
    assert_eq!(
        error.kind(),
        &ToolFault::AlreadyExpanded { key: "f".into() }
    );
    assert!(
        error.to_string().ends_with("No section is left to open."),
        "{error}"
    );
}

#[test]
fn unknown_keys_are_answered_with_the_nearest_one() {
    let cases = [
        ("P", "p"),
        (" a", "a"),
        ("x.c", "p.c"),
        ("c", "p.c"),
        ("p.c.f", "p.c.e"),
    ];
    for (key, nearest) in cases {
        let expected = ToolFault::UnknownKey {
            key: key.into(),
            nearest: vec![nearest.into()],
        };
        assert_eq!(refused_keys(&[key]).kind(), &expected);
        assert!(
            refused_keys(&[key])
                .to_string()
                .contains(&format!("did you mean '{nearest}'?")),
            "{key}"
        );
    }
    assert!(
        !refused_keys(&["zebra"])
            .to_string()
            .contains("did you mean")
    );
    for key in [
        "", " a", "a ", "a.", ".a", "A", "p..c", "root", "root.a", "gone",
    ] {
        assert_eq!(
            refused_keys(&[key]).kind().code().as_str(),
            "unknown_key",
            "{key:?}"
        );
    }
    let text = refused_keys(&["zebra", "a", "okapi"]).to_string();
    assert!(
        text.contains("'zebra' does not exist") && text.contains("'okapi' does not exist"),
        "{text}"
    );
}

#[test]
fn every_fault_of_the_arguments_says_which_and_what_was_expected() {
    let prompt = prompt();
    let keys = json!(["a"]);
    let cases = [
        (
            json!("a"),
            "wrong_type",
            "arguments must be a JSON object, not text that is no complete JSON",
        ),
        (
            json!({ "reason": "R" }),
            "missing_argument",
            "section_keys is missing: it must be an array of strings",
        ),
        (
            json!({ "section_keys": null, "reason": "R" }),
            "wrong_type",
            "section_keys must be an array of strings, not null",
        ),
        (
            json!({ "section_keys": ["a", 1], "reason": "R" }),
            "wrong_type",
            "not an array with a number in it",
        ),
        (
            json!({ "section_keys": [], "reason": "R" }),
            "no_keys",
            "at least one section key must be provided",
        ),
        (
            json!({ "section_keys": keys, "reason": 1 }),
            "wrong_type",
            "reason must be a string, not a number",
        ),
        (
            json!({ "section_keys": keys, "reason": "R", "force": true }),
            "unexpected_argument",
            "'force'",
        ),
        (
            json!({ "section_keys": keys, "reason": "ä".repeat(257) }),
            "reason_too_long",
            "longer than 256 characters: it has 257",
        ),
    ];
    for (arguments, code, words) in cases {
        let error = refused(&prompt, arguments.clone());
        assert_eq!(error.kind().code().as_str(), code, "{arguments}");
        assert!(error.to_string().contains(words), "{error}");
    }
    let all = refused(&prompt, json!({ "section_keys": 1, "force": true }));
    let codes: Vec<&str> = all.faults().map(|it| it.code().as_str()).collect();
    assert_eq!(codes, ["wrong_type", "unexpected_argument"]);
    // Liberal where the meaning is plain.
    for liberal in [
        json!({ "section_keys": "a" }),
        json!({ "section_keys": "[\"a\"]" }),
        json!({ "section_keys": ["a"], "reason": null }),
        json!(r#"{ "section_keys": "a" }"#),
    ] {
        let Err(ToolError::Expansion(expansion)) =
            prompt.call(&call("x", "open_sections", liberal.clone()))
        else {
            panic!("{liberal}");
        };
        assert_eq!(expansion.paths().collect::<Vec<_>>(), ["a"]);
        assert_eq!(expansion.reason, "");
    }
    let longest = json!({ "section_keys": keys, "reason": "ä".repeat(256) });
    assert!(matches!(
        prompt.call(&call("x", "open_sections", longest)),
        Err(ToolError::Expansion(_))
    ));
}

#[test]
fn another_tool_is_not_answered() {
    let error = prompt()
        .call(&call("x", "log_entry", json!({})))
        .unwrap_err();
    assert_eq!(
        error,
        ToolError::OtherTool {
            name: "log_entry".into()
        }
    );
    assert!(error.to_string().contains("`log_entry`"));
}

fn wide(sections: usize) -> DynamicNode {
    let section = |index: usize| json!({ "key": format!("s{index}"), "body": "long", "summary": "short", "visibility": "summary" });
    let sections: Vec<Value> = (0..sections).map(section).collect();
    DynamicNode::from_json(&json!({ "key": "root", "sections": sections }).to_string()).unwrap()
}

#[test]
fn an_answer_names_at_most_twenty_keys_and_faults_and_cuts_absurd_keys() {
    let prompt = wide(30).prompt().render().unwrap();
    let error = refused(&prompt, json!({ "section_keys": ["nope"], "reason": "R" }));
    assert_eq!(error.openable().len(), 20);
    assert!(error.to_string().ends_with("'s19' and 10 more."), "{error}");
    let many: Vec<String> = (0..1000).map(|index| format!("unknown_{index}")).collect();
    let error = refused(&prompt, json!({ "section_keys": many, "reason": "R" }));
    assert_eq!(error.faults().count(), 20);
    let huge = "k".repeat(1 << 20);
    assert!(
        refused(&prompt, json!({ "section_keys": [huge], "reason": "R" }))
            .to_string()
            .len()
            < 1000
    );
}

#[test]
fn the_tool_is_legal_in_strict_mode_and_names_no_key_that_the_text_shows() {
    let paths = |prompt: &RenderedPrompt| {
        let tool = prompt.tools().last().unwrap().clone();
        ToolSpec::new(tool.name(), tool.description(), tool.parameters().clone()).expect("strict");
        tool.parameters()["properties"]["section_keys"]["items"]["enum"].clone()
    };
    assert_eq!(paths(&prompt()), Value::Null);
    let all: Vec<String> = prompt().openable().collect();
    assert_eq!(all, ["p", "p.c", "p.c.e", "a"]);
    let tool = prompt().tools().last().unwrap().clone();
    assert_eq!(
        tool.description(),
        "Expand summarized sections to view their full content."
    );
    assert!(
        tool.parameters()["properties"]["reason"]["description"]
            .as_str()
            .unwrap()
            .contains("256 characters")
    );
}

#[test]
fn a_turn_opens_after_the_calls_before_it_and_does_not_run_the_later_ones() {
    let calls = [
        call("u1", "find", json!({})),
        open(&["a"]),
        call("u2", "find", json!({})),
        call(
            "open_2",
            "open_sections",
            json!({ "section_keys": ["p", "a"], "reason": "R2" }),
        ),
    ];
    let mut order = Vec::new();
    let outcome = prompt().call_all(&calls, |call| {
        order.push(call.id.clone());
        ran(call)
    });
    let expansion = outcome.unwrap_err().into_expansion().unwrap();
    assert_eq!(order, ["u1"]);
    assert_eq!(expansion.completed, [ran(&calls[0])]);
    assert_eq!(expansion.section_keys, ["a", "p", "a"]);
    assert_eq!(expansion.paths().collect::<Vec<_>>(), ["a", "p"]);
    assert_eq!(expansion.reason, "R; R2");
    let results = expansion.results(&calls);
    assert_eq!(
        results
            .iter()
            .map(|result| result.id.as_str())
            .collect::<Vec<_>>(),
        ["u1", "open_1", "u2", "open_2"]
    );
    assert_eq!(
        results[1].content,
        "Now shown in full in the prompt: 'a', 'p'."
    );
    assert_eq!(
        results
            .iter()
            .map(|result| result.is_error)
            .collect::<Vec<_>>(),
        [false, false, true, false]
    );
}

#[test]
fn a_reason_that_is_given_twice_is_said_once() {
    let again = |id: &str, reason: &str| {
        let arguments = json!({ "section_keys": ["a"], "reason": reason });
        call(id, "open_sections", arguments)
    };
    for (reasons, said) in [
        (["why", "why", "why"], "why"),
        (["why", "why", "how"], "why; how"),
        (["why", "how", "why"], "why; how"),
        (["why", "how", "how"], "why; how"),
        (["", "why", ""], "why"),
    ] {
        let calls: Vec<ToolCall> = reasons.iter().map(|reason| again(reason, reason)).collect();
        let outcome = prompt().call_all(&calls, ran);
        let expansion = outcome.unwrap_err().into_expansion().unwrap();
        assert_eq!(expansion.reason, said, "{reasons:?}");
    }
}

#[test]
fn merged_requests_count_as_one() {
    let parent_later = [open(&["p.c"]), open(&["p"])];
    assert!(
        prompt()
            .call_all(&parent_later, ran)
            .unwrap_err()
            .into_expansion()
            .is_some()
    );
    let one_bad = [open(&["a"]), call("u", "find", json!({})), open(&["nope"])];
    let results = prompt().call_all(&one_bad, ran).unwrap();
    assert_eq!(results.len(), 3);
    assert!(results[0].is_error && results[0].content.contains("'nope' does not exist"));
    assert_eq!(results[1], ran(&one_bad[1]));
    assert!(results[2].is_error);
    assert_eq!(
        results[0].content,
        format!(
            "This call is sound; it was not carried out because of another call of this tool in the same message. {}",
            results[2].content
        ),
    );
}

#[test]
fn each_call_of_a_refused_request_is_told_its_own_fault() {
    let junk = call("junk", "open_sections", json!("junk"));
    let twice = call(
        "twice",
        "open_sections",
        json!({ "section_keys": ["b", "a"] }),
    );
    let calls = [open(&["aa"]), junk, open(&["a"]), open(&["f"]), twice];
    let tree = tree();
    let mut disclosure = Disclosure::new(&tree);
    let handled = disclosure.handle(&calls).unwrap();
    assert_eq!(prompt().call_all(&calls, ran).unwrap(), handled);
    let told: Vec<&str> = handled
        .iter()
        .map(|result| result.content.as_str())
        .collect();
    let others = " Sections that can be opened: 'p', 'a'.";
    assert_eq!(
        told[0],
        format!(
            "Nothing was opened: section 'aa' does not exist in this prompt (did you mean 'a'?).{others}"
        )
    );
    assert_eq!(
        told[1],
        "Nothing was opened: arguments must be a JSON object, not text that is no complete JSON."
    );
    assert!(told[2].starts_with("This call is sound; "), "{}", told[2]);
    assert!(told[3].starts_with("This call is sound; "), "{}", told[3]);
    assert_eq!(
        told[4],
        format!("Nothing was opened: section 'b' does not exist in this prompt.{others}")
    );
}

#[test]
fn a_turn_without_a_request_is_run_as_it_is() {
    let calls = [call("u1", "find", json!({})), call("u2", "find", json!({}))];
    assert_eq!(
        prompt().call_all(&calls, ran).unwrap(),
        [ran(&calls[0]), ran(&calls[1])]
    );
    assert_eq!(prompt().call_all(&[], ran).unwrap(), []);
}

#[test]
fn the_plan_says_what_call_all_does() {
    let prompt = prompt();
    let calls = [
        call("u1", "find", json!({})),
        open(&["a"]),
        call("u2", "find", json!({})),
    ];
    let plan = prompt.split(&calls);
    assert_eq!(plan.run().collect::<Vec<_>>(), [&calls[0]]);
    assert_eq!(plan.skipped().collect::<Vec<_>>(), [&calls[2]]);
    assert_eq!(plan.expansion().unwrap().section_keys, ["a"]);
    assert!(plan.refusal().is_none());
    let results = plan.run().map(ran).collect();
    let outcome = prompt.call_all(&calls, ran).unwrap_err();
    let expansion = outcome.into_expansion().unwrap();
    assert_eq!(plan.finish(results).unwrap(), expansion.results(&calls));

    let calls = [open(&["nope"]), call("u2", "find", json!({}))];
    let plan = prompt.split(&calls);
    assert_eq!(plan.run().collect::<Vec<_>>(), [&calls[1]]);
    assert_eq!(plan.skipped().count(), 0);
    assert_eq!(
        plan.refusal().unwrap().kind().code().as_str(),
        "unknown_key"
    );
    let results = plan.run().map(ran).collect();
    assert_eq!(
        plan.finish(results).unwrap(),
        prompt.call_all(&calls, ran).unwrap()
    );
}

#[test]
fn each_request_is_told_once_before_it_is_answered() {
    let events: Arc<Mutex<Vec<ToolInvoked>>> = Arc::default();
    let seen = Arc::clone(&events);
    let prompt = prompt().on_tool(move |event| seen.lock().unwrap().push(event.clone()));
    prompt.call(&open(&["a", "a"])).unwrap_err();
    prompt
        .call_all(&[open(&["nope"]), open(&["p"])], ran)
        .unwrap();
    prompt.call(&call("x", "find", json!({}))).unwrap_err();
    let events = events.lock().unwrap();
    assert_eq!(events.len(), 2);
    assert_eq!(
        (
            events[0].tool,
            events[0].id.as_str(),
            events[0].reason.as_str()
        ),
        ("open_sections", "open_1", "R")
    );
    assert_eq!(events[0].section_keys, ["a", "a"]);
    assert_eq!(
        events[0].outcome,
        ToolOutcome::Expanded {
            sections: vec!["a".into()]
        }
    );
    assert_eq!(events[0].visibility["p"], Visibility::Summary);
    assert_eq!(events[1].section_keys, ["nope", "p"]);
    assert!(matches!(
        &events[1].outcome,
        ToolOutcome::Refused {
            code: Code::UnknownKey,
            ..
        }
    ));
}

#[test]
fn overrides_list_the_paths_that_are_not_there() {
    let mut overrides = Overrides::default();
    overrides.open("p.c").close("aa").open("gone").open("q.d");
    assert_eq!(overrides.check(&tree()), ["aa", "gone", "q.d"]);
    let dynamic: &dyn PromptNode = &tree();
    assert_eq!(Overrides::default().check(dynamic), [""; 0]);
}

#[test]
fn overrides_keep_their_order_and_compare_without_it() {
    let mut left = Overrides::default();
    left.open("b").close("a").open("a");
    let right: Overrides = [("a", Visibility::Full), ("b", Visibility::Full)]
        .into_iter()
        .collect();
    assert_eq!(left, right);
    assert_eq!(
        left.iter().map(|(path, _)| path).collect::<Vec<_>>(),
        ["b", "a"]
    );
    left.clear("b").open("b");
    assert_eq!(
        left.iter().map(|(path, _)| path).collect::<Vec<_>>(),
        ["a", "b"]
    );
    assert_ne!(left, Overrides::default());
    left.merge(Overrides::default().close("a").clone());
    assert_eq!(left.get("a"), Some(Visibility::Summary));
}

/// What is cleared goes, whatever the order, and all others stay in theirs; what comes again stands at the end.
#[test]
fn cleared_paths_leave_the_order_of_the_others() {
    let mut overrides = Overrides::default();
    let paths: Vec<String> = (0..20).map(|number| format!("s{number}")).collect();
    for path in &paths {
        overrides.open(path.as_str());
    }
    let mut left = paths.clone();
    for path in ["s3", "s19", "s0", "s7", "unknown", "s7"] {
        overrides.clear(path);
        left.retain(|known| known != path);
    }
    for number in (1..18).filter(|number| number % 2 == 1) {
        let path = format!("s{number}");
        overrides.clear(&path);
        left.retain(|known| *known != path);
    }
    overrides.open("s3");
    left.push("s3".into());
    let found: Vec<&str> = overrides.iter().map(|(path, _)| path).collect();
    assert_eq!(found, left);
    assert_eq!(overrides.len(), left.len());
    assert_eq!(overrides.get("s3"), Some(Visibility::Full));
    assert_eq!(overrides.get("s7"), None);
}
