//! What use has found: the more important part stays, every kind of section can be reduced, and errors say what is to
//! blame.

use prompt_agent::Conversation;
use prompt_core::Budget;
use prompt_core::DynamicNode;
use prompt_core::Message;
use prompt_core::Overrides;
use prompt_core::PromptError;
use prompt_core::PromptNode;
use prompt_core::RenderedPrompt;
use prompt_core::Style;
use prompt_core::ToolSpec;
use prompt_core::Visibility;
use prompt_core::budget::{Outcome, Policy, Reason, TooLarge};
use prompt_core::tokens;
use serde_json::{Value, json};
use std::{
    collections::BTreeSet,
    sync::atomic::{AtomicUsize, Ordering},
};

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
        #[section(priority = 5, summary = "Few.")]
        notes: Option<String>,
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
    let mill = |[almanac, tools, history, notes]: [Part; 4]| Mill {
        almanac: (almanac != Gone).then(|| "rain ".repeat(300)),
        tools: Vec::from_iter(
            (tools == Full)
                .then(|| ToolSpec::new("grind", "Grinds. ".repeat(40), nothing.clone()).unwrap()),
        ),
        history: Vec::from_iter((history == Full).then(|| Message::user("Grain, please."))),
        notes: (notes != Gone).then(|| "grist ".repeat(90)),
    };
    let by_hand = |parts: [Part; 4]| {
        let mut overrides = Overrides::default();
        for (at, path) in [(0, "almanac"), (3, "notes")] {
            if parts[at] == Short {
                overrides.close(path);
            }
        }
        let prompt = mill(parts);
        prompt.prompt().overrides(&overrides).render().unwrap()
    };
    let full = mill([Full; 4]);
    let budget = Budget::request(1 << 20).counter(&count);
    let kept = full.prompt().keep_tool(true).budget(budget);
    let kept = kept.render().unwrap();
    let is_open = |tool: &&ToolSpec| tool.name() == "open_sections";
    let open = kept.tools().iter().find(is_open).unwrap();
    // What is not there cannot be opened, but what the budget drops can.
    let cost = |parts: [Part; 4]| {
        let rendered = by_hand(parts);
        let mut tools: Vec<ToolSpec> = rendered.tools().to_vec();
        for tool in tools.iter_mut().filter(|tool| is_open(&&**tool)) {
            tool.clone_from(open);
        }
        tokens::request(&rendered.messages(), &tools, &count)
    };
    let rule = |limit: usize| {
        let fits = |parts: [Part; 4]| cost(parts) <= limit;
        let above = |kept: usize| [0, 1, 2, 3].map(|at| if at < kept { Full } else { Gone });
        let kept = (0..=4).rev().find(|kept| fits(above(*kept)))?;
        let mut parts = above(kept);
        for at in kept..4 {
            let is_lost = parts[kept..at].contains(&Gone);
            let forms = [Full, Short].into_iter();
            let forms = forms.filter(|form| {
                (*form == Full && !is_lost) || (*form == Short && matches!(at, 0 | 3))
            });
            let with = |form| {
                let mut parts = parts;
                parts[at] = form;
                parts
            };
            parts = forms.map(with).find(|parts| fits(*parts)).unwrap_or(parts);
        }
        Some(parts)
    };
    let forms = [Full, Gone, Short];
    let all = forms.iter().flat_map(|a| {
        let rest = (0..4).flat_map(|rest| forms.map(move |d| (rest, d)));
        let part = |is_there: bool| if is_there { Full } else { Gone };
        rest.map(move |(rest, d)| [*a, part(rest & 1 == 0), part(rest & 2 == 0), d])
    });
    // Where one of them begins to fit, and where it just does not.
    let limits: BTreeSet<usize> = all.map(cost).flat_map(|sum| [sum - 1, sum]).collect();
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
    assert_eq!(seen.first(), Some(&[Gone; 4]));
    assert!(
        seen.contains(&[Short, Full, Full, Short]) && seen.contains(&[Short, Gone, Gone, Short]),
        "{seen:?}"
    );
    assert_eq!(seen.last(), Some(&[Full; 4]));
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
        { "key": "notes", "priority": 2, "body": "word ".repeat(60), "summary": "Short." },
        { "key": "rest", "priority": 1, "body": twenty },
    ] }));
    let report = |budget: Budget<'_>| {
        let rendered = node.prompt().budget(budget.counter(&words)).render();
        rendered.unwrap().budget_report().unwrap().to_string()
    };
    let text = report(Budget::tokens(30));
    let lines: Vec<&str> = text.lines().collect();
    assert!(lines[0].ends_with(" of 30 tokens"), "{text}");
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
    let reduced = report(Budget::request(60));
    assert!(reduced.contains("messages 0, tools "), "{reduced}");
}

/// A counter that sees more, or less, in a whole than in its parts leads the sums astray.
#[test]
fn a_search_from_a_wrong_guess_is_short() {
    let count = 500_usize;
    let mut root = DynamicNode::builder("root");
    for index in 0..count {
        let section = DynamicNode::builder(format!("s{index}")).body("some words of text");
        root = root.section(section.priority(i32::try_from(index).unwrap()));
    }
    let node = root.build().unwrap();
    let more = |text: &str| text.len() + text.len() * text.len() / 1000;
    let less = |text: &str| text.len().isqrt();
    let counters: [&(dyn Fn(&str) -> usize + Sync); 2] = [&more, &less];
    for counter in counters {
        let whole = counter(&node.prompt().text().unwrap());
        for percent in [3, 30, 97] {
            let calls = AtomicUsize::new(0);
            let counted = |text: &str| {
                calls.fetch_add(1, Ordering::Relaxed);
                counter(text)
            };
            let budget = Budget::tokens(whole * percent / 100).counter(&counted);
            node.prompt().budget(budget).render().unwrap();
            let calls = calls.load(Ordering::Relaxed);
            assert!(calls <= count + 4 * 9 + 8, "{calls} calls");
        }
    }
}

#[test]
fn a_summary_that_is_no_cheaper_is_none() {
    let tree = |length: usize| {
        node(json!({ "key": "root", "body": "Head.", "sections": [
            { "key": "first", "priority": 2, "body": "word ".repeat(50) },
            { "key": "second", "priority": 1, "body": "word ".repeat(length), "summary": "a b c" },
        ] }))
    };
    let mut overrides = Overrides::default();
    overrides.close("second");
    let closed = tree(1).prompt().overrides(&overrides).text().unwrap();
    let (_, summary) = closed.split_once("# Second").unwrap();
    // The first is lost, so the second may not be shown in full.
    let shows = |length| within(&tree(length), 40).contains("a b c");
    assert!(shows(words(summary) + 1) && !shows(words(summary)));
}

#[test]
fn the_largest_of_what_was_opened_is_to_blame() {
    let part = |key: &str, words: usize| json!({ "key": key, "priority": 5, "body": "open ".repeat(words), "summary": "short" });
    let node = node(json!({ "key": "root", "sections": [part("first", 40), part("second", 20)] }));
    let mut overrides = Overrides::default();
    overrides.open("first").open("second");
    let prompt = node.prompt().overrides(&overrides);
    let error = prompt
        .budget(Budget::tokens(30).counter(&words))
        .render()
        .unwrap_err();
    assert!(error.to_string().contains("`first`"), "{error}");
}

/// What is too large is called what it is: opened, required, or a history, which a budget does not shorten.
#[test]
fn an_error_says_what_takes_the_most() {
    let fault = |tree: Value, open: Option<&str>, budget: Budget<'_>| {
        let node = node(tree);
        let mut overrides = Overrides::default();
        if let Some(path) = open {
            overrides.open(path);
        }
        let prompt = node.prompt().overrides(&overrides);
        prompt.budget(budget).render().unwrap_err()
    };
    let five = || Budget::tokens(5).counter(&words);
    let said = |error: &PromptError| {
        let PromptError::Budget { cause, path, .. } = error else {
            panic!("{error}");
        };
        (*cause, path.clone(), error.to_string())
    };
    let ten = "word ".repeat(10);
    let part = |keys: Value| {
        let mut part = json!({ "key": "big", "body": ten });
        let keys = keys.as_object().unwrap().clone();
        part.as_object_mut().unwrap().extend(keys);
        json!({ "key": "root", "body": "Root.", "sections": [part] })
    };
    let (required, opened) = (TooLarge::Required, TooLarge::Opened);
    let big = || Some("big".to_owned());
    let closed = json!({ "summary": "short", "visibility": "summary" });
    let needs = "the parts that must stay need 13 tokens, and the budget has 5";
    for (keys, open, expected) in [
        (
            json!({}),
            None,
            (
                required,
                big(),
                format!("{needs}; the largest is the section `big`"),
            ),
        ),
        // Opened, but it would be there without.
        (
            json!({}),
            Some("big"),
            (
                required,
                big(),
                format!("{needs}; the largest is the section `big`"),
            ),
        ),
        (
            json!({ "priority": 1 }),
            Some("big"),
            (
                opened,
                big(),
                format!("with the opened section `big` {needs}"),
            ),
        ),
        (
            closed,
            Some("big"),
            (
                opened,
                big(),
                format!("with the opened section `big` {needs}"),
            ),
        ),
    ] {
        assert_eq!(said(&fault(part(keys), open, five())), expected);
    }
    let root = json!({ "key": "root", "body": ten, "sections": [{ "key": "small", "body": "a" }] });
    let (cause, path, text) = said(&fault(root, None, five()));
    assert_eq!((cause, path), (required, None));
    assert_eq!(
        text,
        "the parts that must stay need 13 tokens, and the budget has 5"
    );
}

/// A history that is too long is named, and what shortens it.
#[test]
fn an_error_names_a_history_that_is_too_long() {
    /// You run the mill.
    #[derive(PromptNode)]
    struct Mill {
        #[section(priority = 9, summary = "On the almanac.")]
        almanac: String,
        #[section(messages)]
        history: Vec<Message>,
        #[section(messages)]
        letters: Vec<Message>,
    }
    let mill = |almanac: usize, history: usize, letters: usize| Mill {
        almanac: "rain ".repeat(almanac),
        history: vec![Message::user("grain ".repeat(history))],
        letters: vec![Message::user("dear ".repeat(letters))],
    };
    let fault = |mill: &Mill, open: bool| {
        let mut overrides = Overrides::default();
        if open {
            overrides.open("almanac");
        }
        let prompt = mill.prompt().overrides(&overrides);
        let error = prompt.budget(Budget::request(20).counter(&words)).render();
        error.unwrap_err().to_string()
    };
    let needs = |tokens| {
        format!("the parts that must stay need {tokens} tokens, and the budget has 20; the history")
    };
    let remedy = "of them: compact it, see `prompt_core::compaction`, with `clear_tool_results` where one question \
        makes many calls";
    let one = fault(&mill(40, 30, 0), false);
    let alone = "of them, its message 1 alone takes 30: shorten that one, or take it back";
    assert!(
        one.contains(" of section `history` takes 30 ") && one.ends_with(alone),
        "{one}"
    );
    assert_eq!(
        fault(&mill(0, 30, 12), false),
        format!("{} takes 42 {remedy}", needs(46))
    );
    // It is the section that was opened, where that takes more.
    let opened = fault(&mill(40, 30, 0), true);
    assert!(
        opened.starts_with("with the opened section `almanac`"),
        "{opened}"
    );
    // The text alone is bounded: no history is to blame.
    let text = mill(0, 90, 0);
    let error = text
        .prompt()
        .budget(Budget::tokens(2).counter(&words))
        .render()
        .unwrap_err();
    assert!(!error.to_string().contains("history"), "{error}");

    let mut conversation = Conversation::default();
    conversation.begin("grain ".repeat(30));
    let error = conversation
        .prompt("Answer.")
        .budget(Budget::request(20).counter(&words))
        .render();
    let error = error.unwrap_err().to_string();
    assert!(
        error.contains("; the history takes 30 ") && error.ends_with(alone),
        "{error}"
    );
}

/// "No room" is said only where there is none: a level stays or goes as a whole, and room is not spent on what matters less.
#[test]
fn a_report_says_no_room_only_where_there_is_none() {
    let part = |key: &str, priority: i32, words: usize| json!({ "key": key, "priority": priority, "untitled": true, "body": "word ".repeat(words) });
    let node = node(json!({ "key": "root", "sections": [
        part("first", 9, 4), part("large", 5, 30), part("beside", 5, 3), part("less", 1, 6), part("least", 1, 7),
    ] }));
    let reasons = |policy| {
        let budget = Budget::tokens(10).counter(&words).policy(policy);
        let rendered = node.prompt().budget(budget).render().unwrap();
        let sections = &rendered.budget_report().unwrap().sections;
        sections
            .iter()
            .map(|section| section.reason)
            .collect::<Vec<_>>()
    };
    use Reason::{Fits, Level, Priority};
    assert_eq!(
        reasons(Policy::Cutoff),
        [Fits, Priority, Level, Level, Priority]
    );
    assert_eq!(
        reasons(Policy::Prefix),
        [Fits, Priority, Level, Level, Priority]
    );
    assert_eq!(
        reasons(Policy::Greedy),
        [Fits, Priority, Fits, Priority, Priority]
    );
    assert_eq!(Level.to_string(), "not all of its priority and above fits");
}

#[test]
fn a_report_says_why_what_is_inside_went() {
    let twenty = "word ".repeat(20);
    let node = node(json!({ "key": "root", "body": "Head.", "sections": [
        { "key": "outer", "priority": 1, "body": twenty, "sections": [{ "key": "inner", "body": "a" }] },
        { "key": "wrapper", "sections": [{ "key": "inner", "priority": 1, "body": twenty }] },
    ] }));
    let prompt = node.prompt().budget(Budget::tokens(10).counter(&words));
    let rendered = prompt.render().unwrap();
    let sections = &rendered.budget_report().unwrap().sections;
    let reasons = sections
        .iter()
        .map(|section| (section.path.as_str(), section.reason));
    assert_eq!(
        reasons.collect::<Vec<_>>(),
        [
            ("outer", Reason::Priority),
            ("outer.inner", Reason::Parent),
            ("wrapper", Reason::Emptied),
            ("wrapper.inner", Reason::Priority),
        ]
    );
}

#[test]
fn a_declared_summary_stays_below_a_level_that_was_lost() {
    let node = node(json!({ "key": "root", "body": "Head.", "sections": [
        { "key": "first", "priority": 2, "body": "word ".repeat(60) },
        { "key": "second", "priority": 1, "visibility": "summary", "body": "long", "summary": "Short." },
    ] }));
    let text = within(&node, 40);
    assert!(text.contains("Short.") && !text.contains("First"), "{text}");
}

#[test]
fn an_empty_wrapper_takes_no_room() {
    let tree = |first: Value| {
        node(json!({ "key": "root", "body": "Head.", "sections": [
            first,
            { "key": "second", "priority": 2, "body": "word ".repeat(60), "summary": "Short." },
        ] }))
    };
    let mut overrides = Overrides::default();
    overrides.close("second");
    let short = tree(json!({ "key": "first", "priority": 3, "when": false, "body": "x" }));
    let closed = short.prompt().overrides(&overrides).text().unwrap();
    let inner = json!({ "key": "inner", "body": "word ".repeat(60) });
    let wrapper = json!({ "key": "wrapper", "title": "Of four words indeed", "priority": 3, "sections": [inner] });
    assert_eq!(within(&tree(wrapper), words(&closed)), closed);
}

/// The parts promise more room than there is: the guess fits by its sums, and its text does not.
#[test]
fn a_guess_that_is_too_much_is_taken_back() {
    let twenty = "word ".repeat(20);
    let section =
        |index: u32| json!({ "key": format!("s{index}"), "priority": 10 - index, "body": twenty });
    let mut sections: Vec<Value> = (0..9).map(section).collect();
    sections.push(json!({ "key": "end", "priority": 1, "body": "end" }));
    let node = node(json!({ "key": "root", "body": "Head.", "sections": sections }));
    let counter = |text: &str| {
        let is_cut = text.starts_with("Head.") && !text.contains("# End");
        words(text) + if is_cut { 100 } else { 0 }
    };
    let prompt = node.prompt().budget(Budget::tokens(130).counter(&counter));
    let rendered = prompt.render().unwrap();
    assert_eq!(rendered.budget_report().unwrap().used, 1 + 22 + 100);
}

#[test]
fn sections_know_what_the_budget_counted() {
    let node = node(
        json!({ "key": "root", "sections": [{ "key": "part", "priority": 1, "body": "one two three" }] }),
    );
    let rendered = node
        .prompt()
        .budget(Budget::tokens(9).counter(&words))
        .render()
        .unwrap();
    let counted: Vec<_> = rendered
        .sections()
        .iter()
        .map(|section| section.tokens)
        .collect();
    assert_eq!(counted, [Some(5)]);
}

/// `open_sections` is sent although nothing is summarised, so it is counted.
#[test]
fn a_tool_that_is_kept_is_counted() {
    let node = node(json!({ "key": "root", "body": "Head.", "sections": [
        { "key": "notes", "priority": 2, "body": "Some notes.", "summary": "Short." },
    ] }));
    let used = |keep: bool, limit: usize| {
        let budget = Budget::request(limit).counter(&words);
        let rendered = node.prompt().keep_tool(keep).budget(budget).render();
        rendered.map(|rendered| {
            let report = rendered.budget_report().unwrap();
            assert_eq!(rendered.tools().len(), usize::from(keep));
            (report.used, report.tools)
        })
    };
    let (without, none) = used(false, 10_000).unwrap();
    let (with, tools) = used(true, 10_000).unwrap();
    assert_eq!(none, 0);
    assert!(tools > 10 && with == without + tools, "{with} {tools}");
    // The limit that the tool would break is kept without the notes, or not at all.
    assert!(used(true, with).is_ok());
    assert!(
        used(true, with - 1).is_ok_and(|(used, _)| used < with) || used(true, with - 1).is_err()
    );
}

/// A wrapper of which nothing is left is gone for its text too, not only on the page.
#[test]
fn a_text_does_not_speak_of_an_emptied_wrapper() {
    let node = node(
        json!({ "key": "root", "body": "{?wrapper}See below. {/wrapper}Head.", "sections": [
            { "key": "wrapper", "sections": [{ "key": "inner", "priority": 1, "body": "word ".repeat(20) }] },
        ] }),
    );
    assert!(within(&node, 40).starts_with("See below. Head.\n\n# Wrapper\n\n## Inner\n\nword"));
    assert_eq!(within(&node, 10), "Head.");
    let budget = Budget::tokens(10).counter(&words);
    let rendered = node.prompt().budget(budget).render().unwrap();
    assert_eq!(rendered.visibility().get("wrapper"), None);
}

/// The tool for opening comes with the first summary that stays, not with one that was tried in vain.
#[test]
fn a_summary_that_is_taken_back_takes_its_tool_along() {
    let part = |key: &str, priority: i32, short: usize| {
        json!({ "key": key, "priority": priority, "untitled": true, "body": "long ".repeat(400),
            "summary": vec![key; short].join(" ") })
    };
    let node = node(
        json!({ "key": "root", "body": "Head.", "summary_suffix": "(more)", "sections": [
            part("first", 9, 300), part("second", 5, 14), part("third", 1, 2),
        ] }),
    );
    let count = |text: &str| text.chars().count();
    let mut overrides = Overrides::default();
    for key in ["first", "second", "third"] {
        overrides.close(key);
    }
    let whole = node.prompt().overrides(&overrides);
    let whole = whole.budget(Budget::request(1_000_000).counter(&count));
    let tool = whole.render().unwrap().budget_report().unwrap().tools;
    // Room for the tool and the shortest of them, or for the second without the tool.
    let limit = tool + 60;
    let rendered = node
        .prompt()
        .budget(Budget::request(limit).counter(&count))
        .render()
        .unwrap();
    assert_eq!(rendered.as_str(), "Head.\n\nthird third\n\n(more)");
}

/// What is inside a summary is covered by it; what a summary lacks is the rest of its section, not the whole of it.
#[test]
fn a_report_knows_what_a_summary_covers_and_what_it_lacks() {
    let part = |key: &str, count: usize| json!({ "key": key, "priority": 5, "untitled": true, "body": "word ".repeat(count) });
    let mut short = part("short", 6);
    short["summary"] = json!("a b c d");
    short["sections"] = json!([{ "key": "inner", "untitled": true, "body": "word ".repeat(4) }]);
    let node = node(
        json!({ "key": "root", "summary_suffix": "(more)", "sections": [short, part("large", 30)] }),
    );
    let budget = Budget::tokens(10).counter(&words);
    let rendered = node.prompt().budget(budget).render().unwrap();
    assert_eq!(rendered.as_str(), "a b c d\n\n(more)");
    let sections = &rendered.budget_report().unwrap().sections;
    let reasons = sections
        .iter()
        .map(|section| (section.path.as_str(), section.outcome, section.reason));
    assert_eq!(
        reasons.collect::<Vec<_>>(),
        [
            // Two words are missing, and five are free.
            ("short", Outcome::Summarised, Reason::Level),
            ("short.inner", Outcome::Dropped, Reason::Covered),
            ("large", Outcome::Dropped, Reason::Priority),
        ]
    );
}

/// Where both take the same a history is to blame: it can be compacted.
#[test]
fn a_history_is_blamed_where_it_takes_as_much_as_the_largest_section() {
    let node = node(
        json!({ "key": "root", "sections": [{ "key": "a", "untitled": true, "body": "word ".repeat(12) }] }),
    );
    let mut same = 0;
    for count in 1..30 {
        let prompt = || {
            node.prompt()
                .history([Message::user("said ".repeat(count))])
        };
        let whole = prompt().budget(Budget::request(1000).counter(&words));
        let whole = whole.render().unwrap();
        let report = whole.budget_report().unwrap();
        let (history, section) = (report.messages, report.sections[0].tokens);
        let error = prompt().budget(Budget::request(3).counter(&words)).render();
        let Err(PromptError::Budget { cause, .. }) = error else {
            panic!("{count}: it does not fit");
        };
        let expected = match history >= section {
            true => TooLarge::History {
                tokens: history,
                longest: Some((0, history)),
            },
            false => TooLarge::Required,
        };
        assert_eq!(cause, expected, "{count}");
        same += usize::from(history == section);
    }
    assert_eq!(same, 1);
}
