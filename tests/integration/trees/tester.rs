//! What a tester that knows the library by its pages alone found: the smallest inputs.

use prompt_core::disclosure::Delivery;
use prompt_core::prompt::Numbering;
use prompt_core::{
    Budget, Disclosure, DynamicNode, Message, Overrides, Prompt, PromptError, PromptNode, Style,
    ToolCall,
};
use serde_json::{Value, json};

fn node(tree: Value, values: Value) -> DynamicNode {
    DynamicNode::from_json_with(&tree.to_string(), values).unwrap()
}

fn text(tree: Value, values: Value) -> String {
    node(tree, values).prompt().text().unwrap()
}

fn numbered(node: &DynamicNode) -> Prompt<'_, DynamicNode> {
    node.prompt().numbering(Numbering::Decimal)
}

fn letters(text: &str) -> usize {
    text.chars().count()
}

/// Text, preview, document, and a budget that cuts nothing.
fn at_all_doors<'n>(
    node: &'n DynamicNode,
    look: impl Fn(Prompt<'n, DynamicNode>) -> Prompt<'n, DynamicNode>,
) -> String {
    let prompt = || look(node.prompt());
    let text = prompt().text().unwrap();
    assert_eq!(prompt().preview().unwrap().text, text);
    assert_eq!(prompt().render().unwrap().as_str(), text);
    let budget = Budget::tokens(1 << 40);
    assert_eq!(prompt().budget(budget).text().unwrap(), text);
    let document = node.prompt().document().unwrap();
    assert_eq!(prompt().over(&document).text().unwrap(), text);
    text
}

#[test]
fn closed_sections_count_as_open_ones() {
    let list =
        json!({ "key": "k6", "untitled": true, "value": "l", "item": "x", "item_title": "T" });
    let tree = json!({ "key": "root", "sections": [
        { "key": "k1", "untitled": true, "summary": "S", "visibility": "summary", "sections": [list] },
        { "key": "k7" },
    ] });
    let node = node(tree, json!({ "l": [1] }));
    let text = at_all_doors(&node, |prompt| prompt.numbering(Numbering::Decimal));
    assert!(text.ends_with("# 2. K7"), "{text}");
    let mut open = Overrides::default();
    open.open("k1");
    let text = numbered(&node).overrides(&open).text().unwrap();
    assert_eq!(text, "# 1. T\n\nx\n\n# 2. K7");
}

#[test]
fn items_count_if_they_are_there() {
    let list = json!({ "key": "k1", "value": "l", "item": "x", "item_title": "T{item}" });
    let node = node(
        json!({ "key": "root", "sections": [list] }),
        json!({ "l": ["a", "b", "c"] }),
    );
    for (item, number) in [
        ("k1.0", "1.1. Ta"),
        ("k1.1", "1.2. Tb"),
        ("k1.2", "1.3. Tc"),
    ] {
        let text = at_all_doors(&node, |prompt| {
            prompt.numbering(Numbering::Decimal).focus(item)
        });
        assert_eq!(text, format!("# 1. K1\n\n## {number}\n\nx"), "{item}");
    }
    let tree = json!({ "key": "root", "sections": [
        { "key": "k", "value": "l", "item": "x", "item_title": "{item}" },
    ] });
    let text = self::numbered(&self::node(tree, json!({ "l": ["", "b"] })))
        .text()
        .unwrap();
    assert_eq!(text, "# 1. K\n\nx\n\n## 1.2. b\n\nx");
}

/// A title that prints nothing counts, and what is in its section counts on, seen or not.
#[test]
fn titles_of_nothing_count() {
    let tree = json!({ "key": "root", "sections": [
        { "key": "k1", "title": "{e}", "sections": [{ "key": "k3" }] }, { "key": "k6" },
    ] });
    let without = node(tree.clone(), json!({ "e": "" }));
    assert_eq!(numbered(&without).text().unwrap(), "# 2. K3\n\n# 3. K6");
    assert_eq!(
        at_all_doors(&without, |prompt| prompt
            .numbering(Numbering::Decimal)
            .focus("k6")),
        "# 3. K6"
    );
    let with = node(tree, json!({ "e": "E" }));
    assert_eq!(
        at_all_doors(&with, |prompt| prompt
            .numbering(Numbering::Decimal)
            .focus("k6")),
        "# 2. K6"
    );
}

/// Headings before a node that begins to number are none of its own, closed or not.
#[test]
fn numbers_begin_where_numbering_does() {
    let tree = json!({ "key": "root", "sections": [
        { "key": "k1", "untitled": true, "summary": "S", "visibility": "summary", "sections": [
            { "key": "k2", "title": "{e}", "sections": [{ "key": "k3" }] },
        ] },
        { "key": "k4", "untitled": true, "numbering": "decimal", "sections": [{ "key": "k5" }, { "key": "k6" }] },
    ] });
    let node = node(tree, json!({ "e": "" }));
    let text = at_all_doors(&node, |prompt| prompt);
    assert!(text.ends_with("# 1. K5\n\n# 2. K6"), "{text}");
    let text = at_all_doors(&node, |prompt| prompt.numbering(Numbering::Decimal));
    assert!(text.ends_with("# 3. K5\n\n# 4. K6"), "{text}");
}

/// A number that other values would change is no part of what never changes, wherever the slot of what changes it stands.
#[test]
fn numbers_end_the_static_prefix() {
    let tree = json!({ "key": "root", "body": "{k5}\n{?b}\n{k1}\n{/b}", "numbering": "decimal", "sections": [
        { "key": "k1", "untitled": true, "sections": [{ "key": "k4" }] }, { "key": "k5" },
    ] });
    let without = node(tree.clone(), json!({ "b": false }))
        .prompt()
        .render()
        .unwrap();
    assert_eq!((without.as_str(), without.static_prefix()), ("# 1. K5", 0));
    let with = node(tree, json!({ "b": true })).prompt().render().unwrap();
    assert_eq!(
        (with.as_str(), with.static_prefix()),
        ("# 2. K5\n# 1. K4", 0)
    );
}

#[test]
fn what_may_not_be_there_ends_the_static_prefix() {
    let prefix = |tree, values| {
        node(tree, values)
            .prompt()
            .render()
            .unwrap()
            .static_prefix()
    };
    let tree = json!({ "key": "root", "body": "*", "sections": [
        { "key": "k1", "untitled": true, "body": "{?b}x" },
    ] });
    assert_eq!(prefix(tree, json!({ "b": true })), 1);
    let tree = json!({ "key": "root", "sections": [
        { "key": "k1", "title": "T {s}", "sections": [{ "key": "k2", "value": "l" }] },
    ] });
    assert_eq!(prefix(tree, json!({ "s": "s", "l": ["a"] })), 0);
}

#[test]
fn a_budget_counts_what_would_be_printed() {
    let tree = json!({ "key": "root", "sections": [
        { "key": "k2", "priority": 0, "body": "x" }, { "key": "k3", "priority": 1, "body": "abc" },
    ] });
    let node = node(tree, json!({}));
    let fit = |limit| {
        node.prompt()
            .budget(Budget::tokens(limit).counter(&letters))
            .text()
    };
    assert_eq!(fit(9).unwrap(), "# K3\n\nabc");
    assert_eq!(fit(8).unwrap(), "");
}

/// What words a text has for a section that is gone are counted, too.
#[test]
fn a_budget_counts_what_texts_answer() {
    let tree = json!({ "key": "root", "body": "{?k}..{else}There is no such section, see elsewhere.{/k}", "sections": [
        { "key": "k", "priority": 0, "body": "Words of k, and more of them than there is room for." },
        { "key": "l", "priority": 1, "body": "L." },
    ] });
    let node = node(tree, json!({}));
    let fit = |limit| {
        node.prompt()
            .budget(Budget::tokens(limit).counter(&letters))
            .text()
    };
    let text = "There is no such section, see elsewhere.\n\n# L\n\nL.";
    assert_eq!(fit(letters(text)).unwrap(), text);
    assert_eq!(
        fit(letters(text) - 1).unwrap(),
        "There is no such section, see elsewhere."
    );
}

/// A section that is there for its `start` or `end` stays where a budget drops what is in it.
#[test]
fn dropped_is_as_absent() {
    for (frame, left) in [("start", "# K2\n\nS\n"), ("end", "# K2S")] {
        let words = if frame == "start" { "S\n" } else { "S" };
        let tree = json!({ "key": "root", "sections": [
            { "key": "k2", frame: words, "sections": [{ "key": "k3", "priority": 0 }] },
        ] });
        let dropped = node(tree.clone(), json!({}));
        let dropped = dropped
            .prompt()
            .budget(Budget::tokens(9).counter(&letters))
            .text()
            .unwrap();
        let mut absent = tree;
        absent["sections"][0]["sections"][0]["when"] = json!(false);
        assert_eq!(dropped, text(absent, json!({})));
        assert_eq!(dropped, left);
    }
}

#[test]
fn untrusted_leaves_the_marks_of_the_author() {
    let print = |body: &str, value: &str| {
        let tree = json!({ "key": "root", "body": body, "vars": { "s": { "untrusted": true } } });
        text(tree, json!({ "s": value }))
    };
    assert_eq!(print("- {s}\n- b", "\nx"), "- \\\nx\n- b");
    assert_eq!(print("- {s}\n- b", "  "), "-   \n- b");
    assert_eq!(print("- {s}\n- b", "- x"), "- \\- x\n- b");
    assert_eq!(print("- {s}\n- b", "---"), "- \\---\n- b");
    assert_eq!(print("---{s}", ""), "---");
    // The value makes of it what it is.
    assert_eq!(print("-{s}", " x"), "\\- x");
    assert_eq!(print("a\n{s}---", "b\n"), "a\nb\n\\---");
}

/// What loads with values is saved and loads again, and prints the same.
#[test]
fn ends_of_nothing_are_text_with_and_without_values() {
    let keys = [
        json!({ "key": "k", "title": "T {/zz} {s}" }),
        json!({ "key": "k", "body": "b", "summary": "S {/zz} {s}", "visibility": "summary" }),
        json!({ "key": "k", "body": "b", "tag": "t", "attr": { "p": "{/zz}{s}" } }),
        json!({ "key": "k", "body": "b {/zz} {s}" }),
        json!({ "key": "k", "body": "{s}\n\n```\n{?s}a{?t}x{/t}\n```" }),
        // Without values only `t` is known in code, for what `vars` says of it: it begins no line then.
        json!({ "key": "k", "body": "```\n{?s}{?t}a\n```" }),
    ];
    for section in keys {
        let values = json!({ "s": "x", "t": "t" });
        let vars = json!({ "t": { "json": true } });
        let tree = json!({ "key": "root", "vars": vars, "body": "{t}", "sections": [section] });
        let node = node(tree, values.clone());
        let saved = serde_json::to_string(&node).unwrap();
        let again = DynamicNode::from_json(&saved).unwrap_or_else(|faults| panic!("{faults}"));
        let again = again.bind(values).unwrap();
        assert_eq!(
            again.prompt().text().unwrap(),
            node.prompt().text().unwrap()
        );
    }
}

fn open(key: &str) -> [ToolCall; 1] {
    let arguments = json!({ "section_keys": [key], "reason": "to see it" });
    [ToolCall::new("1", "open_sections", arguments)]
}

/// A value that is fine alone and closes a tag of the whole prompt: the next prompt could not be printed.
#[test]
fn what_cannot_be_shown_is_an_error_of_handle() {
    let tree = json!({ "key": "root", "sections": [
        { "key": "k1", "tag": "a1", "body": "x" },
        { "key": "k2", "body": "{s}", "guard": "strict", "summary": "S", "visibility": "summary" },
    ] });
    let node = node(tree, json!({ "s": "</a1>" }));
    let mut disclosure = Disclosure::new(&node);
    let before = disclosure.render().unwrap();
    let state = disclosure.state().clone();
    let error = disclosure.handle(&open("k2")).unwrap_err();
    assert!(error.to_string().contains("section `k2`"), "{error}");
    assert_eq!(disclosure.state(), &state);
    assert_eq!(disclosure.render().unwrap().as_str(), before.as_str());
}

#[test]
fn what_has_nothing_to_show_says_so() {
    let closed = |key| json!({ "key": key, "untitled": true, "body": "{?b}x", "summary": "S", "visibility": "summary" });
    let more = json!({ "key": "more", "body": "Words.", "summary": "S", "visibility": "summary" });
    let node = node(
        json!({ "key": "root", "sections": [closed("k1"), more] }),
        json!({ "b": false }),
    );
    for delivery in [Delivery::Rerender, Delivery::Append] {
        let mut disclosure = Disclosure::new(&node).delivery(delivery);
        let answers = disclosure.handle(&open("k1")).unwrap();
        assert_eq!(
            answers[0].content,
            "Opened, with nothing in it to show: 'k1'."
        );
        let mut disclosure = Disclosure::new(&node).delivery(delivery);
        let keys = json!({ "section_keys": ["k1", "more"], "reason": "" });
        let answers = disclosure
            .handle(&[ToolCall::new("1", "open_sections", keys)])
            .unwrap();
        assert_eq!(
            answers[0].content,
            match delivery {
                Delivery::Append => "# More\n\nWords.\n\nOpened, with nothing in it to show: 'k1'.",
                _ =>
                    "Now shown in full in the prompt: 'more'. Opened, with nothing in it to show: 'k1'.",
            }
        );
    }
}

#[test]
fn empty_words_are_no_summary() {
    let tree = json!({ "key": "root", "sections": [
        { "key": "k", "value": "s", "empty": "None.", "summary": "S", "visibility": "summary" },
    ] });
    let node = node(tree, json!({ "s": "" }));
    let rendered = node.prompt().render().unwrap();
    assert_eq!(rendered.as_str(), "# K\n\nNone.");
    assert_eq!(
        rendered.sections()[0].visibility,
        prompt_core::Visibility::Full
    );
    assert!(rendered.tools().is_empty());
}

#[test]
fn last_stands_before_the_last_item_that_prints() {
    let list = json!({ "key": "k", "value": "l", "item": "{item}", "join": ", ", "last": " or " });
    let tree = json!({ "key": "root", "sections": [list] });
    assert_eq!(
        text(tree.clone(), json!({ "l": ["a", "b", ""] })),
        "# K\n\na or b"
    );
    assert_eq!(
        text(tree, json!({ "l": ["a", "b", "c", ""] })),
        "# K\n\na, b or c"
    );
    let list = json!({
        "key": "k", "value": "l", "item": "{item.t}", "item_key": "k", "untitled_items": true, "join": ", ", "last": " or ",
    });
    let items =
        json!({ "l": [{ "k": "a", "t": "x" }, { "k": "b", "t": "y" }, { "k": "c", "t": "" }] });
    assert_eq!(
        text(json!({ "key": "root", "sections": [list] }), items),
        "# K\n\nx or y"
    );
}

#[test]
fn previews_name_values_in_the_order_of_the_text() {
    let tree =
        json!({ "key": "root", "sections": [{ "key": "k", "value": "l", "item": "{item}" }] });
    let preview = node(tree, json!({ "l": ["a", "b"] }))
        .prompt()
        .preview()
        .unwrap();
    let values = preview
        .values
        .iter()
        .map(|value| (value.name.as_str(), value.range.clone()));
    assert_eq!(
        values.collect::<Vec<_>>(),
        [("k", 5..8), ("item", 5..6), ("item", 7..8)]
    );
}

/// The short form of what stands on the way to a focus names all that is in it, through a document, too.
#[test]
fn previews_of_documents_are_those_of_nodes() {
    let tree = json!({ "key": "root", "sections": [
        { "key": "k2", "summary": "S", "sections": [{ "key": "k3" }, { "key": "k4" }] },
    ] });
    let node = node(tree, json!({}));
    let document = node.prompt().document().unwrap();
    let [one, two] = [
        node.prompt().focus("k2.k4").preview(),
        document.prompt().focus("k2.k4").preview(),
    ]
    .map(|preview| json!(preview.unwrap()));
    assert_eq!(one, two);
    assert!(one.to_string().contains("subsections: k3, k4"), "{one}");
}

#[test]
fn no_level_lies_above_the_base_level() {
    let inner = json!({
        "key": "k2", "untitled": true, "body": "### w", "sections": [{ "key": "k4", "level": 2 }],
    });
    let node = node(json!({ "key": "root", "sections": [inner] }), json!({}));
    let at = |level| node.prompt().base_level(level).text().unwrap();
    assert_eq!(at(1), "# w\n\n# K4");
    assert_eq!(at(3), "### w\n\n### K4");
}

#[test]
fn what_holds_nothing_but_messages_leaves_nothing() {
    let turn = |key: &str, role: &str| json!({ "key": key, "role": role, "body": "Hi." });
    let tree = json!({ "key": "root", "body": "W", "sections": [
        { "key": "k1", "sections": [turn("u", "user"), { "key": "k2", "sections": [turn("a", "assistant")] }] },
        { "key": "k3", "tag": "part", "sections": [turn("u", "user"), { "key": "z", "body": "Q" }] },
    ] });
    let node = node(tree, json!({}));
    for (style, system) in [
        (Style::Markdown, "W\n\n<part>\n\n# Z\n\nQ\n</part>"),
        (Style::Xml, "W\n\n<part>\n\n  <z>\nQ\n  </z>\n</part>"),
    ] {
        assert_eq!(
            node.prompt().style(style).render().unwrap().messages(),
            [
                Message::system(system),
                Message::user("Hi."),
                Message::assistant("Hi."),
                Message::user("Hi."),
            ]
        );
    }
}

/// A summary is words of a section, also of one that holds nothing but sections.
#[test]
fn summaries_stand_in_messages() {
    let closed = json!({ "key": "k5", "summary": "s", "visibility": "summary", "sections": [{ "key": "k6" }] });
    let tree = json!({ "key": "root", "sections": [
        { "key": "k2", "sections": [{ "key": "k3", "role": "user", "body": "x" }, closed] },
    ] });
    let messages = node(tree, json!({})).prompt().render().unwrap().messages();
    let [system, turn] = &*messages else {
        panic!("{messages:?}")
    };
    assert!(
        system.text().starts_with("# K2\n\n## K5\n\ns\n\n---"),
        "{system:?}"
    );
    assert_eq!(*turn, Message::user("x"));
}

/// Blanks and line breaks alone are no message, be it a value's or the line break of an `end`.
#[test]
fn a_turn_of_nothing_is_no_message() {
    let turn = json!({ "key": "k", "role": "user", "body": "{t}", "end": "\n" });
    let tree = json!({ "key": "root", "sections": [turn] });
    let messages = |words| {
        node(tree.clone(), json!({ "t": words }))
            .prompt()
            .render()
            .unwrap()
            .messages()
    };
    assert_eq!(messages(""), []);
    assert_eq!(messages("  "), []);
    assert_eq!(messages("Hi."), [Message::user("Hi.\n")]);
}

/// What must stay is too much for a budget by as much as it says.
#[test]
fn what_is_needed_fits() {
    let node = node(
        json!({ "key": "root", "sections": [{ "key": "k2", "body": "x", "end": "E" }] }),
        json!({}),
    );
    let fit = |limit| {
        node.prompt()
            .budget(Budget::tokens(limit).counter(&letters))
            .text()
    };
    let Err(PromptError::Budget { needed, .. }) = fit(0) else {
        panic!()
    };
    assert_eq!(letters(&fit(needed).unwrap()), needed);
    assert!(fit(needed - 1).is_err());
}

/// You answer.
#[derive(PromptNode)]
#[prompt(numbering)]
struct Numbered {
    /// Be brief.
    #[section]
    first: (),
    #[section(messages)]
    history: Vec<Message>,
    /// Be kind.
    #[section]
    second: (),
}

/// A history has no heading, there or not.
#[test]
fn histories_are_not_counted() {
    for history in [vec![], vec![Message::user("Hello.")]] {
        let node = Numbered {
            first: (),
            history,
            second: (),
        };
        let text = node.prompt().text().unwrap();
        assert_eq!(
            text,
            "You answer.\n\n# 1. First\n\nBe brief.\n\n# 2. Second\n\nBe kind."
        );
    }
}

#[test]
fn items_that_hold_messages_stand_apart() {
    let example = |n: u8| {
        json!({ "key": format!("e{n}"), "untitled": true, "sections": [
            { "key": "q", "role": "user", "body": format!("q{n}") },
            { "key": "a", "role": "assistant", "body": format!("a{n}") },
        ] })
    };
    let list = json!({ "key": "ex", "sections": [example(1), example(2)] });
    let tree = json!({ "key": "root", "sections": [{ "key": "n", "body": "n" }, list, { "key": "m", "body": "m" }] });
    let text = node(tree, json!({})).prompt().text().unwrap();
    assert!(text.ends_with("q1\n\na1\n\nq2\n\na2\n\n# M\n\nm"), "{text}");
}

/// You look.
#[derive(prompt_core::PromptNode)]
struct Desk {
    #[section]
    rule: String,
    #[section]
    examples: Vec<Turns>,
    #[section]
    more: String,
}

#[derive(prompt_core::PromptNode)]
struct Turns {
    #[section(role = "user")]
    asked: String,
    #[section(role = "assistant")]
    said: String,
}

#[test]
fn nodes_in_a_list_that_hold_messages_stand_apart() {
    let turns = |n: u8| Turns {
        asked: format!("q{n}"),
        said: format!("a{n}"),
    };
    let mut desk = Desk {
        rule: "r".into(),
        examples: vec![turns(1), turns(2)],
        more: "m".into(),
    };
    let text = |desk: &Desk| desk.prompt().text().unwrap();
    assert_eq!(
        text(&desk),
        "You look.\n\n# Rule\n\nr\n\nq1\n\na1\n\nq2\n\na2\n\n# More\n\nm"
    );
    desk.rule.clear();
    assert_eq!(
        text(&desk),
        "You look.\n\nq1\n\na1\n\nq2\n\na2\n\n# More\n\nm"
    );
    desk.examples.clear();
    assert_eq!(text(&desk), "You look.\n\n# More\n\nm");
}

#[test]
fn an_untrusted_value_ends_the_static_prefix_on_its_own_line() {
    let body = "One.\n\nThis line never changes.\n\n- {v}";
    let before = "One.\n\nThis line never changes.\n\n";
    for (untrusted, marker) in [(false, "- "), (true, "")] {
        let tree =
            json!({ "key": "root", "vars": { "v": { "untrusted": untrusted } }, "body": body });
        let rendered = node(tree, json!({ "v": "x" })).prompt().render().unwrap();
        let found = &rendered.as_str()[..rendered.static_prefix()];
        assert_eq!(found, format!("{before}{marker}"), "{untrusted}");
    }
}
