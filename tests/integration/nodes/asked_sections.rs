//! `{?section}`: whether a section prints something, and what hangs on that.

use super::prints;
use prompt_core::disclosure::Delivery;
use prompt_core::{
    Budget, Disclosure, DynamicNode, PromptNode, RenderedPrompt, Style, ToolCall, budget::Outcome,
};
use serde_json::{Value, json};

fn node(tree: Value) -> DynamicNode {
    DynamicNode::from_json(&tree.to_string()).unwrap()
}

fn words(text: &str) -> usize {
    text.split_whitespace().count()
}

fn within(node: &DynamicNode, limit: usize) -> RenderedPrompt {
    let budget = Budget::tokens(limit).counter(&words);
    node.prompt().budget(budget).render().unwrap()
}

/// {?night}
/// {lamps}
/// {/night}
///
/// {?lamps}The lamps are described below.{/lamps}{?!lamps}No lamps.{/lamps} End.
#[derive(PromptNode)]
struct Pier {
    night: bool,
    /// Trim them.
    #[section]
    lamps: (),
}

#[derive(PromptNode)]
struct Port {
    #[section]
    pier: Pier,
}

#[test]
fn what_no_branch_leads_to_is_not_there_for_a_nested_text_either() {
    for night in [true, false] {
        let port = Port {
            pier: Pier { night, lamps: () },
        };
        let text = if night {
            [
                "# Pier",
                "",
                "## Lamps",
                "",
                "Trim them.",
                "",
                "The lamps are described below. End.",
            ]
            .join("\n")
        } else {
            ["# Pier", "", "No lamps. End."].join("\n")
        };
        let prompt = || port.prompt();
        assert_eq!(prompt().text().unwrap(), text);
        assert_eq!(prompt().render().unwrap().as_str(), text);
        assert_eq!(prompt().preview().unwrap().text, text);
        let budget = Budget::tokens(1000);
        assert_eq!(prompt().budget(budget).render().unwrap().as_str(), text);
        for delivery in [Delivery::Rerender, Delivery::Append] {
            let disclosure = Disclosure::new(&port).delivery(delivery);
            assert_eq!(disclosure.render().unwrap().as_str(), text);
        }
        let xml = prompt().style(Style::Xml).text().unwrap();
        assert_eq!(xml.contains("No lamps."), !night);
    }
}

fn part(key: &str) -> Value {
    json!({ "key": key, "untitled": true, "body": format!("part-{key}"), "summary": format!("on-{key}"), "summary_suffix": "" })
}

#[test]
fn of_two_branches_only_one_has_sections() {
    let tree = json!({ "key": "root", "body": "{?a}\n{b}\n{else}\n{c}\n{/a}\n\n{?b}b{/b}{?c}c{/c}.", "sections": [
        { "key": "a", "untitled": true, "body": "part-a", "priority": 1 }, part("b"), part("c"),
    ] });
    let node = node(tree);
    let text = "part-b\n\nb.\n\npart-a";
    assert_eq!(node.prompt().text().unwrap(), text);
    let rendered = node.prompt().render().unwrap();
    let whole = within(&node, 100);
    let preview = node.prompt().preview().unwrap();
    assert_eq!([whole.as_str(), &preview.text], [text, text]);
    // What no branch leads to is not in the tool either, at any door.
    let paths: Vec<String> = rendered.visibility().into_keys().collect();
    assert_eq!(paths, ["a", "b"]);
    assert_eq!(whole.visibility(), rendered.visibility());
    assert_eq!(preview.absent[0].key, "c");
    // A budget only takes away: without `a` its branch goes, and what stands in the other one was not there before.
    let cut = within(&node, 1);
    assert_eq!(cut.as_str(), ".");
    assert!(cut.visibility().is_empty());
    let report = cut.budget_report().unwrap();
    let dropped: Vec<&str> = report.paths(Outcome::Dropped).collect();
    assert_eq!(dropped, ["a", "b"]);
    assert!(
        report
            .to_string()
            .contains("b (required, 1 tokens): dropped, its place hangs on a section that is gone")
    );
}

#[test]
fn a_section_that_hangs_on_itself_is_there() {
    let of = |body: &str| {
        node(json!({ "key": "root", "body": body, "sections": [part("a"), part("b")] }))
    };
    let text = |body: &str| of(body).prompt().text().unwrap();
    assert_eq!(
        text("{?a}\nFirst:\n{a}\n{/a}\n\n{?b}\n{b}\n{/b}\n"),
        "First:\npart-a\n\npart-b"
    );
    assert_eq!(
        text("{?a}\n{b}\n{/a}\n\n{?b}\n{a}\n{/b}\n"),
        "part-b\n\npart-a"
    );
    // One that stands where it is not there is not there.
    assert_eq!(
        text("{?!a}\nNo a.\n{a}\n{/a}\n\n{?a}a{/a}."),
        "No a.\n\n.\n\npart-b"
    );
}

#[test]
fn long_chains_of_branches_need_no_stack() {
    let count = 5000;
    let mut body = String::new();
    let mut sections = Vec::new();
    for at in 0..count {
        // The first hangs on the last.
        body += &format!("{{?k{}}}\n{{k{at}}}\n{{/k{}}}\n\n", at + 1, at + 1);
        sections.push(json!({ "key": format!("k{at}"), "untitled": true, "body": "x" }));
    }
    let end = json!({ "key": format!("k{count}"), "untitled": true, "body": "end" });
    sections.push(end);
    let tree = node(json!({ "key": "root", "body": body, "sections": sections }));
    let print = move || tree.prompt().text().unwrap();
    let text = std::thread::Builder::new()
        .stack_size(512 << 10)
        .spawn(print);
    assert_eq!(text.unwrap().join().unwrap().matches('x').count(), count);
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
