//! The reference pages of the guide say what the derives do: every key, every rule, every example.
#![allow(clippy::unwrap_used, clippy::panic)]

use crate::{derive, task};
use proc_macro2::TokenStream;
use prompt_syntax::Code;
use std::collections::BTreeSet;
use std::path::Path;

/// A page of the guide.
fn page(name: &str) -> String {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../prompt-core/src/guide");
    let path = folder.join(name).with_extension("md");
    std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// The part of a page under a heading.
fn chapter<'p>(page: &'p str, heading: &str) -> &'p str {
    let (_, part) = page
        .split_once(&format!("\n# `{heading}`"))
        .unwrap_or_else(|| panic!("no chapter `{heading}`"));
    part.split("\n# `").next().unwrap_or_default()
}

/// What the derives complain about.
fn complaints(expand: fn(TokenStream) -> TokenStream, source: &str) -> Vec<String> {
    let output: syn::File = syn::parse2(expand(source.parse().unwrap())).unwrap();
    let message = |item| match item {
        syn::Item::Macro(complaint) => complaint
            .mac
            .parse_body()
            .map(|text: syn::LitStr| text.value())
            .ok(),
        _ => None,
    };
    output.items.into_iter().filter_map(message).collect()
}

/// What stands in backticks.
fn in_backticks(text: &str) -> impl Iterator<Item = &str> {
    text.split('`').skip(1).step_by(2)
}

/// The keys of an attribute, as they are listed to someone who wrote one that is like none of them.
fn keys(attribute: &str) -> BTreeSet<String> {
    let wrong = "colour_of_the_sky";
    let messages = match attribute {
        "prompt" => complaints(
            derive::prompt_node,
            &format!("#[prompt({wrong})] struct A;"),
        ),
        "task" => complaints(
            task::derive,
            &format!("#[task({wrong})] enum A {{ #[task({wrong})] B }}"),
        ),
        field => complaints(
            derive::prompt_node,
            &format!("struct A {{ #[{field}({wrong})] a: u8 }}"),
        ),
    };
    let lists = messages
        .iter()
        .filter_map(|text| text.split_once("its keys are"));
    lists
        .flat_map(|(_, list)| in_backticks(list))
        .map(str::to_owned)
        .collect()
}

/// The key at the beginning of each cell of the first column.
fn first_column(chapter: &str) -> BTreeSet<String> {
    let rows = chapter.lines().filter(|line| line.starts_with("| `"));
    let cells = rows.filter_map(|row| row.split(" | ").next());
    let is_end = |c: char| !(c.is_alphanumeric() || c == '_');
    let key = |code: &str| code.split(is_end).next().unwrap_or_default().to_owned();
    cells.flat_map(in_backticks).map(key).collect()
}

#[test]
fn every_key_has_a_row() {
    let page = page("attributes");
    for attribute in ["prompt", "var", "section", "task"] {
        let rows = first_column(chapter(&page, &format!("#[{attribute}(..)]")));
        assert_eq!(rows, keys(attribute), "#[{attribute}(..)]");
    }
}

#[test]
fn the_derive_names_every_key() {
    let docs = include_str!("lib.rs");
    for attribute in ["prompt", "var", "section"] {
        let mut rows = docs
            .lines()
            .filter_map(|line| line.strip_prefix(&format!("/// | `#[{attribute}(..)]` | ")));
        let (_, list) = rows.next().unwrap().split_once(" | ").unwrap();
        let named: BTreeSet<String> = in_backticks(list).map(str::to_owned).collect();
        assert_eq!(named, keys(attribute), "#[{attribute}(..)]");
    }
}

#[test]
fn the_rules_of_allow_and_deny_are_named() {
    let page = page("attributes");
    for key in ["allow", "deny"] {
        let row = page
            .lines()
            .find_map(|line| line.strip_prefix(&format!("| `{key}(rule, ..)` |")))
            .unwrap();
        let (list, _) = row.split_once(". ").unwrap_or((row, ""));
        let named: BTreeSet<&str> = in_backticks(list).collect();
        let is_taken = |code: &&str| {
            complaints(
                derive::prompt_node,
                &format!("#[prompt({key}({code}))] struct A;"),
            )
            .is_empty()
        };
        let taken: BTreeSet<&str> = Code::ALL
            .iter()
            .map(|code| code.as_str())
            .filter(is_taken)
            .collect();
        assert_eq!(named, taken, "{key}(..)");
    }
}

/// The programs of a chapter: info string and text, without the lines that rustdoc hides.
fn programs(chapter: &str) -> Vec<(&str, String)> {
    let mut found = Vec::new();
    let mut lines = chapter.lines();
    while let Some(line) = lines.next() {
        let length = line.bytes().take_while(|byte| *byte == b'`').count();
        if length >= 3 {
            let (fence, info) = line.split_at(length);
            let inside = lines.by_ref().take_while(|line| *line != fence);
            let shown: Vec<&str> = inside.filter(|line| !line.starts_with("# ")).collect();
            found.push((info, shown.join("\n")));
        }
    }
    found
}

/// The page's other examples are texts, files and programs of the runtime, and tested there.
#[test]
fn wrong_examples_give_their_code_and_right_ones_none() {
    let page = page("codes");
    let mut count = 0;
    for code in Code::ALL {
        let programs = programs(chapter(&page, code.as_str()));
        let [("rust,compile_fail", wrong), ("rust", right)] = programs.as_slice() else {
            continue;
        };
        let said = complaints(derive::prompt_node, wrong);
        assert!(
            said.iter().any(|text| text.contains(&format!("[{code}]"))),
            "{code}: {said:?}"
        );
        assert_eq!(complaints(derive::prompt_node, right), [""; 0], "{code}");
        count += 1;
    }
    assert!(count > 0);
}
