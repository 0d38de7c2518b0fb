//! `{?section}`: whether a section prints something, and what hangs on that.

use super::prints;
use prompt_core::Code;
use prompt_core::disclosure::Delivery;
use prompt_core::{Budget, Disclosure, DynamicNode, PromptNode, ToolCall};
use serde_json::{Value, json};

fn node(tree: Value) -> DynamicNode {
    DynamicNode::from_json(&tree.to_string()).unwrap()
}

fn words(text: &str) -> usize {
    text.split_whitespace().count()
}

fn part(key: &str) -> Value {
    json!({ "key": key, "untitled": true, "body": format!("part-{key}"), "summary": format!("on-{key}"), "summary_suffix": "" })
}

#[test]
fn a_section_that_hangs_on_itself_is_there() {
    let body = "{?a}\nFirst:\n{a}\n{/a}\n\n{?b}\n{b}\n{/b}\n";
    let tree = json!({ "key": "root", "body": body, "sections": [part("a"), part("b")] });
    let text = node(tree).prompt().text().unwrap();
    assert_eq!(text, "First:\npart-a\n\npart-b");
}

#[test]
fn a_slot_of_what_is_asked_stands_under_no_other_condition() {
    let of = |body: &str| {
        let tree = json!({ "key": "root", "body": body, "sections": [part("a"), part("b")] });
        DynamicNode::from_json(&tree.to_string())
    };
    let found = of("{?a}\n{b}\n{/a}\n\n{?b}b{/b}.").unwrap_err();
    assert_eq!(found.code(), Code::ConditionalSlot);
    assert_eq!(found.iter().next().unwrap().place, Some((2, 1)));
    assert!(
        found.to_string().contains("put the slot outside of `{?a}`"),
        "{found}"
    );
    assert!(of("{?a}\n{b}\n{/a}").is_ok());
    assert!(of("{?b}\n{b}\n{/b}\n\n{?b}b{/b}.").is_ok());
}

#[test]
fn what_is_opened_keeps_what_its_place_hangs_on() {
    let tree = node(
        json!({ "key": "root", "body": "Head.\n\n{?a}\n{b}\n{/a}", "sections": [
        { "key": "a", "untitled": true, "body": "one two three", "priority": 1 },
        { "key": "b", "untitled": true, "body": "four five", "summary": "on-b", "visibility": "summary", "summary_suffix": "" },
        { "key": "c", "untitled": true, "body": "six seven eight nine", "priority": 2 },
    ] }),
    );
    let call = || {
        ToolCall::new(
            "1",
            "open_sections",
            json!({ "section_keys": ["b"], "reason": "" }),
        )
    };
    // With `c` before `a` there is room for one of both; opening `b` keeps `a`.
    let start = |delivery, limit: usize| {
        Disclosure::new(&tree)
            .delivery(delivery)
            .configure(move |prompt| prompt.budget(Budget::tokens(limit).counter(&words)))
    };
    let mut disclosure = start(Delivery::Rerender, 7);
    assert_eq!(
        disclosure.render().unwrap().as_str(),
        "Head.\n\nsix seven eight nine"
    );
    let answer = &disclosure.handle(&[call()]).unwrap()[0];
    assert!(!answer.is_error, "{}", answer.content);
    assert_eq!(
        disclosure.render().unwrap().as_str(),
        "Head.\n\nfour five\n\none two three"
    );
    // Where there is no room for it the answer says so.
    let answer = &start(Delivery::Rerender, 5).handle(&[call()]).unwrap()[0];
    assert!(
        answer.is_error && answer.content.contains("budget"),
        "{}",
        answer.content
    );
    // With the text in the answer the condition is that of the tree, not of what travels.
    let answer = &start(Delivery::Append, 100).handle(&[call()]).unwrap()[0];
    assert_eq!(answer.content, "four five");
}

#[test]
fn the_way_to_a_focus_is_open() {
    let tree = node(
        json!({ "key": "root", "body": "{?a}\nBelow a:\n{b}\n{/a}\n\n{?c}On c.{else}Not on c.{/c}", "sections": [
        { "key": "a", "body": "one" },
        { "key": "b", "body": "two" },
        { "key": "c", "body": "three" },
    ] }),
    );
    let focused = |path: &str| tree.prompt().focus(path).text().unwrap();
    assert_eq!(focused("b"), "Below a:\n# B\n\ntwo\n\nNot on c.");
    assert_eq!(focused("c"), "On c.\n\n# C\n\nthree");
    for leaf in tree.prompt().walk().unwrap() {
        let prompt = tree.prompt().focus(&leaf);
        assert_eq!(prompt.preview().unwrap().text, prompt.text().unwrap());
    }
}

#[test]
fn a_loop_in_a_title_has_both_branches_in_a_budget() {
    /// {PROMPT_SUBTREE}
    #[derive(PromptNode)]
    struct Fleet {
        ships: Vec<&'static str>,
        #[section(
            title = "Fleet of {*ships as ship}{?notes}the old {ship} {else}{ship} {/notes}{/ships}sails"
        )]
        fleet: &'static str,
        #[section(priority = 1)]
        notes: &'static str,
    }
    let fleet = Fleet {
        ships: vec!["Tern", "Gull"],
        fleet: "They sail.",
        notes: "They are old, and leak in many places.",
    };
    prints(
        &fleet,
        &[
            "# Fleet of the old Tern the old Gull sails",
            "",
            "They sail.",
            "",
            "# Notes",
            "",
            "They are old, and leak in many places.",
        ],
    );
    let budget = Budget::tokens(10).counter(&words);
    let cut = fleet.prompt().budget(budget).render().unwrap();
    assert_eq!(cut.as_str(), "# Fleet of Tern Gull sails\n\nThey sail.");
}
