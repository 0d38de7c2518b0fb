//! Lists of elements, and elements as data.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "a test fails by panicking"
)]

mod support;

use prompt_syntax::{Element, Elements, Inline, InlineText, Metadata, Options, Place, parse_free};
use serde_json::{Value, json};

fn read(text: &str) -> Elements {
    parse_free(text, &Options::new(Place::Free)).elements
}

#[test]
fn parse_cases_as_data() {
    support::run_all("parse", |case| {
        let text = case["text"].as_str().unwrap();
        if case["expected"]["elements"].is_null() {
            return Ok(());
        }
        let list = read(text);
        let written = serde_json::to_value(&list).unwrap();
        let same = written == case["expected"]["elements"];
        same.then_some(()).ok_or(written.to_string())
    });
}

/// An element of a case.
fn given(element: &Value) -> Element {
    let field = |name: &str| element[name].as_str().unwrap_or_default().to_owned();
    let content = InlineText::from(field("content"));
    let level = u8::try_from(element["level"].as_u64().unwrap_or_default()).unwrap();
    match element["type"].as_str().unwrap() {
        "title" => Element::title(level, content),
        "text" => Element::text(content),
        "code" => Element::code(InlineText::from(field("info")), content),
        "slot" => {
            let list = read(&format!("{{{}}}", field("name")));
            list.embed_at(level).into_iter().next().unwrap()
        }
        kind => panic!("a case with {kind}"),
    }
}

#[test]
fn shift_cases() {
    support::run_all("shift", |case| {
        let list: Elements = case["elements"]
            .as_array()
            .unwrap()
            .iter()
            .map(given)
            .collect();
        let level = u8::try_from(case["base_level"].as_u64().unwrap()).unwrap();
        let moved = list.clone().embed_at(level);
        let written = serde_json::to_value(&moved).unwrap();
        let same = written == case["expected"] && moved.embed_at(list.top()) == list;
        same.then_some(()).ok_or(written.to_string())
    });
}

#[test]
fn conditions_are_written_as_their_source() {
    for text in [
        "{?x}## B {?y}z{/y}\n\n{?x}text\n- {?!a.b}c",
        "A.\n\n{?x}\n## B\n\nC.\n  {else}\n\n```sh\nz\n```\n{/x}\n\nD.",
        "a\n \n## B\n\n{PROMPT_SUBTREE}",
    ] {
        let list = read(text);
        assert_eq!(list.to_markdown(), text);
        let written = serde_json::to_string(&list).unwrap();
        assert!(!written.contains("pieces"), "{written}");
    }
    let title = json!({"type": "title", "level": 2, "content": "B", "blank_lines": 0});
    assert_eq!(
        serde_json::to_value(read("{?x}## B").get(0)).unwrap(),
        json!({"type": "if", "form": "line", "source": "{?x}", "elements": [title]})
    );
    assert_eq!(
        serde_json::to_value(read("{*x as y}\n- {y}\n\n{else}\nNone.\n{/x}").get(0)).unwrap(),
        json!({
            "type": "each", "form": "block", "source": "{*x as y}",
            "elements": [{"type": "text", "content": "- {y}", "blank_lines": 0}],
            "else": [{"type": "text", "content": "None.", "blank_lines": 0}],
        })
    );
}

const REVIEW: Elements = Elements::new(
    const {
        &[
            Element::text(InlineText::new(
                const {
                    &[
                        Inline::literal("You review "),
                        Inline::value("language"),
                        Inline::literal(" code."),
                    ]
                },
            )),
            Element::title(2, InlineText::new(const { &[Inline::literal("Rules")] })),
            Element::code(
                InlineText::new(const { &[Inline::literal("rust")] }),
                InlineText::new(const { &[Inline::literal("fn f() {}")] }),
            ),
            Element::slot("PROMPT_SUBTREE", 3),
        ]
    },
);

#[test]
fn a_list_built_by_hand_is_the_parsed_list() {
    let text =
        "You review {language} code.\n\n## Rules\n\n```rust\nfn f() {}\n```\n\n{PROMPT_SUBTREE}";
    assert_eq!(read(text), REVIEW);
    assert_eq!(REVIEW.to_markdown(), text);
    assert_eq!(REVIEW.to_string(), text);
}

#[test]
fn selections() {
    let text = "Top.\n\n# One {x}\n\n```py\na\n```\n## Two\n{PROMPT_SUBTREE}\n\n## Three\n\nUse {y} and {x.z:>4}.\n{COLLECTED_CONTEXT}";
    let list = read(text);
    let shown = |text: &InlineText| text.to_string();
    let titles: Vec<_> = list
        .titles()
        .map(|(level, text)| (level, shown(text)))
        .collect();
    assert_eq!(
        titles,
        [
            (1, "One {x}".to_owned()),
            (2, "Two".to_owned()),
            (2, "Three".to_owned())
        ]
    );
    assert_eq!(
        list.titles_at(2).map(shown).collect::<Vec<_>>(),
        ["Two", "Three"]
    );
    assert_eq!(
        list.texts().map(shown).collect::<Vec<_>>(),
        ["Top.", "Use {y} and {x.z:>4}."]
    );
    assert_eq!(
        list.code()
            .map(|(info, text)| (shown(info), shown(text)))
            .next()
            .unwrap(),
        ("py".into(), "a".into())
    );
    assert_eq!(
        list.slots().collect::<Vec<_>>(),
        [("PROMPT_SUBTREE", 3), ("COLLECTED_CONTEXT", 3)]
    );
    assert_eq!(list.names(), ["x", "y"]);
    let counts = list.counts();
    assert_eq!(
        (counts.titles, counts.texts, counts.code, counts.slots),
        (3, 2, 1, 2)
    );
    assert_eq!(
        optional(&list),
        [false, false, false, true, true, false, false, true]
    );
    let blank_lines: Vec<u32> = list
        .iter()
        .map(|element| element.metadata().blank_lines)
        .collect();
    assert_eq!(blank_lines, [1, 1, 1, 0, 0, 1, 1, 0]);
    let lines: Vec<u32> = list.iter().map(|element| element.metadata().line).collect();
    assert_eq!(lines, [1, 3, 5, 8, 9, 11, 13, 14]);
}

fn optional(list: &Elements) -> Vec<bool> {
    list.all()
        .map(|element| element.metadata().optional)
        .collect()
}

#[test]
fn a_title_is_optional_by_what_is_under_it() {
    let optional = |text: &str| optional(&read(text));
    assert_eq!(optional("# A\n{PROMPT_SUBTREE}"), [true, true]);
    assert_eq!(optional("# A\n## B\n{PROMPT_SUBTREE}"), [true, true, true]);
    assert_eq!(
        optional("# A\n## B\n{PROMPT_SUBTREE}\nEnd."),
        [false, false, true, false]
    );
    assert_eq!(
        optional("# A\n## B\n{PROMPT_SUBTREE}\n## C"),
        [false, true, true, false]
    );
    assert_eq!(optional("# A\n# B\n{PROMPT_SUBTREE}"), [false, true, true]);
    assert_eq!(
        optional("# A\n{?x}\n{PROMPT_SUBTREE}\n{/x}"),
        [true, false, true]
    );
}

#[test]
fn changes() {
    let shouted = REVIEW.map(|element| match element {
        Element::Title {
            level,
            margins,
            metadata,
            ..
        } => Element::Title {
            level,
            text: InlineText::from("RULES"),
            margins,
            metadata,
        },
        other => other,
    });
    assert_eq!(shouted.titles_at(2).next().unwrap().to_string(), "RULES");
    let titles = REVIEW.filter(|element| matches!(element, Element::Title { .. }));
    assert_eq!(titles.to_markdown(), "## Rules");
    assert!(!titles.is_empty() && REVIEW.filter(|_| false).is_empty());
    let mut extended = titles.clone();
    extended.extend(titles.clone());
    assert_eq!(extended.to_markdown(), "## Rules\n\n## Rules");
    let joined: Elements = REVIEW.into_iter().chain(titles).collect();
    assert!(
        joined
            .to_markdown()
            .ends_with("{PROMPT_SUBTREE}\n\n## Rules")
    );
}

#[test]
fn levels_past_six_are_kept_and_print_with_six_hashes() {
    let list = read("## A\n\n### B\n\n{PROMPT_SUBTREE}");
    let deep = list.clone().embed_at(6);
    assert_eq!(
        deep.titles().map(|(level, _)| level).collect::<Vec<_>>(),
        [6, 7]
    );
    assert_eq!(
        deep.to_markdown(),
        "###### A\n\n###### B\n\n{PROMPT_SUBTREE}"
    );
    assert_eq!(deep.slots().next(), Some(("PROMPT_SUBTREE", 8)));
    assert_eq!(deep.embed_at(2), list);
    assert_eq!(list.clone().embed_at(0), list.clone().embed_at(1));
    assert_eq!(list.clone().embed_at(u8::MAX).top(), u8::MAX);
}

#[test]
fn outline() {
    let text = "Sort.\nTwice.\n\n# A\n\n### B {x}\n\nUnder B.\n\n## C\n\n  {PROMPT_SUBTREE}\n\n# D\n\n```\n{}\n```";
    let expected = "text: Sort. (2 lines)\n# A\n  ### B {x}\n    text: Under B.\n  ## C (optional)\n    \
                    slot PROMPT_SUBTREE at level 3\n# D\n  code: {}\n";
    assert_eq!(read(text).outline(), expected);
    let long = format!("```rust\n{}\n```", "x".repeat(60));
    let cut = format!("code rust: {}...\n", "x".repeat(48));
    assert_eq!(read(&long).outline(), cut);
}

#[test]
fn fields_that_are_not_the_usual_are_written_down() {
    let text = "{COLLECTED_CONTEXT}\n# A\n\n\n  {PROMPT_SUBTREE}\n\n ~~~~ text \n~~~\n ~~~~~";
    let list = read(text);
    let expected = json!([
        { "type": "slot", "level": 1, "name": "COLLECTED_CONTEXT" },
        { "type": "title", "level": 1, "content": "A", "blank_lines": 0 },
        { "type": "slot", "level": 2, "name": "PROMPT_SUBTREE", "indent": 2, "blank_lines": 2 },
        { "type": "code", "info": "text", "content": "~~~", "fence": " ~~~~ " },
    ]);
    assert_eq!(serde_json::to_value(&list).unwrap(), expected);
    assert_eq!(list.to_markdown(), text);
}

#[test]
fn lines_are_not_compared() {
    assert_eq!(Metadata::at(1, 1), Metadata::at(2, 1));
    assert_ne!(Metadata::at(1, 1), Metadata::at(1, 0));
    let blanks = Metadata {
        blanks: " \n".into(),
        ..Metadata::at(1, 1)
    };
    assert_ne!(Metadata::at(1, 1), blanks);
}
