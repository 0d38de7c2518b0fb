//! What use has found: a focus narrows what can be opened, and what was opened under a budget is really there.

use prompt_core::Budget;
use prompt_core::Disclosure;
use prompt_core::DynamicNode;
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
    let tool = prompt.tools().last().unwrap().parameters().to_string();
    assert!(tool.contains("\"a.b\""), "{tool}");
    assert!(!tool.contains("a.c") && !tool.contains("d.e"), "{tool}");
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
