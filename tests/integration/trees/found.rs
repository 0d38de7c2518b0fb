//! Faults that were found in use, each with a small tree that showed it.

use prompt_core::prompt::Numbering;
use prompt_core::tokens::EstimatedTokens;
use prompt_core::{DynamicNode, PromptNode, RenderedPrompt, Style};
use serde_json::json;
use std::ops::Range;

fn places(rendered: &RenderedPrompt) -> Vec<(String, Range<usize>)> {
    let sections = rendered.sections().into_iter();
    sections
        .map(|section| (section.path, section.range))
        .collect()
}

/// Renders with and without a counter: the places are the same, in order, and inside the text.
fn sound(node: &impl PromptNode) -> RenderedPrompt {
    let rendered = node.prompt().render().unwrap();
    let counted = node
        .prompt()
        .counter(&EstimatedTokens::default())
        .render()
        .unwrap();
    assert_eq!(places(&rendered), places(&counted));
    let mut before = 0;
    for (path, range) in places(&rendered) {
        assert!(
            rendered.as_str().get(range.clone()).is_some(),
            "{path} at {range:?}"
        );
        assert!(before <= range.start, "{path} at {range:?} is out of order");
        before = range.start;
    }
    rendered
}

#[derive(PromptNode)]
struct Nothing {
    #[section]
    a: Option<String>,
}

#[derive(PromptNode)]
struct Inner {
    #[section(untitled)]
    l: Nothing,
}

#[derive(PromptNode)]
#[prompt(template = "Top.")]
struct Outer {
    #[section(title = "A very long title")]
    k: Inner,
    #[section]
    m: Option<String>,
}

#[test]
fn sections_under_a_heading_that_goes_stand_inside_the_text() {
    let outer = |m: Option<&str>| Outer {
        k: Inner {
            l: Nothing { a: None },
        },
        m: m.map(str::to_owned),
    };
    assert_eq!(sound(&outer(None)).as_str(), "Top.");
    let rendered = sound(&outer(Some("Aéé and more and more.")));
    assert_eq!(rendered.as_str(), "Top.\n\n# M\n\nAéé and more and more.");
    let tree =
        r#"{"key":"root","sections":[{"key":"k","sections":[{"key":"l","untitled":true}]}]}"#;
    assert_eq!(sound(&DynamicNode::from_json(tree).unwrap()).as_str(), "");
}

#[test]
fn a_section_that_goes_with_the_heading_above_it_stands_nowhere() {
    let tree = json!({
        "key": "r", "body": "Top.\n\n## {a} {a} long heading\n{s0}",
        "sections": [
            { "key": "s0", "title": "Some {a}", "body": "{none}",
              "sections": [{ "key": "s2", "body": "x", "when": false }] },
            { "key": "x", "body": "Long text." }
        ]
    });
    let values = json!({ "a": "word", "none": null });
    let node = DynamicNode::from_json_with(&tree.to_string(), values.as_object().unwrap()).unwrap();
    let rendered = sound(&node);
    let [(only, _)] = places(&rendered).try_into().unwrap();
    assert_eq!(only, "x");
}

/// T
#[derive(PromptNode)]
#[prompt(numbering)]
struct Numbered {
    #[section(untitled)]
    a: Part,
    #[section(untitled)]
    b: Part,
    #[section]
    c: (),
}

/// p
#[derive(PromptNode)]
struct Part {
    #[section]
    x: (),
}

#[test]
fn numbers_go_on_through_sections_without_a_title() {
    let numbered = Numbered {
        a: Part { x: () },
        b: Part { x: () },
        c: (),
    };
    let text = numbered.prompt().text().unwrap();
    let headings: Vec<&str> = text.lines().filter(|line| line.starts_with('#')).collect();
    assert_eq!(headings, ["# 1. X", "# 2. X", "# 3. C"]);
}

#[test]
fn a_title_that_comes_out_empty_leaves_no_hashes() {
    let tree = json!({
        "key": "r", "body": "Top.",
        "sections": [
            { "key": "a", "title": "{t}", "body": "One.", "attr": { "title": true } },
            { "key": "b", "title": "{?t}x{/t}", "body": "Two." }
        ]
    });
    let values = json!({ "t": "" });
    let node = DynamicNode::from_json_with(&tree.to_string(), values.as_object().unwrap()).unwrap();
    for style in [Style::Markdown, Style::Xml] {
        for numbering in [Numbering::None, Numbering::Decimal] {
            let text = node
                .prompt()
                .style(style)
                .numbering(numbering)
                .text()
                .unwrap();
            let is_bare = |line: &str| !line.is_empty() && line.trim_matches(['#', ' ']).is_empty();
            assert!(
                !text.lines().any(is_bare) && !text.contains("title=\"\""),
                "{text}"
            );
            assert!(text.contains("One.") && text.contains("Two."), "{text}");
        }
    }
}
