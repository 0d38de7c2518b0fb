//! The same of trees that are built at run time: those that are printed in one go, and their neighbours.

use super::straight::{agree, value};
use prompt_core::dynamic::DynamicNodeBuilder;
use prompt_core::{DynamicNode, PromptError, PromptNode, Style, Visibility};
use proptest::prelude::*;
use serde_json::json;

/// What is said of a section.
#[derive(Debug, Clone)]
struct Said {
    body: &'static str,
    title: Option<&'static str>,
    /// The value that it embeds.
    value: Option<&'static str>,
    /// The value that decides whether it is there, or what decides in its place.
    when: Option<&'static str>,
    gap: Option<u8>,
    level: Option<u8>,
    /// Untitled, tight, never there, with a short form, in its short form.
    is: [bool; 5],
}

#[derive(Debug, Clone)]
struct Tree {
    said: Said,
    sections: Vec<Tree>,
}

fn said() -> impl Strategy<Value = Said> {
    let body = prop_oneof![
        3 => Just("Words."),
        3 => Just("For {name} at {hour}."),
        2 => Just(""),
        2 => Just("If 1 <{name}."),
        1 => Just("{name} first."),
        1 => Just("Two\n\n- items\n- {loose}{name}"),
        1 => Just("# Head\n\nBody of {name}."),
        1 => Just("Words.\n\n## Deeper"),
        1 => Just("{?open}Open.{/open} Words."),
        1 => Just("A {{brace}} and `{name}`."),
    ];
    let few = |words: [&'static str; 3]| {
        proptest::option::weighted(0.2, proptest::sample::select(words.to_vec()))
    };
    let flags = proptest::array::uniform5(proptest::bool::weighted(0.08));
    (
        body,
        few(["A title", "{name}", "Of <b>"]),
        few(["name", "list", "hour"]),
        few(["open", "!open", "name"]),
        proptest::option::weighted(0.1, 0..3_u8),
        proptest::option::weighted(0.1, 1..4_u8),
        flags,
    )
        .prop_map(|(body, title, value, when, gap, level, is)| Said {
            body,
            title,
            value,
            when,
            gap,
            level,
            is,
        })
}

fn tree() -> impl Strategy<Value = Tree> {
    let leaf = said().prop_map(|said| Tree {
        said,
        sections: Vec::new(),
    });
    leaf.prop_recursive(4, 24, 5, |inner| {
        (said(), proptest::collection::vec(inner, 0..5))
            .prop_map(|(said, sections)| Tree { said, sections })
    })
}

/// The builder of a tree. A level that the slots of a text do not reach, and what contradicts itself, is left out: faults
/// are not what is looked for here.
fn builder(key: &str, tree: &Tree, is_root: bool) -> DynamicNodeBuilder {
    let Said {
        body,
        title,
        value,
        when,
        gap,
        level,
        is,
    } = &tree.said;
    let [untitled, tight, never, short, shortened] = *is;
    let mut node = DynamicNode::builder(key).body(*body);
    if let Some(gap) = gap {
        node = node.gap(*gap);
    }
    if tight {
        node = node.tight();
    }
    if let Some(level) = level {
        node = node.level(*level);
    }
    if !is_root {
        if untitled {
            node = node.untitled();
        } else if let Some(title) = title {
            node = node.title(*title);
        }
        if short || shortened {
            node = node.summary("Short.");
        }
        if shortened {
            node = node.visibility(Visibility::Summary);
        }
        match when {
            _ if never => node = node.when(false),
            Some(name) => node = node.when_value(*name),
            None => {}
        }
        if let Some(value) = value.filter(|_| tree.sections.is_empty()) {
            return node.body("Over it:").value(value);
        }
    }
    let sections = (0..).zip(&tree.sections);
    sections.fold(node, |node, (index, section)| {
        node.section(builder(&format!("s{index}"), section, false))
    })
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(prompt_tests::random_cases(300)) })]

    #[test]
    fn both_ways_give_the_same(tree in tree(), name in value(), loose in value(), open: bool) {
        let list = [&name, "", &loose, "Words."];
        let values = json!({ "name": name, "loose": loose, "hour": 7, "open": open, "list": list });
        let node = builder("root", &tree, true).build_with(values);
        prop_assume!(node.is_ok());
        let node = node.unwrap();
        agree(&node)?;
        for section in node.sections() {
            agree(section)?;
        }
    }
}

/// The table of what was printed in one go outlives the tree.
#[test]
fn a_rendered_prompt_owns_its_table() {
    let node = DynamicNode::builder("memo")
        .body("Write.")
        .section(DynamicNode::builder("tone").body("Be kind."))
        .build();
    let rendered = node.unwrap().prompt().render().unwrap();
    let copy = rendered.clone();
    drop(rendered);
    let sections = copy.sections();
    assert_eq!(
        (sections[0].path.as_str(), sections[0].title.as_str()),
        ("tone", "Tone")
    );
}

/// A value that is not there fails as it does elsewhere, and depth takes memory, not stack.
#[test]
fn what_cannot_be_printed_in_one_go_is_printed_all_the_same() {
    let inner = DynamicNode::builder("inner").body("For {name}.");
    let unbound = DynamicNode::builder("root")
        .body("Words.")
        .section(inner)
        .build()
        .unwrap();
    let missing = PromptError::MissingValue {
        path: "inner".into(),
        name: "name".into(),
    };
    for style in [Style::Markdown, Style::Xml] {
        assert_eq!(unbound.prompt().style(style).text(), Err(missing.clone()));
    }
    let deep = (0..120).fold(DynamicNode::builder("leaf").body("Words."), |node, _| {
        DynamicNode::builder("node").body("Words.").section(node)
    });
    let text = deep.build().unwrap().prompt().text().unwrap();
    assert_eq!(text.matches("Words.").count(), 121);
}
