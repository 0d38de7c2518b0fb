//! What use has found: the more important part stays, every kind of section can be reduced, and errors say what is to
//! blame.

use prompt_core::Budget;
use prompt_core::DynamicNode;
use prompt_core::Message;
use prompt_core::Overrides;
use prompt_core::PromptNode;
use prompt_core::RenderedPrompt;
use prompt_core::Style;
use prompt_core::ToolSpec;
use prompt_core::Visibility;
use prompt_core::tokens;
use serde_json::{Value, json};
use std::collections::BTreeSet;

fn words(text: &str) -> usize {
    text.split_whitespace().count()
}

fn node(tree: Value) -> DynamicNode {
    DynamicNode::from_json(&tree.to_string()).unwrap()
}

fn within(node: &DynamicNode, limit: usize) -> String {
    let prompt = node.prompt().budget(Budget::tokens(limit).counter(&words));
    prompt.render().unwrap().to_string()
}

#[test]
fn nothing_is_lost_for_the_sake_of_something_less_important() {
    let twelve = "one two three four five six seven eight nine ten eleven twelve";
    let node = node(json!({ "key": "root", "sections": [
        { "key": "rules", "untitled": true, "priority": 90, "body": twelve },
        { "key": "notes", "untitled": true, "priority": 1, "body": twelve, "summary": "a b c" },
    ] }));
    let text = within(&node, 14);
    assert!(text.contains(twelve) && !text.contains("a b c"), "{text:?}");
    // Fewer words than the important section has: the short form of the other is all that fits.
    assert!(!within(&node, 11).contains(twelve));
}

#[test]
fn untitled_and_inline_sections_are_reduced() {
    for keys in [
        json!({ "untitled": true }),
        json!({ "tag": "part", "inline": true }),
    ] {
        let mut part = json!({ "key": "part", "priority": 5, "summary": "short",
            "summary_suffix": "",
            "body": "a long text of more than twenty words ".repeat(5) });
        let keys = keys.as_object().unwrap().clone();
        part.as_object_mut().unwrap().extend(keys);
        let node = node(json!({ "key": "root", "body": "Head.", "sections": [part] }));
        let text = within(&node, 20);
        assert!(text.contains("short") && !text.contains("long"), "{text:?}");
    }
}

#[test]
fn what_is_too_large_is_named() {
    let node = node(json!({ "key": "root", "body": "Head.", "sections": [
        { "key": "rules", "priority": "required", "body": "must stay ".repeat(20) },
        { "key": "part", "priority": 5, "body": "open ".repeat(20), "summary": "short" },
    ] }));
    let mut overrides = Overrides::default();
    overrides.set("part", Visibility::Full);
    let error = |limit, overrides: &Overrides| {
        let prompt = node.prompt().overrides(overrides);
        let fitted = prompt
            .budget(Budget::tokens(limit).counter(&words))
            .render();
        fitted.unwrap_err().to_string()
    };
    let required = error(30, &Overrides::default());
    assert!(required.contains("`rules`"), "{required}");
    let opened = error(50, &overrides);
    assert!(opened.contains("`part`"), "{opened}");
}

#[test]
fn a_wrapper_of_which_nothing_is_left_takes_heading_and_tag_along() {
    let node = node(json!({ "key": "root", "body": "Head.", "sections": [
        { "key": "outer", "sections": [
            { "key": "inner", "priority": 1, "body": "a b c d e f g h" },
        ] },
        { "key": "boxed", "tag": "boxed", "sections": [
            { "key": "inner", "priority": 1, "body": "a b c d e f g h" },
        ] },
    ] }));
    assert_eq!(within(&node, 3), "Head.");
    let prompt = node.prompt().style(Style::Xml);
    let text = prompt
        .budget(Budget::tokens(3).counter(&words))
        .text()
        .unwrap();
    assert_eq!(text, "Head.\n");
}

#[test]
fn columns_beyond_reason_do_no_harm() {
    let node = node(json!({ "key": "root", "body": "Head.", "sections": [
        { "key": "outer", "sections": [ { "key": "inner", "body": "a" } ] },
    ] }));
    let text = node
        .prompt()
        .style(Style::Xml)
        .indent(usize::MAX)
        .text()
        .unwrap();
    assert!(text.contains("<inner>") && text.len() < 1_000_000);
}

#[test]
fn a_section_of_which_nothing_is_noted_costs_no_message() {
    /// ## Notes from earlier sessions
    /// {notes}
    ///
    /// ## Rules
    /// Be kind.
    #[derive(PromptNode)]
    struct Root {
        #[section(untitled, cache)]
        notes: Notes,
    }
    #[derive(PromptNode)]
    struct Notes {
        #[section]
        today: Option<String>,
    }
    let root = Root {
        notes: Notes { today: None },
    };
    let prompt = root.prompt().render().unwrap();
    assert_eq!(prompt.as_str(), "## Rules\nBe kind.");
    assert_eq!(
        prompt.messages(),
        [prompt_core::Message::system("## Rules\nBe kind.")]
    );
}

#[test]
fn a_summary_of_a_list_leaves_its_full_form_alone() {
    let tree = |summary: Option<&str>| {
        let mut list = json!({ "key": "list", "value": "items", "item": "{item.name}: {item.text}", "item_key": "name" });
        if let Some(summary) = summary {
            list["summary"] = summary.into();
        }
        let tree = json!({ "key": "root", "sections": [list] }).to_string();
        let values =
            json!({ "items": [{ "name": "a", "text": "x" }, { "name": "b", "text": "y" }] });
        DynamicNode::from_json_with(&tree, values)
            .unwrap()
            .prompt()
            .text()
            .unwrap()
    };
    assert_eq!(tree(Some("{item.name}")), tree(None));
}

/// Histories, tools and `open_sections` count as the text does: every limit is tried, and each time the rule is followed
/// by hand.
#[test]
fn a_request_is_bounded_with_all_that_is_sent() {
    /// Run the mill.
    #[derive(PromptNode)]
    struct Mill {
        #[section(priority = 30, summary = "In short.")]
        almanac: Option<String>,
        #[section(priority = 20)]
        tools: Vec<ToolSpec>,
        #[section(messages, priority = 10)]
        history: Vec<Message>,
    }
    #[derive(Clone, Copy, Debug, PartialEq)]
    enum Part {
        Full,
        Short,
        Gone,
    }
    use Part::{Full, Gone, Short};

    let count = |text: &str| text.len();
    let nothing = json!({ "type": "object", "properties": {}, "required": [], "additionalProperties": false });
    let sent =
        |rendered: &RenderedPrompt| tokens::request(&rendered.messages(), rendered.tools(), &count);
    let mill = |[almanac, tools, history]: [Part; 3]| Mill {
        almanac: (almanac != Gone).then(|| "rain ".repeat(300)),
        tools: Vec::from_iter(
            (tools == Full).then(|| ToolSpec::new("grind", "Grinds.", nothing.clone()).unwrap()),
        ),
        history: Vec::from_iter((history == Full).then(|| Message::user("Grain, please."))),
    };
    let by_hand = |parts: [Part; 3]| {
        let mut overrides = Overrides::default();
        if parts[0] == Short {
            overrides.close("almanac");
        }
        let prompt = mill(parts);
        prompt.prompt().overrides(&overrides).render().unwrap()
    };
    let rule = |limit: usize| {
        let fits = |parts: [Part; 3]| sent(&by_hand(parts)) <= limit;
        let above = |kept: usize| [0, 1, 2].map(|at| if at < kept { Full } else { Gone });
        let kept = (0..=3).rev().find(|kept| fits(above(*kept)))?;
        let mut parts = above(kept);
        for at in kept..3 {
            let is_lost = parts[kept..at].contains(&Gone);
            let forms = [Full, Short].into_iter();
            let forms =
                forms.filter(|form| (*form == Full && !is_lost) || (*form == Short && at == 0));
            let with = |form| {
                let mut parts = parts;
                parts[at] = form;
                parts
            };
            parts = forms.map(with).find(|parts| fits(*parts)).unwrap_or(parts);
        }
        Some(parts)
    };
    let full = mill([Full; 3]);
    let forms = |at: usize| {
        [Full, Gone, Short]
            .into_iter()
            .take(if at == 0 { 3 } else { 2 })
    };
    let all = forms(0).flat_map(|a| forms(1).flat_map(move |b| forms(2).map(move |c| [a, b, c])));
    // Where one of them begins to fit, and where it just does not.
    let limits: BTreeSet<usize> = all
        .map(|parts| sent(&by_hand(parts)))
        .flat_map(|sum| [sum - 1, sum])
        .collect();
    let mut seen = Vec::new();
    for limit in limits {
        let budget = Budget::request(limit).counter(&count);
        let (rendered, expected) = (full.prompt().budget(budget).render(), rule(limit));
        let Some(parts) = expected else {
            assert!(rendered.is_err(), "{limit}");
            continue;
        };
        let (rendered, expected) = (rendered.unwrap(), by_hand(parts));
        assert_eq!(
            rendered.messages(),
            expected.messages(),
            "{limit} {parts:?}"
        );
        assert_eq!(
            rendered.tools().len(),
            expected.tools().len(),
            "{limit} {parts:?}"
        );
        let report = rendered.budget_report().unwrap();
        assert_eq!(report.used, sent(&rendered), "{limit} {parts:?}");
        assert_eq!(report.used, report.text + report.messages + report.tools);
        if seen.last() != Some(&parts) {
            seen.push(parts);
        }
    }
    assert_eq!(seen.first(), Some(&[Gone; 3]));
    assert!(
        seen.contains(&[Short, Full, Full]) && seen.contains(&[Full, Full, Gone]),
        "{seen:?}"
    );
    assert_eq!(seen.last(), Some(&[Full; 3]));
}

#[test]
fn a_budget_shows_what_it_was_given() {
    let shown = format!("{:?}", Budget::request(90).reserve(7));
    assert!(
        shown.contains("90") && shown.contains('7') && shown.contains("Request"),
        "{shown}"
    );
}

#[test]
fn a_report_can_be_read() {
    let twenty = "word ".repeat(20);
    let node = node(json!({ "key": "root", "body": "Head.", "sections": [
        { "key": "rules", "body": "Stay." },
        { "key": "notes", "priority": 2, "body": twenty, "summary": "Short.", "summary_suffix": "" },
        { "key": "rest", "priority": 1, "body": twenty },
    ] }));
    let report = |budget: Budget<'_>| {
        let rendered = node.prompt().budget(budget.counter(&words)).render();
        rendered.unwrap().budget_report().unwrap().to_string()
    };
    let text = report(Budget::tokens(20));
    let lines: Vec<&str> = text.lines().collect();
    assert!(lines[0].ends_with(" of 20 tokens"), "{text}");
    assert_eq!(lines[1], "rules (required, 3 tokens): kept, required");
    assert!(lines[2].starts_with("notes (2, "), "{text}");
    assert!(
        lines[2].ends_with("summarised, no room for its priority"),
        "{text}"
    );
    assert_eq!(
        lines[3],
        "rest (1, 22 tokens): dropped, no room for its priority"
    );
    let whole = report(Budget::request(1000));
    assert!(!whole.contains("(text"), "{whole}");
    let reduced = report(Budget::request(50));
    assert!(reduced.contains("messages 0, tools "), "{reduced}");
}
