//! `start` and `end` stand in messages byte for byte as in the text.

use prompt_core::message::CachePoint;
use prompt_core::{Budget, DynamicNode, Message, PromptNode, Role, Style};
use serde_json::{Value, json};

fn messages(tree: &Value, style: Style) -> Vec<Message> {
    let node = DynamicNode::from_json(&tree.to_string()).unwrap();
    let prompt = || node.prompt().style(style);
    let messages = prompt().render().unwrap().messages();
    let roomy = prompt().budget(Budget::tokens(10_000)).render().unwrap();
    assert_eq!(roomy.messages(), messages, "{tree}");
    messages
}

fn texts(tree: &Value, style: Style) -> Vec<String> {
    let messages = messages(tree, style);
    messages
        .iter()
        .map(|message| format!("{:?}: {}", message.role, message.text()))
        .collect()
}

#[test]
fn a_system_text_keeps_the_line_breaks_of_start_and_end() {
    let tree = json!({ "key": "root", "start": "\n[go]\n", "end": "\n[over]\n", "body": "Words." });
    for style in [Style::Markdown, Style::Xml] {
        assert_eq!(texts(&tree, style), ["System: \n[go]\nWords.\n[over]\n"]);
    }
    let node = DynamicNode::from_json(&tree.to_string()).unwrap();
    assert_eq!(node.prompt().text().unwrap(), "\n[go]\nWords.\n[over]\n");
    let in_xml = node.prompt().style(Style::Xml).text().unwrap();
    assert_eq!(in_xml, "\n[go]\nWords.\n[over]\n\n");
}

#[test]
fn the_same_around_turns_and_in_them() {
    let turn = |key: &str, role: &str| json!({ "key": key, "role": role, "body": "Hello.", "start": "\n", "end": "\n---\n\n" });
    let tree = json!({
        "key": "root", "start": "[go]\n\n", "end": "\n\n[over]\n", "body": "Words.",
        "sections": [
            turn("a", "user"),
            turn("b", "assistant"),
            { "key": "c", "untitled": true, "body": "More.", "end": "\n" },
            turn("d", "user"),
        ],
    });
    assert_eq!(
        texts(&tree, Style::Markdown),
        [
            "System: [go]\n\nWords.\n\nMore.\n\n\n[over]\n",
            "User: \nHello.\n---\n\n",
            "Assistant: \nHello.\n---\n\n",
            "User: \nHello.\n---\n\n",
        ]
    );
    let in_xml = texts(&tree, Style::Xml);
    assert!(
        in_xml[0].starts_with("System: [go]\n\nWords."),
        "{in_xml:?}"
    );
    assert!(in_xml[0].ends_with("\n\n[over]\n"), "{in_xml:?}");
    assert_eq!(
        in_xml[1..],
        [
            "User: \nHello.\n---\n\n",
            "Assistant: \nHello.\n---\n\n",
            "User: \nHello.\n---\n\n"
        ]
    );
}

#[test]
fn what_stands_between_start_and_end_may_be_a_turn_alone() {
    let tree = |start: &str, end: &str, is_on: bool| {
        json!({
            "key": "root", "start": start, "end": end,
            "sections": [{ "key": "a", "role": "user", "body": "Hello.", "when": is_on }],
        })
    };
    for style in [Style::Markdown, Style::Xml] {
        let of = |start, end, is_on| texts(&tree(start, end, is_on), style);
        assert_eq!(
            of("[go]\n", "\n[over]\n", true),
            ["System: [go]\n\n[over]\n", "User: Hello."]
        );
        assert_eq!(of("[go]\n", "", true), ["System: [go]\n", "User: Hello."]);
        assert_eq!(of("\n", "\n\n", true), ["User: Hello."]);
        assert_eq!(of("\n", "\n", false), [] as [&str; 0]);
        assert_eq!(
            of("[go]\n", "\n[over]\n", false),
            ["System: [go]\n\n[over]\n"]
        );
    }
}

#[test]
fn an_end_belongs_to_the_block_before_it() {
    let tree = json!({
        "key": "root", "end": "\n[over]\n", "body": "Words.",
        "sections": [{ "key": "a", "untitled": true, "cache": true, "body": "Facts." }],
    });
    let messages = messages(&tree, Style::Markdown);
    let [message] = &messages[..] else {
        panic!("{messages:?}")
    };
    assert_eq!(message.role, Role::System);
    assert_eq!(message.text(), "Words.\n\nFacts.\n[over]\n");
    assert_eq!(message.cache, Some(CachePoint { ttl: None }));
}

/// What is behind the `end` of a section with a cache point is the next block, and behind a turn the next paragraph.
#[test]
fn an_end_does_not_join_what_comes_behind_it() {
    let part = |cache| json!({ "key": "a", "untitled": true, "cache": cache, "body": "Facts.", "end": "\n" });
    let tree = json!({ "key": "root", "body": "{a}\n\nMore.", "sections": [part(true)] });
    let messages = messages(&tree, Style::Markdown);
    let texts: Vec<_> = messages.iter().map(Message::text).collect();
    assert_eq!(texts, ["Facts.\n", "More."]);
    assert_eq!(messages[0].cache, Some(CachePoint { ttl: None }));
    assert_eq!(messages[1].cache, None);

    let turn = json!({ "key": "b", "role": "user", "body": "Hello." });
    let tree =
        json!({ "key": "root", "body": "{a}\n\n{b}\n\nMore.", "sections": [part(false), turn] });
    assert_eq!(
        self::texts(&tree, Style::Markdown),
        ["System: Facts.\n\n\nMore.", "User: Hello."]
    );
}

/// A section with a cache point that prints nothing behind its `start` is a block, and what follows the next one.
#[test]
fn a_start_alone_does_not_join_what_comes_behind_its_section() {
    let part = json!({ "key": "a", "cache": true, "start": "[go]" });
    let tree = json!({ "key": "root", "body": "Words.", "sections": [part, { "key": "b", "body": "More." }] });
    let messages = messages(&tree, Style::Markdown);
    let texts: Vec<_> = messages.iter().map(Message::text).collect();
    assert_eq!(texts, ["Words.\n\n# A\n\n[go]", "# B\n\nMore."]);
    assert_eq!(messages[0].cache, Some(CachePoint { ttl: None }));
}

/// An `end` right behind a section with a cache point stands behind all that this section printed, its line breaks too.
#[test]
fn an_end_keeps_the_line_breaks_before_it() {
    let part = json!({ "key": "a", "cache": true, "body": "## {log}" });
    let tree = json!({ "key": "root", "end": "[over]", "sections": [part] });
    let node = DynamicNode::from_json_with(&tree.to_string(), json!({ "log": "ends\n" })).unwrap();
    let rendered = node.prompt().render().unwrap();
    assert_eq!(rendered.as_str(), "# A\n\n## ends\n[over]");
    let [message] = &*rendered.messages() else {
        panic!("{rendered}")
    };
    assert_eq!(message.text(), rendered.as_str());
}

/// Other line breaks at the ends of a message go, as before.
#[test]
fn without_start_and_end_nothing_is_kept() {
    let tree = json!({
        "key": "root", "body": "Words.\n\n{a}\n\nMore.",
        "sections": [{ "key": "a", "role": "user", "body": "Hello." }],
    });
    for style in [Style::Markdown, Style::Xml] {
        assert_eq!(
            texts(&tree, style),
            ["System: Words.\n\nMore.", "User: Hello."]
        );
    }
}

#[test]
fn a_type_prints_the_same_as_a_file() {
    /// Words.
    #[derive(PromptNode)]
    #[prompt(start = "\n[go]\n", end = "\n[over]\n")]
    struct Page {
        #[section(role = "user")]
        turn: &'static str,
    }
    let page = Page { turn: "Hello." };
    for style in [Style::Markdown, Style::Xml] {
        let messages = page.prompt().style(style).render().unwrap().messages();
        let expected = [
            Message::system("\n[go]\nWords.\n[over]\n"),
            Message::user("Hello."),
        ];
        assert_eq!(messages, expected);
    }
}

/// An empty section in front of others stands inside the one around it.
#[test]
fn an_empty_section_stands_in_the_one_around_it() {
    let tree = json!({
        "key": "root", "body": "Words.",
        "sections": [{ "key": "a", "role": "user", "sections": [
            { "key": "b", "untitled": true },
            { "key": "c", "title": "C", "body": "x" },
        ] }],
    });
    let node = DynamicNode::from_json(&tree.to_string()).unwrap();
    let prompt = node.prompt().render().unwrap();
    let ranges: Vec<_> = prompt
        .sections()
        .into_iter()
        .map(|section| section.range)
        .collect();
    // What prints nothing stands nowhere.
    assert_eq!(ranges, [8..14, 8..14]);
}
