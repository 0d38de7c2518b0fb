//! The grammar by example: blocks, inline pieces, and every rule.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, missing_docs)]

use prompt_syntax::{
    Block, BlockKind, Code, Inline, Options, Parsed, Place, Specs, blocks_source, inline_source, is_key, is_tag, key_case,
    nearest, parse, title_case,
};
use serde_json::{Value, json};

fn options(place: Place) -> Options<'static> {
    Options { names: &["language", "team", "limit"], sections: &["rules", "style_guide"], ..Options::new(place) }
}

fn node(text: &str) -> Parsed {
    parse(text, &options(Place::Node))
}

/// The codes of the problems of a node's own text, each with what it points at.
fn problems(text: &str) -> Vec<(&'static str, &str)> {
    found(text, &options(Place::Node))
}

fn found<'t>(text: &'t str, options: &Options<'_>) -> Vec<(&'static str, &'t str)> {
    let problems = parse(text, options).problems;
    problems.iter().map(|problem| (problem.code.as_str(), &text[problem.span.start..problem.span.end])).collect()
}

/// One line per block: its kind and its content.
fn outline(text: &str) -> Vec<String> {
    let line = |block: &Block| match &block.kind {
        BlockKind::Title { level, text, optional } => {
            format!("title {level}{} {}", if *optional { "?" } else { "" }, inline_source(text))
        }
        BlockKind::Text(text) => format!("text {}", inline_source(text)),
        BlockKind::Code { info, text, .. } => format!("code {}|{}", inline_source(info), inline_source(text)),
        BlockKind::Slot { name, level, indent, .. } => format!("slot {level} {}{name}", indent.len()),
    };
    node(text).blocks.iter().map(line).collect()
}

/// What the pieces of a text print, variables as `<name>`, guards as `<?name>`.
fn pieces(text: &str, place: Place) -> String {
    let parsed = parse(text, &options(place));
    let all = parsed.blocks.iter().flat_map(|block| match &block.kind {
        BlockKind::Text(text) | BlockKind::Title { text, .. } => text.clone(),
        BlockKind::Code { info, text, .. } => info.iter().chain(text).cloned().collect(),
        BlockKind::Slot { .. } => Vec::new(),
    });
    let print = |piece: Inline| match piece {
        Inline::Literal(text) | Inline::Escaped(text) => text,
        Inline::Variable(v) => format!("<{}>", [&[v.name][..], &v.path, &[v.spec]].concat().join(".").trim_end_matches('.')),
        Inline::Guard { name, negated, .. } => format!("<?{}{name}>", if negated { "!" } else { "" }),
    };
    all.map(print).collect()
}

fn cases(family: &str) -> Vec<Value> {
    let cases: Value = serde_json::from_str(include_str!("../cases/elements.json")).unwrap();
    cases[family].as_array().unwrap().clone()
}

/// The first problem that is more than a lint.
fn first_error(parsed: &Parsed) -> Option<&'static str> {
    parsed.problems.iter().find(|problem| !problem.code.is_lint()).map(|problem| problem.code.as_str())
}

#[test]
fn parse_cases() {
    for case in cases("parse") {
        let parsed = parse(case["text"].as_str().unwrap(), &Options::new(Place::Free));
        let element = |block: &Block| match &block.kind {
            BlockKind::Title { level, text, .. } => json!({"type": "title", "level": level, "content": inline_source(text)}),
            BlockKind::Text(text) => json!({"type": "text", "content": inline_source(text)}),
            BlockKind::Code { info, text, .. } => {
                json!({"type": "code", "info": inline_source(info), "content": inline_source(text)})
            }
            BlockKind::Slot { name, level, .. } => json!({"type": "slot", "level": level, "name": name}),
        };
        let actual = match first_error(&parsed) {
            Some(code) => json!({"error": code}),
            None => json!({"elements": parsed.blocks.iter().map(element).collect::<Vec<_>>()}),
        };
        assert_eq!(actual, case["expected"], "{}", case["id"]);
    }
}

#[test]
fn check_cases() {
    for case in cases("check") {
        let known: Vec<&str> = case["known"].as_array().unwrap().iter().map(|name| name.as_str().unwrap()).collect();
        let place = if case["where"] == "node" { Place::Node } else { Place::Introduction };
        let parsed = parse(case["text"].as_str().unwrap(), &Options { names: &known, ..Options::new(place) });
        let actual = first_error(&parsed).map_or(json!({"ok": true}), |code| json!({"error": code}));
        assert_eq!(actual, case["expected"], "{}", case["id"]);
    }
}

#[test]
fn title_cases() {
    for case in cases("title") {
        assert_eq!(title_case(case["field"].as_str().unwrap()), case["expected"], "{}", case["id"]);
    }
    assert_eq!(title_case("parseHTTPResponse"), "Parse HTTP Response");
    assert_eq!(title_case("r#type"), "Type");
    assert_eq!(title_case("API_KEY"), "API KEY");
}

#[test]
fn keys_are_snake_case() {
    for (field, key) in [
        ("literature_review", "literature_review"),
        ("r#type", "type"),
        ("class_", "class"),
        ("mainAnalysis", "main_analysis"),
        ("parseHTTPResponse", "parse_http_response"),
        ("q3_results", "q3_results"),
        ("my__var", "my_var"),
    ] {
        assert_eq!(key_case(field), key);
    }
    let long = "a".repeat(64);
    assert!(["a", "0-x_y", &long].iter().all(|key| is_key(key)));
    assert!(!["", "A", "_a", "-a", "größe", "a.b", &format!("{long}a")].iter().any(|key| is_key(key)));
    assert!(["a", "_", "A.b-c_9"].iter().all(|tag| is_tag(tag)));
    assert!(!["", "1a", "-a", "a b", "ä"].iter().any(|tag| is_tag(tag)));
}

#[test]
fn nearest_names() {
    let names = ["language", "team", "PROMPT_SUBTREE"];
    assert_eq!(nearest("langauge", names), Some("language"));
    assert_eq!(nearest("prompt_subtree", names), Some("PROMPT_SUBTREE"));
    assert_eq!(nearest("PROMPT_SUBTRE", names), Some("PROMPT_SUBTREE"));
    assert_eq!(nearest("teams", names), Some("team"));
    assert_eq!(nearest("x", names), None);
    assert_eq!(nearest("a", ["b"]), None);
    assert_eq!(nearest("", names), None);
    assert_eq!(nearest(&"team".repeat(100_000), names), None);
}
