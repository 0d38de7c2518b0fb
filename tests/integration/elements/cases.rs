//! Elements of nodes and templates: the ways to the same list. What a list is, is tested beside the grammar.

use prompt_core::Code;
use prompt_core::DynamicNode;
use prompt_core::Markdown;
use prompt_core::PromptNode;
use prompt_core::Template;
use prompt_core::elements::{self, Elements};
use std::collections::BTreeSet;

#[test]
fn the_cases_hold_at_the_door_of_the_library() {
    prompt_tests::run_all(&prompt_tests::group("elements.json", "parse"), |case| {
        let text = case["text"].as_str().unwrap();
        match (elements::parse(text), case["expected"]["error"].as_str()) {
            (Err(faults), expected) => {
                let code = faults.code().as_str();
                (Some(code) == expected)
                    .then_some(())
                    .ok_or(faults.to_string())
            }
            (Ok(list), None) => {
                let written = serde_json::to_value(&list).unwrap();
                let is_same = written == case["expected"]["elements"]
                    && Template::parse(text).unwrap().elements() == list;
                is_same.then_some(()).ok_or(written.to_string())
            }
            (Ok(list), Some(expected)) => Err(format!("{list}, and not {expected}")),
        }
    });
}

/// A derived node and the list of elements, from one text.
macro_rules! derived {
    ($text:literal, $($name:ident),*) => {{
        #[derive(PromptNode)]
        #[prompt(template = $text, allow(skipped_level, heading_above_top, setext_heading))]
        struct Node { $($name: String,)* }
        (elements::of(Node { $($name: String::new(),)* }.embedded()), $text)
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
        derived!(
            "{?a}\n## B\n\n{a}\n  {else}\n\nNone{?b}, or {b}{/b}.\n{/a}\n \n{?a}{?!b}x\n\n{?b}# {a}",
            a,
            b
        ),
    ];
    for (list, text) in nodes {
        assert_eq!(list, elements::parse(text).unwrap(), "{text}");
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
            let list = elements::parse(&text).unwrap();
            assert_eq!(Template::parse(&text).unwrap().elements(), list, "{text}");
            assert_eq!(list.to_markdown(), text.trim_end_matches('\n'), "{text}");
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
    let list = elements::of(
        Node {
            rules: String::new(),
        }
        .embedded(),
    );
    assert_eq!(list.slots().collect::<Vec<_>>(), [("rules", 2)]);
}

fn of(node: &dyn PromptNode) -> Elements {
    elements::of(node.embedded())
}

#[test]
fn what_is_no_node_of_its_own() {
    assert_eq!(of(&"a {b}\n# c").to_markdown(), "a {b}\n# c");
    assert_eq!(of(&"a {b}").names(), [""; 0]);
    assert!(of(&()).is_empty() && of(&String::new()).is_empty());
    assert_eq!(
        of(&Markdown::from("# {a}\n\nb")).titles().next().unwrap().0,
        1
    );
    let node =
        DynamicNode::from_json(r#"{ "key": "a", "body": "To {x}.\n\n{PROMPT_SUBTREE}" }"#).unwrap();
    assert_eq!(
        of(&node),
        elements::parse("To {x}.\n\n{PROMPT_SUBTREE}").unwrap()
    );
}

#[test]
fn template_names_come_in_order_of_first_use() {
    let template = Template::parse("{?d}{b.x} {a:>3}\n# {b} {c}\n```\n{a} {unknown}\n```").unwrap();
    assert_eq!(template.names(), ["b", "a", "c"]);
    assert_eq!(template.conditions().collect::<Vec<_>>(), ["d"]);
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

/// Runs cases that print a text with values, or are refused.
fn run_printed(family: &str) {
    prompt_tests::run_all(&prompt_tests::group("elements.json", family), |case| {
        let tree = serde_json::json!({ "key": "a", "body": case["template"] });
        let node = DynamicNode::from_json_with(&tree.to_string(), &case["values"]);
        let expected = case.get("decided").unwrap_or(&case["expected"]);
        let (node, expected) = match (node, expected["error"].as_str()) {
            (Err(faults), Some(expected)) => {
                let code = faults.code().as_str();
                return (code == expected).then_some(()).ok_or(faults.to_string());
            }
            (Err(faults), None) => return Err(faults.to_string()),
            (Ok(_), Some(expected)) => return Err(format!("no {expected}")),
            (Ok(node), None) => (node, expected.as_str().unwrap()),
        };
        let printed = node.prompt().text().map_err(|error| error.to_string())?;
        let rendered = node.prompt().render().map_err(|error| error.to_string())?;
        if printed != expected || rendered.as_str() != expected {
            return Err(format!("{printed:?}, and not {expected:?}"));
        }
        let lints = node.prompt().lint().into_iter();
        let lints: BTreeSet<&str> = lints.map(|lint| lint.code.as_str()).collect();
        let wanted = case["lints"].as_array().into_iter().flatten();
        let wanted: BTreeSet<&str> = wanted.filter_map(|code| code.as_str()).collect();
        (case["lints"].is_null() || lints == wanted)
            .then_some(())
            .ok_or(format!("{lints:?}, and not {wanted:?}"))
    });
}

#[test]
fn conditions() {
    run_printed("conditions");
}

#[test]
fn loops() {
    run_printed("loops");
}

#[test]
fn words() {
    run_printed("words");
}
