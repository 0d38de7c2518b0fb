//! Elements and templates: the cases, the ways to the same list, the forms a list takes.

use prompt_core::Code;
use prompt_core::Diagnostics;
use prompt_core::DynamicNode;
use prompt_core::Markdown;
use prompt_core::PromptNode;
use prompt_core::Template;
use prompt_core::elements::Element;
use prompt_core::elements::Elements;
use prompt_core::elements::Inline;
use prompt_core::elements::InlineText;
use prompt_core::elements::Metadata;
use prompt_core::elements::elements;
use prompt_syntax::{Options, Place, parse, title_case};
use serde_json::{Value, json};

fn cases(family: &str) -> Vec<Value> {
    let all: Value = serde_json::from_str(include_str!("../../cases/elements.json")).unwrap();
    all[family].as_array().unwrap().clone()
}

fn code(faults: &Diagnostics) -> String {
    faults.code().unwrap().to_string()
}

fn round_trip(list: &Elements) -> Elements {
    serde_json::from_str(&serde_json::to_string(list).unwrap()).unwrap()
}

#[test]
fn parse_cases() {
    for case in cases("parse") {
        let (id, text) = (&case["id"], case["text"].as_str().unwrap());
        let parsed = Elements::parse(text);
        if let Some(error) = case["expected"]["error"].as_str() {
            assert_eq!(code(&parsed.unwrap_err()), error, "{id}");
            continue;
        }
        let list = parsed.unwrap();
        let mut expected = case["expected"]["elements"].clone();
        // The case has no field for the fence, and this one is not the usual one.
        if id == "pd19" {
            expected[0]["fence"] = json!("~~~");
        }
        assert_eq!(serde_json::to_value(&list).unwrap(), expected, "{id}");
        assert_eq!(round_trip(&list), list, "{id}");
        assert_eq!(Template::parse(text).unwrap().elements(), list, "{id}");
    }
}

#[test]
fn check_cases() {
    for case in cases("check") {
        let names: Vec<&str> = case["known"]
            .as_array()
            .unwrap()
            .iter()
            .map(|name| name.as_str().unwrap())
            .collect();
        let place = if case["where"] == "section" {
            Place::Introduction
        } else {
            Place::Node
        };
        let parsed = parse(
            case["text"].as_str().unwrap(),
            &Options {
                names: &names,
                ..Options::new(place)
            },
        );
        let code = parsed.problems.first().map(|problem| problem.code.as_str());
        assert_eq!(code, case["expected"]["error"].as_str(), "{}", case["id"]);
    }
}

#[test]
fn shift_cases() {
    for case in cases("shift") {
        let list: Elements = serde_json::from_value(case["elements"].clone()).unwrap();
        let level = u8::try_from(case["base_level"].as_u64().unwrap()).unwrap();
        let moved = list.clone().embed_at(level);
        assert_eq!(
            serde_json::to_value(&moved).unwrap(),
            case["expected"],
            "{}",
            case["id"]
        );
        let top = list.top();
        assert_eq!(moved.embed_at(top), list, "{}", case["id"]);
    }
}

#[test]
fn title_cases() {
    for case in cases("title") {
        assert_eq!(
            title_case(case["field"].as_str().unwrap()),
            case["expected"],
            "{}",
            case["id"]
        );
    }
}

const REVIEW: Elements = Elements::new(
    const {
        &[
            Element::text(InlineText::new(
                const {
                    &[
                        Inline::literal("You review "),
                        Inline::variable("language"),
                        Inline::literal(" code."),
                    ]
                },
            )),
            Element::title(2, InlineText::literal("Rules")),
            Element::code(
                InlineText::literal("rust"),
                InlineText::literal("fn f() {}"),
            ),
            Element::slot("PROMPT_SUBTREE", 3),
        ]
    },
);

#[test]
fn a_list_built_by_hand_is_the_parsed_list() {
    let text =
        "You review {language} code.\n\n## Rules\n\n```rust\nfn f() {}\n```\n\n{PROMPT_SUBTREE}";
    assert_eq!(Elements::parse(text).unwrap(), REVIEW);
    assert_eq!(REVIEW.to_markdown(), text);
    assert_eq!(REVIEW.to_string(), text);
}

#[test]
fn selections() {
    let text = "Top.\n\n# One {x}\n\n```py\na\n```\n## Two\n{PROMPT_SUBTREE}\n\n## Three\n\nUse {y} and {x.z:>4}.\n{COLLECTED_CONTEXT}";
    let list = Elements::parse(text).unwrap();
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
        list.optional(),
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

#[test]
fn a_title_is_optional_by_what_is_under_it() {
    let optional = |text: &str| Elements::parse(text).unwrap().optional();
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
    let text = "# A\n{PROMPT_SUBTREE}\nEnd.";
    let without = Elements::parse(text)
        .unwrap()
        .filter(|element| !matches!(element, Element::Text { .. }));
    assert_eq!(without.optional(), [true, true]);
}

#[test]
fn changes() {
    let shouted = REVIEW.map(|element| match element {
        Element::Title {
            level, metadata, ..
        } => Element::Title {
            level,
            text: InlineText::from("RULES"),
            metadata,
        },
        other => other,
    });
    assert_eq!(shouted.titles_at(2).next().unwrap().to_string(), "RULES");
    let titles = REVIEW.filter(|element| matches!(element, Element::Title { .. }));
    assert_eq!(titles.to_markdown(), "## Rules");
    let joined: Elements = REVIEW.into_iter().chain(titles).collect();
    assert!(
        joined
            .to_markdown()
            .ends_with("{PROMPT_SUBTREE}\n\n## Rules")
    );
}

#[test]
fn levels_past_six_are_kept_and_print_with_six_hashes() {
    let list = Elements::parse("## A\n\n### B\n\n{PROMPT_SUBTREE}").unwrap();
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
    assert_eq!(round_trip(&deep), deep);
    assert_eq!(deep.embed_at(2), list);
    assert_eq!(list.clone().embed_at(0), list.clone().embed_at(1));
    assert_eq!(list.clone().embed_at(u8::MAX).top(), u8::MAX);
}

#[test]
fn outline() {
    let text = "Sort.\nTwice.\n\n# A\n\n### B {x}\n\nUnder B.\n\n## C\n\n  {PROMPT_SUBTREE}\n\n# D\n\n```\n{}\n```";
    let expected = "text: Sort. (2 lines)\n# A\n  ### B {x}\n    text: Under B.\n  ## C (optional)\n    \
                    slot PROMPT_SUBTREE at level 3\n# D\n  code: {}\n";
    assert_eq!(Elements::parse(text).unwrap().outline(), expected);
}

#[test]
fn fields_that_are_not_the_usual_are_written_down() {
    let text = "{COLLECTED_CONTEXT}\n# A\n\n\n  {PROMPT_SUBTREE}\n\n ~~~~ text \n~~~\n ~~~~~";
    let list = Elements::parse(text).unwrap();
    let expected = json!([
        { "type": "slot", "level": 1, "name": "COLLECTED_CONTEXT" },
        { "type": "title", "level": 1, "content": "A", "blank_lines": 0 },
        { "type": "slot", "level": 2, "name": "PROMPT_SUBTREE", "indent": 2, "blank_lines": 2 },
        { "type": "code", "info": "text", "content": "~~~", "fence": " ~~~~ ", "after_info": " ", "close": " ~~~~~" },
    ]);
    assert_eq!(serde_json::to_value(&list).unwrap(), expected);
    assert_eq!(round_trip(&list), list);
    assert_eq!(list.to_markdown(), text);
}

#[test]
fn code_without_lines_and_with_one_empty_line() {
    let [none, one] = ["```\n```", "```\n\n```"].map(|text| Elements::parse(text).unwrap());
    assert_ne!(none, one);
    assert_eq!(
        serde_json::to_value(&none).unwrap(),
        json!([{ "type": "code", "info": "", "content": "" }])
    );
    assert_eq!(
        serde_json::to_value(&one).unwrap(),
        json!([{ "type": "code", "info": "", "content": "", "lines": 1 }])
    );
    for list in [none, one] {
        assert_eq!(round_trip(&list), list);
    }
}

#[test]
fn pieces_are_written_down_where_the_text_alone_does_not_tell() {
    let options = Options {
        names: &["x"],
        ..Options::new(Place::Node)
    };
    let list = Elements::from_blocks(&parse("Write `{x}`, `{y}` and `{{x}}`.", &options).blocks);
    let written = serde_json::to_value(&list).unwrap();
    let pieces = json!([
        { "literal": "Write `" },
        { "variable": "x" },
        { "literal": "`, `{y}` and `" },
        { "escaped": "{x}" },
        { "literal": "`." },
    ]);
    assert_eq!(written[0]["pieces"], pieces);
    assert_eq!(round_trip(&list), list);
}

#[test]
fn data_that_is_no_element_is_refused() {
    let faults = [
        (
            json!({ "type": "title", "level": 0, "content": "A" }),
            "levels count from 1",
        ),
        (
            json!({ "type": "title", "level": 1, "content": "A\nB" }),
            "one line",
        ),
        (
            json!({ "type": "title", "level": 1, "content": " " }),
            "one line",
        ),
        (
            json!({ "type": "title", "level": 1, "content": "To {PROMPT_SUBTREE}" }),
            "slot_in_heading",
        ),
        (
            json!({ "type": "text", "content": "{a} and { a }" }),
            "spaced_variable",
        ),
        (
            json!({ "type": "code", "info": "", "content": "```" }),
            "one code block",
        ),
        (
            json!({ "type": "code", "info": "", "content": "a", "close": "~~~" }),
            "unclosed_fence",
        ),
        (
            json!({ "type": "text", "content": "a", "level": 1 }),
            "unknown field",
        ),
        (
            json!({ "type": "text", "content": "{a}", "pieces": [{ "variable": "b" }] }),
            "print `{b}`",
        ),
        (
            json!({ "type": "banner", "content": "a" }),
            "unknown variant",
        ),
    ];
    for (data, message) in faults {
        let error = serde_json::from_value::<Element>(data.clone())
            .expect_err(&data.to_string())
            .to_string();
        assert!(error.contains(message), "{data}: {error}");
    }
}

#[test]
fn data_is_read_as_its_kind() {
    let read = |data: Value| serde_json::from_value::<Element>(data).unwrap();
    let text = read(json!({ "type": "text", "content": "# no heading {x}", "line": 4 }));
    assert_eq!(text.to_string(), "# no heading {x}");
    assert!(matches!(&text, Element::Text { text, .. } if text.names().eq(["x"])));
    assert_eq!(text.metadata().line, 4);
    let open = read(json!({ "type": "code", "info": "json", "content": "{\"a\": ", "close": "" }));
    assert_eq!(open.to_string(), "```json\n{\"a\": ");
    assert_eq!(
        read(json!({ "type": "title", "level": 2, "content": "C #" })).to_string(),
        "## C # #"
    );
}

#[test]
fn lines_are_not_compared() {
    let [here, there] = [1, 2].map(|line| Metadata {
        line,
        blank_lines: 1,
    });
    assert_eq!(here, there);
    assert_ne!(
        here,
        Metadata {
            line: 1,
            blank_lines: 0
        }
    );
}

/// A derived node and the list of elements, from one text.
macro_rules! derived {
    ($text:literal, $($name:ident),*) => {{
        #[derive(PromptNode)]
        #[prompt(template = $text, allow(skipped_level, heading_above_top, setext_heading))]
        struct Node { $($name: String,)* }
        (elements(&Node { $($name: String::new(),)* }), $text)
    }};
}

#[test]
fn a_derive_and_a_template_give_equal_elements() {
    let nodes = [
        derived!(
            "Triage the {ticket}.\n\n## Signals\n\nLook at the trace.\n\n{PROMPT_SUBTREE}",
            ticket
        ),
        derived!(
            "# {a} and {b:>8.2}\n{?a}- only with {a}\n  {?!b} none\n\n\n  {COLLECTED_CONTEXT}\nEnd",
            a,
            b
        ),
        derived!(
            "{a}\n\n{b}\n{a}\n\n# T\n{PROMPT_SUBTREE}\n## U\n\n``` {a} x \n{b}{{a}} {}\n\n```\n{a}",
            a,
            b
        ),
        derived!(
            "Title\n=====\n\n### Late\n\n# Early {{a}} ${a}\n\n{\"a\": 1}\n~~~\n~~~\n\n```\n\n```\n{a}",
            a
        ),
        derived!("{?a}\n{?a}{?!b}\n\n# {a}", a, b),
    ];
    for (list, text) in nodes {
        assert_eq!(list, Elements::parse(text).unwrap(), "{text}");
        assert_eq!(list, Template::parse(text).unwrap().elements(), "{text}");
        assert_eq!(list.to_markdown(), text);
    }
}

/// The inner texts of the doc comments of a file.
fn doc_texts(source: &str) -> Vec<String> {
    let mut texts = vec![String::new()];
    for line in source.lines().map(str::trim_start) {
        match (line.strip_prefix("///"), texts.last_mut()) {
            (Some(text), Some(last)) => last.extend([text.strip_prefix(' ').unwrap_or(text), "\n"]),
            _ => texts.push(String::new()),
        }
    }
    texts.retain(|text| !text.is_empty());
    texts
}

#[test]
fn both_ways_agree_on_the_texts_of_whole_programs() {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/shapes");
    let mut count = 0;
    for file in std::fs::read_dir(folder).unwrap() {
        for text in doc_texts(&std::fs::read_to_string(file.unwrap().path()).unwrap()) {
            let list = Elements::parse(&text).unwrap();
            assert_eq!(Template::parse(&text).unwrap().elements(), list, "{text}");
            assert_eq!(round_trip(&list), list, "{text}");
            count += 1;
        }
    }
    assert!(count > 20, "{count} texts");
}

#[test]
fn slots_of_a_node_have_the_names_of_its_fields() {
    #[derive(PromptNode)]
    #[prompt(template = "# Rules\n\n{rules}\n\nEnd.")]
    struct Node {
        #[section]
        rules: String,
    }
    let list = elements(&Node {
        rules: String::new(),
    });
    assert_eq!(list.slots().collect::<Vec<_>>(), [("rules", 2)]);
}

#[test]
fn what_is_no_node_of_its_own() {
    assert_eq!(elements(&"a {b}\n# c").to_markdown(), "a {b}\n# c");
    assert_eq!(elements(&"a {b}").names(), [""; 0]);
    assert!(elements(&()).is_empty() && elements(&String::new()).is_empty());
    assert_eq!(
        elements(&Markdown::from("# {a}\n\nb"))
            .titles()
            .next()
            .unwrap()
            .0,
        1
    );
    let node =
        DynamicNode::from_json(r#"{ "key": "a", "body": "To {x}.\n\n{PROMPT_SUBTREE}" }"#).unwrap();
    assert_eq!(
        elements(&node),
        Elements::parse("To {x}.\n\n{PROMPT_SUBTREE}").unwrap()
    );
}

#[test]
fn template_names_come_in_order_of_first_use() {
    let template = Template::parse("{?d}{b.x} {a:>3}\n# {b} {c}\n```\n{a} {unknown}\n```").unwrap();
    assert_eq!(template.names(), ["b", "a", "c"]);
    assert_eq!(template.guards().collect::<Vec<_>>(), ["d"]);
    assert_eq!(template.elements().names(), ["b", "a", "c"]);
}

#[test]
fn code_counts_the_names_that_the_text_uses() {
    let list = Template::parse("Write to {name}.\n\n```json\n{\"to\": \"{name}\", {other}}\n```")
        .unwrap()
        .elements();
    let (_, code) = list.code().next().unwrap();
    assert_eq!(code.names().collect::<Vec<_>>(), ["name"]);
}

#[test]
fn heading_rules_are_lints_of_a_template() {
    let template = Template::parse("## A\n\n#### B\n\n# C\n\nText\n---").unwrap();
    let codes: Vec<Code> = template.lints().iter().map(|lint| lint.code).collect();
    assert_eq!(
        codes,
        [
            Code::SkippedLevel,
            Code::HeadingAboveTop,
            Code::SetextHeading
        ]
    );
    assert!(Template::parse("# A\n\n## B").unwrap().lints().is_empty());
}

#[test]
fn all_faults_of_a_template_come_together() {
    let faults = Template::parse("{x} { x } {x:?}\n\n####### A\n\nSo {PROMPT_SUBTREE}\n\n```\n")
        .unwrap_err();
    let codes: Vec<&str> = faults.iter().map(|fault| fault.code.as_str()).collect();
    assert_eq!(
        codes,
        [
            "spaced_variable",
            "unsupported_spec",
            "heading_level",
            "slot_not_alone",
            "unclosed_fence"
        ]
    );
    let places: Vec<_> = faults.iter().filter_map(|fault| fault.place).collect();
    assert_eq!(places, [(1, 5), (1, 11), (3, 1), (5, 4), (7, 1)]);
}

#[test]
fn a_template_is_its_text() {
    let text = "To {x}.\r\n<!--# note -->\n";
    let template: Template = text.parse().unwrap();
    assert_eq!(
        (template.as_str(), template.to_string()),
        (text, text.to_owned())
    );
    let written = serde_json::to_string(&template).unwrap();
    assert_eq!(serde_json::from_str::<String>(&written).unwrap(), text);
    assert_eq!(
        serde_json::from_str::<Template>(&written).unwrap(),
        template
    );
    let error = serde_json::from_str::<Template>("\"{x} { x }\"")
        .unwrap_err()
        .to_string();
    assert!(error.contains("spaced_variable"), "{error}");
}
