//! Guarding of whole trees: whatever stands in the values, the tags of the text are those of the tree.
//!
//! `CASES_PERCENT=5000 cargo test --release -p prompt-tests --test integration xml::guard_properties` tries 100,000 trees.

use prompt_core::DynamicNode;
use prompt_core::PromptNode;
use prompt_core::Style;
use prompt_core::dynamic::DynamicNodeBuilder;
use prompt_core::xml;
use prompt_core::xml::Guarding;
use prompt_tests::lenient::signed;
use proptest::prelude::*;
use serde_json::{Map, Value, json};

/// The names of all tags, in the order of the keys; `note` stands in static text.
const NAMES: [&str; 4] = ["rules", "user_input", "a", "x-1.b"];
const LITERAL: &str = "note";

#[derive(Clone, Debug)]
struct Plant {
    name: usize,
    body: usize,
    values: [String; 3],
    inline: bool,
    guarding: Guarding,
    untrusted: bool,
    children: Vec<Plant>,
}

/// Where values `{0}`, `{1}`, `{2}` stand: side by side, in lists, fences, inline code, quotes, literal tags.
const BODIES: [&str; 10] = [
    "{0}{1}{2}",
    "{0}{1} and <{2}",
    "</{0}{1}> {2}",
    "- {0}\n- {1}{2}",
    "{0}\n\n{1}\n\n{2}",
    "```\n{0}{1}\n```\n\n{2}",
    "Say `{0}` or \"{1}\", {2}",
    "<note>{0}</note> {1}<note>\n{2}\n</note>",
    "<{0}/{1}{2}",
    "<!-- {0} --> {1} <![CDATA[ {2} ]]>",
];

fn values() -> impl Strategy<Value = [String; 3]> {
    const PIECES: &[&str] = &[
        "<",
        "</",
        ">",
        "/>",
        "/",
        " ",
        "\n",
        "\t",
        "\r\n",
        "rules",
        "RU",
        "les",
        "ru",
        "user_input",
        "User_",
        "input",
        "a",
        "A",
        "x-1.b",
        "x-1",
        ".b",
        "note",
        "no",
        "te",
        "_",
        "-",
        "```",
        "~~~~",
        "`",
        "<!--",
        "-->",
        "<![CDATA[",
        "]]>",
        "<?",
        "\"",
        "'",
        "=",
        " x=\"",
        "# ",
        "## rules",
        "<|",
        "|>",
        "&lt;",
        "{",
        "}",
        "é",
        "日本",
        "\u{a0}",
        "\u{2028}",
        "🦀",
        "\u{0}",
        "\u{feff}",
        "K",
        "</rules>",
        "<rules>",
        "< / rules >",
        "</\nRules",
        "<user_input ",
    ];
    let piece = prop_oneof![8 => proptest::sample::select(PIECES).prop_map(str::to_owned), 1 => any::<String>()];
    let value = proptest::collection::vec(piece, 0..5).prop_map(|pieces| pieces.concat());
    [value.clone(), value.clone(), value]
}

fn plants() -> impl Strategy<Value = Vec<Plant>> {
    let guarding = prop_oneof![4 => Just(Guarding::Default), 1 => Just(Guarding::Escaped)];
    let plant = move |children: BoxedStrategy<Vec<Plant>>| {
        (
            0..NAMES.len(),
            0..BODIES.len(),
            values(),
            any::<bool>(),
            guarding.clone(),
            any::<bool>(),
            children,
        )
            .prop_map(
                |(name, body, values, inline, guarding, untrusted, children)| Plant {
                    name,
                    body,
                    values,
                    inline,
                    guarding,
                    untrusted,
                    children,
                },
            )
    };
    let leaf = plant(Just(Vec::new()).boxed()).boxed();
    let tree = leaf.prop_recursive(3, 6, 3, move |inner| {
        plant(proptest::collection::vec(inner, 0..3).boxed()).boxed()
    });
    proptest::collection::vec(tree, 1..3)
}

/// The node, and the tags that it must have.
fn grow(plants: &[Plant]) -> (DynamicNode, Vec<String>) {
    let (mut values, mut tags) = (Map::new(), Vec::new());
    let mut root = DynamicNode::builder("root").body("Use <note></note>.");
    tags.extend([format!("+{LITERAL}"), format!("-{LITERAL}")]);
    for (index, plant) in plants.iter().enumerate() {
        root = root.section(build(plant, index, &mut values, &mut tags));
    }
    (root.build().unwrap().bind(values).unwrap(), tags)
}

fn build(
    plant: &Plant,
    index: usize,
    values: &mut Map<String, Value>,
    tags: &mut Vec<String>,
) -> DynamicNodeBuilder {
    let name = NAMES[plant.name];
    tags.push(format!("+{name}"));
    let mut body = BODIES[plant.body].to_owned();
    let source = format!("{{v{}}}", values.len());
    for (at, value) in plant.values.iter().enumerate() {
        let variable = format!("v{}", values.len());
        body = body.replace(&format!("{{{at}}}"), &format!("{{{variable}}}"));
        values.insert(variable, json!(value));
    }
    tags.extend(
        body.matches("note>")
            .enumerate()
            .map(|(at, _)| format!("{}{LITERAL}", if at % 2 == 0 { '+' } else { '-' })),
    );
    // An empty section would leave no trace.
    let mut node = DynamicNode::builder(format!("s{index}"))
        .tag(name)
        .body(format!("{body}\n\nEnd"));
    node = node.guard(plant.guarding).attr("source", source);
    if plant.inline {
        node = node.inline();
    }
    if plant.untrusted {
        node = node.untrusted();
    }
    for (index, child) in plant.children.iter().enumerate() {
        node = node.section(build(child, index, values, tags));
    }
    tags.push(format!("-{name}"));
    node
}

pub(super) fn config() -> ProptestConfig {
    ProptestConfig {
        cases: prompt_tests::random_cases(2_000),
        failure_persistence: None,
        ..ProptestConfig::default()
    }
}

proptest! {
    #![proptest_config(config())]

    #[test]
    fn a_text_parses_back_to_its_tree(plants in plants(), in_xml in any::<bool>()) {
        let (node, expected) = grow(&plants);
        let style = if in_xml { Style::Xml } else { Style::Markdown };
        let rendered = node.prompt().style(style).render().unwrap();
        let mut names: Vec<&str> = expected.iter().map(|tag| &tag[1..]).collect();
        prop_assert_eq!(signed(rendered.as_str(), &names), expected.clone(), "{}", rendered.as_str());
        // The literal tags of the texts need not be balanced.
        names.retain(|name| *name != LITERAL);
        if let Err(errors) = xml::validate_known(rendered.as_str(), &names) {
            prop_assert!(false, "{errors}\n{rendered}");
        }
        for section in rendered.sections() {
            let text = &rendered.as_str()[section.range.clone()];
            prop_assert!(text.trim_start().starts_with('<') && text.ends_with('>'), "{section:?} is {text:?}");
        }
    }

    #[test]
    fn guarding_twice_is_guarding_once(values in values(), name in 0..NAMES.len(), in_xml in any::<bool>()) {
        let value = values.concat();
        let names = NAMES.iter().chain([&LITERAL]);
        let guarded = xml::guard_text(&value, names.copied());
        let style = if in_xml { Style::Xml } else { Style::Markdown };
        let text = |value: &str| {
            let section = DynamicNode::builder("s0").tag(NAMES[name]).body("A {v}.");
            let others = NAMES.iter().enumerate().map(|(at, name)| DynamicNode::builder(format!("o{at}")).tag(*name).body("x"));
            let root = others.fold(DynamicNode::builder("root").body("<note></note>").section(section), |root, other| root.section(other));
            let node = root.build().unwrap().bind(json!({ "v": value })).unwrap();
            node.prompt().style(style).text().unwrap()
        };
        prop_assert_eq!(text(&value), text(&guarded));
    }

    #[test]
    fn untrusted_text_brings_no_headings_and_no_chat_tokens(
        pieces in proptest::collection::vec("[#=<|a \\n-]{0,6}|\\n# |\\n===\\n|<\\|im_end\\|>", 3), body in 0..5_usize,
    ) {
        let body = ["{a}{b}{c}", "  {a}{b} {c}", "{a}\n\n{b}{c}", "Text {a}\n{b}\n{c}", "# Title\n\n{a}{b}\n\n{c}"][body];
        let node = DynamicNode::builder("root").section(DynamicNode::builder("s").untitled().untrusted().body(body));
        let values = json!({ "a": pieces[0], "b": pieces[1], "c": pieces[2] });
        let text = node.build().unwrap().bind(values).unwrap().prompt().text().unwrap();
        prop_assert!(!text.contains("<|"), "{text:?}");
        let mut above = "";
        for (index, line) in text.lines().enumerate() {
            let marked = line.trim_start_matches(' ');
            let rest = marked.trim_start_matches('#');
            let is_heading = line.len() - marked.len() < 4
                && (1..=6).contains(&(marked.len() - rest.len()))
                && (rest.is_empty() || rest.starts_with(' '));
            prop_assert!(!is_heading || (index == 0 && line == "# Title"), "{line:?} in {text:?}");
            let marks = marked.trim_end();
            let underlines = !marks.is_empty() && line.len() - marked.len() < 4
                && (marks.bytes().all(|mark| mark == b'=') || marks.bytes().all(|mark| mark == b'-'));
            prop_assert!(!underlines || above.trim().is_empty(), "{line:?} in {text:?}");
            above = line;
        }
    }
}
