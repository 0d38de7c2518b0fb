//! The reference pages of the guide say what the derives do: every key, every rule, every example.

use crate::{derive, task};
use proc_macro2::TokenStream;
use prompt_syntax::{
    Code,
    book::{self, Holder, Key, Takes},
};
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

/// The file of a page of the guide.
fn path(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../prompt-core/src/guide");
    folder.join(name).with_extension("md")
}

/// A page of the guide.
fn page(name: &str) -> String {
    let path = path(name);
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

/// `UPDATE_EXPECT=1` prints the tables anew.
#[test]
fn the_key_tables_are_those_of_the_book() {
    let mut page = page("attributes");
    let written = page.clone();
    for (attribute, holders) in [
        ("prompt", [Holder::Prompt].as_slice()),
        ("var", &[Holder::Var]),
        ("section", &[Holder::Section]),
        ("task", &[Holder::TaskVariant, Holder::TaskEnum]),
    ] {
        let chapter = chapter(&page, &format!("#[{attribute}(..)]"));
        let start = chapter.find("| key |").unwrap();
        let table = &chapter[start..];
        let end = table.find("\n\n").map_or(table.len(), |end| end + 1);
        page = page.replace(&table[..end], &book::table(holders));
    }
    if std::env::var_os("UPDATE_EXPECT").is_some() {
        std::fs::write(path("attributes"), &page).unwrap();
    } else {
        assert_eq!(page, written, "UPDATE_EXPECT=1 prints the tables anew");
    }
}

/// The index goes by what one wants to do; no key is left out, and none is made up.
#[test]
fn the_index_has_every_key_of_the_book() {
    let page = page("index");
    let named: BTreeSet<&str> = in_backticks(&page).collect();
    let missing: BTreeSet<&str> = book::KEYS
        .iter()
        .map(|key| key.name)
        .filter(|name| !named.contains(name))
        .collect();
    assert!(missing.is_empty(), "{missing:?}");
    let keys: BTreeSet<&str> = book::KEYS.iter().map(|key| key.name).collect();
    for row in page
        .lines()
        .filter(|row| row.contains("(p") || row.contains("(s") || row.contains("(v"))
    {
        let (_, right) = row.split_once(" | ").unwrap_or_default();
        let words = in_backticks(right)
            .filter(|word| word.chars().all(|c| c.is_ascii_lowercase() || c == '_'));
        for word in words {
            assert!(keys.contains(word), "{word} in {row}");
        }
    }
}

#[test]
fn the_derive_names_every_key() {
    let docs = include_str!("../lib.rs");
    for (attribute, holder) in [
        ("prompt", Holder::Prompt),
        ("var", Holder::Var),
        ("section", Holder::Section),
    ] {
        let mut rows = docs
            .lines()
            .filter_map(|line| line.strip_prefix(&format!("/// | `#[{attribute}(..)]` | ")));
        let (_, list) = rows.next().unwrap().split_once(" | ").unwrap();
        let named: BTreeSet<&str> = in_backticks(list).collect();
        let keys: BTreeSet<&str> = book::keys(holder).map(|key| key.name).collect();
        assert_eq!(named, keys, "#[{attribute}(..)]");
    }
}

/// An entry that no key but one of this kind can have, and the text of it, if it is one.
fn wrong_entry(key: &Key) -> (String, Option<&'static str>) {
    let name = key.name;
    match key.takes {
        Takes::OneOf(_) | Takes::OneOfOrExpression(_) | Takes::OneOfOrNothing(_) => {
            (format!("{name} = \"blue\""), Some("blue"))
        }
        Takes::Json | Takes::Priority | Takes::Level | Takes::Columns | Takes::Characters => {
            (format!("{name} = 99999999999"), None)
        }
        Takes::Hang | Takes::Seconds | Takes::Gap => (format!("{name} = -1"), None),
        Takes::Bounds => (format!("{name} = \"T T\""), Some("T T")),
        Takes::Expression => (name.to_owned(), None),
        _ => (format!("{name} = 3 + 3"), None),
    }
}

/// Each key of the book has a receiver that takes what the book says, and refuses it with the words of the book.
#[test]
fn what_a_key_cannot_have_is_refused_with_the_words_of_the_book() {
    for (holder, before, behind) in [
        (Holder::Prompt, "#[prompt(", ")] struct A;"),
        (Holder::Var, "struct A { #[var(", ")] a: Vec<u8> }"),
        (Holder::Section, "struct A { #[section(", ")] a: Vec<B> }"),
        (Holder::TaskEnum, "#[task(", ")] enum A { B }"),
        (Holder::TaskVariant, "enum A { #[task(", ")] B }"),
    ] {
        for key in book::keys(holder) {
            let is_task = matches!(holder, Holder::TaskEnum | Holder::TaskVariant);
            let derive = if is_task {
                task::derive
            } else {
                derive::prompt_node
            };
            let (entry, text) = wrong_entry(key);
            let refusal = key.refuse(holder, text);
            let words = format!(
                "{} [{}]\nhelp: {}",
                refusal.message, refusal.code, refusal.help
            );
            let said = complaints(derive, &format!("{before}{entry}{behind}"));
            assert_eq!(said, [words], "{holder:?}, {entry}");
        }
    }
}

/// What excludes each other does so in either order, at the one that comes later, in one complaint.
#[test]
fn keys_that_exclude_each_other_are_refused_in_either_order() {
    let mut pairs = 0;
    for (holder, before, behind) in [
        (Holder::Prompt, "#[prompt(", ")] struct A;"),
        (Holder::Var, "struct A { #[var(", ")] a: Vec<u8> }"),
        (Holder::Section, "struct A { #[section(", ")] a: Vec<B> }"),
    ] {
        for one in book::keys(holder) {
            for other in book::keys(holder) {
                let Some(clash) = book::clash(one, other) else {
                    continue;
                };
                let entries = format!("{}, {}", wrong_entry(one).0, wrong_entry(other).0);
                let said = complaints(derive::prompt_node, &format!("{before}{entries}{behind}"));
                let is_said = |text: &&String| text.starts_with(&clash.message);
                assert_eq!(
                    said.iter().filter(is_said).count(),
                    1,
                    "{entries}: {said:?}"
                );
                pairs += 1;
            }
        }
    }
    assert!(pairs > 80, "{pairs}");
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
    // Behind them are the codes of calls, which stand in a table.
    let of_texts = |code: &&Code| page.contains(&format!("\n# `{code}`"));
    for code in Code::ALL.iter().take_while(of_texts) {
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
