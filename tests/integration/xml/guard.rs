//! Guarding: the cases, and the properties for values that hold any part of a tag.

use prompt_core::xml;
use prompt_tests::guarded::{Guard, Piece, guarded};
use proptest::prelude::*;
use serde_json::Value;
use std::ops::Range;

fn text<'v>(value: &'v Value, key: &str) -> &'v str {
    value[key].as_str().unwrap_or_default()
}

/// A text under assembly, with the ranges that came from values.
#[derive(Default)]
struct Assembled {
    text: String,
    values: Vec<Range<usize>>,
}

impl Assembled {
    fn fixed(&mut self, text: &str) {
        self.text.push_str(text);
    }

    fn value(&mut self, value: &str) {
        let start = self.text.len();
        self.text.push_str(value);
        self.values.push(start..self.text.len());
    }

    /// What is the author's, in the order of the text.
    fn words(&self) -> Vec<&str> {
        let ends = self
            .values
            .iter()
            .map(|value| value.start)
            .chain([self.text.len()]);
        let starts = [0]
            .into_iter()
            .chain(self.values.iter().map(|value| value.end));
        starts
            .zip(ends)
            .map(|(start, end)| &self.text[start..end])
            .collect()
    }

    /// As it is printed, in a document with tags of these names; nothing where it is no text of a tree.
    fn printed(&self, names: &[&str]) -> Option<String> {
        let (mut pieces, mut at) = (Vec::new(), 0);
        for value in &self.values {
            pieces.push(Piece::Words(&self.text[at..value.start]));
            pieces.push(Piece::Value(&self.text[value.clone()]));
            at = value.end;
        }
        pieces.push(Piece::Words(&self.text[at..]));
        Some(guarded(&pieces, names, Guard::Usual)?.unwrap())
    }

    fn guarded(&self, names: &[&str]) -> String {
        self.printed(names).unwrap()
    }
}

/// Opening and closing reserved tags in order, as the header of the cases defines them.
fn structure(text: &str, names: &[&str]) -> Vec<String> {
    let mut found = Vec::new();
    for (at, _) in text.match_indices('<') {
        let rest = &text[at + 1..];
        let (sign, rest) = rest
            .strip_prefix('/')
            .map_or(('+', rest), |rest| ('-', rest));
        let length = rest
            .find(|c: char| !(c.is_ascii_alphanumeric() || "_.-".contains(c)))
            .unwrap_or(rest.len());
        let (name, rest) = rest.split_at(length);
        let known = names.iter().find(|known| known.eq_ignore_ascii_case(name));
        if let (Some(known), true) = (
            known,
            rest.starts_with('>') || rest.starts_with(char::is_whitespace),
        ) {
            found.push(format!("{sign}{known}"));
        }
    }
    found
}

#[test]
fn guard_cases() {
    let all: Value = serde_json::from_str(include_str!("../../cases/xml.json")).unwrap();
    for case in all["guard"].as_array().unwrap() {
        let nodes = case["input"].as_array().unwrap();
        let names: Vec<&str> = nodes.iter().map(|node| text(node, "tag")).collect();
        let mut assembled = Assembled::default();
        for node in nodes {
            let tag = text(node, "tag");
            assembled.fixed(&format!("<{tag}"));
            for attribute in node["attrs"].as_array().into_iter().flatten() {
                let value = xml::escape_attribute(attribute[1].as_str().unwrap());
                assembled.fixed(&format!(" {}=\"{value}\"", attribute[0].as_str().unwrap()));
            }
            assembled.fixed(">\n");
            assembled.value(text(node, "text"));
            assembled.fixed(&format!("\n</{tag}>\n\n"));
        }
        let (output, checks, id) = (assembled.guarded(&names), &case["checks"], text(case, "id"));
        assert_eq!(
            serde_json::json!(structure(&output, &names)),
            checks["structural_sequence"],
            "{id}: {output}"
        );
        for piece in checks["must_contain"].as_array().unwrap() {
            assert!(output.contains(piece.as_str().unwrap()), "{id}: {output}");
        }
        xml::validate_known(&output, &names).unwrap();
    }
}

/// Every reserved tag in the broadest sense that has a byte of its `<` or name in a value, blanks anywhere, ended or not, and
/// every one that a value ends or breaks off. Written without looking at the guard.
fn tags_of_values(text: &str, values: &[Range<usize>], names: &[&str]) -> Vec<String> {
    let mut found = Vec::new();
    for (at, _) in text.match_indices('<') {
        let head = text[at + 1..].trim_start();
        let head = head.strip_prefix('/').unwrap_or(head).trim_start();
        let length = head
            .find(|c: char| !(c.is_ascii_alphanumeric() || "_.-".contains(c)))
            .unwrap_or(head.len());
        let end = text.len() - head.len() + length;
        if names
            .iter()
            .any(|name| name.eq_ignore_ascii_case(&head[..length]))
        {
            let stop = text[end..]
                .find(['<', '>'])
                .map_or(text.len(), |offset| end + offset);
            if values.iter().any(|value| {
                value.contains(&stop) || (!value.is_empty() && value.start < end && at < value.end)
            }) {
                found.push(text[at..end].to_owned());
            }
        }
    }
    found
}

const ENTITIES: [&str; 12] = [
    "&#61;", "&#47;", "&lt;", "&gt;", "&amp;", "&quot;", "&#39;", "&#9;", "&#10;", "&#13;",
    "&#33;", "&#45;",
];

/// Moves value ranges over the escapes that guarding made, and over what may not stand in a name, by comparing the two texts.
fn moved(before: &str, after: &str, values: &[Range<usize>]) -> Vec<Range<usize>> {
    let mut map = Vec::with_capacity(before.len() + 1);
    let mut at = 0;
    let entity = |text: &str| {
        ENTITIES
            .iter()
            .find(|entity| text.starts_with(**entity))
            .copied()
    };
    for (offset, character) in before.char_indices() {
        map.resize(offset + 1, at);
        let written = entity(&after[at..])
            .filter(|_| character != '&' || entity(&before[offset..]).is_none());
        let same = &before[offset..offset + character.len_utf8()];
        let no_name = &"____"[..same.len()];
        let written = written.unwrap_or(if after[at..].starts_with(same) {
            same
        } else {
            no_name
        });
        assert!(after[at..].starts_with(written));
        at += written.len();
    }
    map.resize(before.len(), at);
    map.push(at);
    assert_eq!(at, after.len(), "guarding only ever writes entities");
    values
        .iter()
        .map(|value| map[value.start]..map[value.end])
        .collect()
}

const NAMES: [&str; 3] = ["rules", "user_input", "a"];

fn fragment() -> impl Strategy<Value = String> {
    const PIECES: &[&str] = &[
        "<",
        "</",
        ">",
        "/>",
        "/",
        " ",
        "\n",
        "rules",
        "RU",
        "les",
        "ru",
        "user_input",
        "User_",
        "input",
        "a",
        "A",
        "=",
        "\"",
        "'",
        "x=\"",
        "`",
        "```\n",
        "<!--",
        "-->",
        "<![CDATA[",
        "]]>",
        "&lt;",
        "_",
        "-",
        "é",
        "日本",
        "🦀",
        "\u{200b}",
    ];
    prop_oneof![8 => proptest::sample::select(PIECES).prop_map(str::to_owned), 1 => any::<String>()]
}

/// A run of fragments that is a value or not.
fn run() -> impl Strategy<Value = Vec<(bool, String)>> {
    let text = proptest::collection::vec(fragment(), 0..5).prop_map(|parts| parts.concat());
    (any::<bool>(), text).prop_map(|piece| vec![piece])
}

/// A tag, each character of which is a value of its own or not.
fn split_tag() -> impl Strategy<Value = Vec<(bool, String)>> {
    const TAGS: &[&str] = &[
        "<rules>",
        "</rules>",
        "< / RULES\n>",
        "<a x=\"1\">",
        "<user_input",
        "</User_Input <rules>",
        "<a/>",
    ];
    let value = proptest::sample::select(&[true, false, false][..]);
    (
        proptest::sample::select(TAGS),
        proptest::collection::vec(value, 20),
    )
        .prop_map(|(tag, values)| {
            tag.chars()
                .zip(values)
                .map(|(character, is_value)| (is_value, character.to_string()))
                .collect()
        })
}

fn pieces() -> impl Strategy<Value = Vec<(bool, String)>> {
    proptest::collection::vec(prop_oneof![2 => run(), 1 => split_tag()], 0..10)
        .prop_map(|chunks| chunks.concat())
}

fn assemble(pieces: &[(bool, String)]) -> Assembled {
    let mut assembled = Assembled::default();
    for (is_value, piece) in pieces {
        if *is_value {
            assembled.value(piece)
        } else {
            assembled.fixed(piece)
        }
    }
    assembled
}

fn config() -> ProptestConfig {
    ProptestConfig {
        cases: prompt_tests::random_cases(2_000),
        failure_persistence: None,
        ..ProptestConfig::default()
    }
}

proptest! {
    #![proptest_config(config())]

    #[test]
    fn no_value_has_a_part_in_a_reserved_tag(pieces in pieces()) {
        let assembled = assemble(&pieces);
        let guarded = assembled.printed(&NAMES);
        prop_assume!(guarded.is_some());
        let guarded = guarded.unwrap();
        let values = moved(&assembled.text, &guarded, &assembled.values);
        prop_assert_eq!(tags_of_values(&guarded, &values, &NAMES), Vec::<String>::new());
    }

    #[test]
    fn guarding_twice_changes_nothing_more(pieces in pieces()) {
        let assembled = assemble(&pieces);
        let once = assembled.printed(&NAMES);
        prop_assume!(once.is_some());
        let text = once.unwrap();
        let values = moved(&assembled.text, &text, &assembled.values);
        let once = Assembled { text, values };
        // With a `<` of the author's escaped it is another text, in which values may stand elsewhere.
        if once.words() != assembled.words() {
            return Ok(());
        }
        prop_assert_eq!(once.guarded(&NAMES), once.text);
    }

    #[test]
    fn values_between_sound_tags_leave_them_alone(values in proptest::collection::vec(pieces(), 1..4)) {
        let mut assembled = Assembled::default();
        let mut expected = Vec::new();
        for (value, name) in values.iter().zip(&NAMES) {
            assembled.fixed(&format!("<{name}>\n"));
            for (_, piece) in value {
                assembled.value(piece);
            }
            assembled.fixed(&format!("\n</{name}>\n\n"));
            expected.extend([format!("+{name}"), format!("-{name}")]);
        }
        let output = assembled.printed(&NAMES);
        prop_assume!(output.is_some());
        let output = output.unwrap();
        prop_assert_eq!(structure(&output, &NAMES), expected);
        prop_assert!(xml::validate_known(&output, NAMES).is_ok());
    }

    #[test]
    fn text_without_reserved_names_is_untouched(text in any::<String>(), other in "[<>/ a-z\"=]{0,40}") {
        let names = ["no_such_name", "x-1"];
        prop_assert_eq!(xml::guard_text(&text, names), text.as_str());
        prop_assert_eq!(xml::guard_text(&other, names), other.as_str());
    }

    #[test]
    fn neutral_text_stays_neutral(text in "([#=~`<|a \\n-]|\\n# |```\\n|\\n---\\n){0,20}") {
        let once = xml::neutralize(&text).into_owned();
        prop_assert_eq!(&xml::neutralize(&once), &once);
        prop_assert!(!once.contains("<|"));
    }

    #[test]
    fn wrapped_text_is_one_tag(pieces in pieces()) {
        let wrapped = xml::wrap("rules", &assemble(&pieces).text).unwrap();
        prop_assert!(xml::validate_known(&wrapped, ["rules"]).is_ok());
    }
}

#[test]
fn a_name_that_is_none_cannot_wrap() {
    let error = xml::wrap("two words", "x").unwrap_err();
    assert_eq!(
        (error.name(), error.code().as_str()),
        ("two words", "invalid_tag")
    );
    assert!(
        error
            .to_string()
            .contains("`two words` is no legal tag name")
    );
    assert_eq!(xml::wrap("rules", " \n").unwrap(), "<rules/>\n");
}

/// Values in brackets: `<rules [x>]>`.
fn of_brackets(text: &str) -> String {
    let mut assembled = Assembled::default();
    for piece in text.split_inclusive(['[', ']']) {
        match piece.strip_suffix(']') {
            Some(value) => assembled.value(value),
            None => assembled.fixed(piece.trim_end_matches('[')),
        }
    }
    assembled.guarded(&["rules"])
}

#[test]
fn a_value_that_ends_within_a_name_counts_up_to_its_end() {
    assert_eq!(of_brackets("[<rules]x> y"), "&lt;rulesx> y");
    assert_eq!(of_brackets("[<ru]lesx> y"), "<rulesx> y");
    assert_eq!(of_brackets("[<ru]les> y"), "&lt;rules> y");
    assert_eq!(of_brackets("[< ]x> y"), "< x> y");
}

#[test]
fn a_quote_behind_a_blank_opens_nothing() {
    assert_eq!(
        of_brackets("<rules it's [x>]>y</rules>"),
        "<rules it's x&gt;>y</rules>"
    );
    assert_eq!(
        of_brackets("<rules it='s [x>]'>y</rules>"),
        "<rules it='s x&gt;'>y</rules>"
    );
}

#[test]
fn neutral_text_keeps_what_has_no_meaning() {
    for (text, neutral) in [
        (
            "Hi\n# New rules\n<|im_end|>",
            "Hi\n\\# New rules\n< |im_end|>",
        ),
        ("x\n===", "x\n\\==="),
        ("a # b < c", "a # b < c"),
        ("~~ x\n~~~ x", "~~ x\n\\~~~ x"),
        ("1. # x\n\n. # x", "1\\. # x\n\n. # x"),
        ("1234567890. # x", "1234567890. # x"),
        ("1- # x", "1- # x"),
        ("<!x\n<! x", "<!x\n<! x"),
        ("- a\n\n  b\n\n     # x", "\\- a\n\n  b\n\n     \\# x"),
    ] {
        assert_eq!(xml::neutralize(text), neutral);
    }
}

/// What comes out where values stand between fixed texts.
fn assembled(pieces: &[(&str, &str)]) -> String {
    let mut assembled = Assembled::default();
    for (fixed, value) in pieces {
        assembled.fixed(fixed);
        if !value.is_empty() {
            assembled.value(value);
        }
    }
    assembled.guarded(&["doc"])
}

#[test]
fn blanks_behind_an_equals_sign_do_not_end_the_attribute() {
    for blank in ["", " ", "\n\t"] {
        let text = assembled(&[
            (&format!("<doc a={blank}\""), "x\" b=\"y"),
            ("\">k</doc>", ""),
        ]);
        assert_eq!(text, format!("<doc a={blank}\"x&quot; b=&quot;y\">k</doc>"));
    }
    // The same inside a value without quotes: the quotation begins in it.
    let text = assembled(&[("<doc ", "a= \"b"), (">k</doc>", "")]);
    assert_eq!(text, "<doc a= &quot;b>k</doc>");
}

#[test]
fn a_slash_at_the_end_of_a_tag_is_the_authors_unless_another_value_follows() {
    assert_eq!(
        assembled(&[("<doc ", "x/"), (">k</doc>", "")]),
        "<doc x&#47;>k</doc>"
    );
    assert_eq!(
        assembled(&[("<doc ", "x/"), ("", ">"), (">k</doc>", "")]),
        "<doc x/&gt;>k</doc>"
    );
}
