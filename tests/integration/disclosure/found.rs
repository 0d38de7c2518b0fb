//! What use has found: a focus narrows what can be opened, and what was opened under a budget is really there.

use prompt_core::Budget;
use prompt_core::Code;
use prompt_core::Disclosure;
use prompt_core::DynamicNode;
use prompt_core::Overrides;
use prompt_core::PromptNode;
use prompt_core::ToolCall;
use prompt_core::disclosure::Delivery;
use serde_json::{Value, json};

fn node(tree: Value) -> DynamicNode {
    DynamicNode::from_json(&tree.to_string()).unwrap()
}

fn open(keys: &[&str]) -> ToolCall {
    ToolCall {
        id: "call".into(),
        name: "open_sections".into(),
        arguments: json!({ "section_keys": keys, "reason": "R" }),
    }
}

fn words(text: &str) -> usize {
    text.split_whitespace().count()
}

fn two_branches() -> DynamicNode {
    let leaf = |key: &str| json!({ "key": key, "body": format!("full {key}"), "summary": format!("short {key}"), "visibility": "summary" });
    node(json!({ "key": "root", "body": "Head.", "sections": [
        { "key": "a", "sections": [leaf("b"), leaf("c")] },
        { "key": "d", "sections": [leaf("e")] },
    ] }))
}

#[test]
fn under_a_focus_only_what_leads_there_can_be_opened() {
    let node = two_branches();
    let prompt = node.prompt().focus("a.b").keep_tool(true).render().unwrap();
    let paths: Vec<String> = prompt.openable().collect();
    assert_eq!(paths, ["a.b"]);
}

#[test]
fn an_override_of_nothing_is_advice() {
    let tree = json!({ "key": "root", "sections": [
        { "key": "rules", "body": "Be brief." },
        { "key": "rain", "body": "Umbrellas.", "when": false },
    ] });
    let node = node(tree);
    let mut overrides = Overrides::default();
    for path in ["rulse", "rules", "rain"] {
        overrides.open(path);
    }
    let prompt = node.prompt().overrides(&overrides);
    assert_eq!(prompt.text().unwrap(), "# Rules\n\nBe brief.");
    let lints = prompt.lint();
    let found: Vec<_> = lints
        .iter()
        .map(|lint| (lint.code, lint.path.as_str(), lint.help.as_str()))
        .collect();
    assert_eq!(found, [(Code::UnknownPath, "rulse", "write `rules`")]);
    assert_eq!(overrides.check(&node), ["rulse", "rain"]);
}

#[test]
fn several_that_are_appended_stand_under_their_headings_once() {
    let node = two_branches();
    let mut disclosure = Disclosure::new(&node).delivery(Delivery::Append);
    disclosure.render().unwrap();
    let results = disclosure.handle(&[open(&["d.e", "a.b", "a.c"])]).unwrap();
    let text = &results[0].content;
    for piece in [
        "# A\n", "## B", "## C", "# D\n", "## E", "full b", "full c", "full e",
    ] {
        assert_eq!(text.matches(piece).count(), 1, "{piece} in {text}");
    }
    assert!(text.find("## B") < text.find("## C") && text.find("## C") < text.find("## E"));
}

#[test]
fn nothing_is_said_to_be_shown_that_a_budget_leaves_out() {
    let node = node(json!({ "key": "root", "body": "Head.", "sections": [
        { "key": "a", "priority": 1, "summary": "short", "visibility": "summary", "sections": [
            { "key": "b", "priority": 1, "body": "word ".repeat(30) },
        ] },
    ] }));
    for limit in [25, 60] {
        for delivery in [Delivery::Rerender, Delivery::Append] {
            let budget = Budget::tokens(limit).counter(&words);
            let mut disclosure = Disclosure::new(&node)
                .delivery(delivery)
                .configure(move |prompt| prompt.budget(budget.clone()));
            disclosure.render().unwrap();
            let results = disclosure.handle(&[open(&["a"])]).unwrap();
            let result = results[0].content.clone();
            let shown = disclosure.render().unwrap().to_string() + &result;
            let is_there = shown.matches("word").count() >= 30;
            assert!(
                is_there || results[0].is_error,
                "{limit} {delivery:?}: {result}"
            );
            assert!(
                is_there != results[0].is_error,
                "{limit} {delivery:?}: {result}"
            );
        }
    }
}

#[test]
fn one_that_is_appended_alone_stands_for_itself() {
    let node = two_branches();
    let mut disclosure = Disclosure::new(&node).delivery(Delivery::Append);
    disclosure.render().unwrap();
    let results = disclosure.handle(&[open(&["a.b"])]).unwrap();
    let text = &results[0].content;
    assert!(text.starts_with("## B\n\nfull b"), "{text}");
    assert!(!text.contains("# A"), "{text}");
}

/// Keys of subsections stand in the order of the declaration wherever they are named, whatever the order of the text.
#[test]
fn subsections_are_named_in_the_order_of_the_declaration() {
    let leaf =
        |key: &str| json!({ "key": key, "body": key, "summary": "S.", "visibility": "summary" });
    let node = node(json!({ "key": "root", "sections": [
        { "key": "p", "body": "{b}\n{a}", "summary": "Of p.", "visibility": "summary", "sections": [leaf("a"), leaf("b")] },
    ] }));
    let prompt = node.prompt().render().unwrap();
    assert!(
        prompt.as_str().contains("including subsections: a, b."),
        "{prompt}"
    );
    let keys: Vec<String> = prompt.openable().collect();
    assert_eq!(keys, ["p", "p.a", "p.b"]);
}

/// A section that is open with closed ones in it, such as a list of skills, says so when it is asked for.
#[test]
fn what_is_closed_in_an_open_section_is_pointed_at() {
    let leaf =
        |key: &str| json!({ "key": key, "body": key, "summary": "S.", "visibility": "summary" });
    let node = node(json!({ "key": "root", "sections": [
        { "key": "skills", "body": "What you can:", "sections": [leaf("dial"), leaf("wheel")] },
        { "key": "rules", "body": "No glitter." },
    ] }));
    let mut disclosure = Disclosure::new(&node);
    let mut ask = |keys: &[&str]| disclosure.handle(&[open(keys)]).unwrap()[0].content.clone();
    assert_eq!(
        ask(&["skills"]),
        "Nothing was opened: section 'skills' is already expanded; what is closed in it has keys of its own. \
         Sections that can be opened: 'skills.dial', 'skills.wheel'."
    );
    assert!(
        ask(&["rules"]).starts_with("Nothing was opened: section 'rules' is already expanded. ")
    );
    ask(&["skills.dial", "skills.wheel"]);
    assert!(ask(&["skills"]).contains("'skills' is already expanded."));
}

/// What is closed takes along what was opened in it, with both deliveries.
#[test]
fn a_section_is_closed_with_all_in_it() {
    let node = node(json!({ "key": "root", "sections": [
        { "key": "p", "body": "full p", "summary": "short p", "visibility": "summary", "sections": [
            { "key": "q", "body": "full q", "summary": "short q", "visibility": "summary" },
        ] },
        { "key": "pq", "body": "full pq", "summary": "short pq", "visibility": "summary" },
    ] }));
    for delivery in [Delivery::Rerender, Delivery::Append] {
        let mut disclosure = Disclosure::new(&node).delivery(delivery);
        disclosure.handle(&[open(&["p", "p.q", "pq"])]).unwrap();
        disclosure.close("p");
        let opened = disclosure.state().opened.iter();
        let opened: Vec<&str> = opened.map(|(path, _)| path).collect();
        assert_eq!(opened, ["pq"]);
        let shown = disclosure.render().unwrap().visibility();
        assert!(!shown.contains_key("p.q"), "{shown:?}");
        let results = disclosure.handle(&[open(&["p.q"])]).unwrap();
        assert!(
            results[0].content.contains("'p.q' is inside section 'p'"),
            "{results:?}"
        );
        let results = disclosure.handle(&[open(&["p.q", "p"])]).unwrap();
        assert!(!results[0].is_error);
    }
}
