//! Every public name is shown somewhere, or has a reason: read from the lists in `tests/api`.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

fn top() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

fn read(path: &str) -> String {
    fs::read_to_string(top().join(path)).unwrap_or_else(|error| panic!("{path}: {error}"))
}

fn words(text: &str) -> impl Iterator<Item = &str> {
    text.split(|c: char| !c.is_alphanumeric() && c != '_')
}

/// The texts of all files below a folder with these endings.
fn texts(folder: &Path, endings: &[&str]) -> Vec<String> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let ending = path.extension().and_then(|it| it.to_str());
        if path.is_dir() {
            found.extend(texts(&path, endings));
        } else if ending.is_some_and(|it| endings.contains(&it)) {
            found.push(fs::read_to_string(&path).unwrap());
        }
    }
    found
}

/// The programs in the documentation comments of a source.
fn examples(source: &str) -> String {
    let mut inside = false;
    let mut found = String::new();
    for line in source.lines() {
        let comment = line.trim_start();
        let comment = comment
            .strip_prefix("///")
            .or_else(|| comment.strip_prefix("//!"));
        match comment.map(str::trim) {
            Some(comment) if comment.starts_with("```") => inside = !inside,
            Some(comment) if inside => found.extend([comment, "\n"]),
            Some(_) => {}
            None => inside = false,
        }
    }
    found
}

#[test]
fn every_public_name_is_shown_or_has_a_reason() {
    let crates = ["core", "agent", "review"];
    let list = crates.map(|name| read(&format!("tests/api/prompt-{name}.txt")));
    let list = list.concat();
    let lines = list.lines().filter_map(|line| line.split_once(": "));
    let declared: Vec<(&str, &str)> = lines
        .filter(|(_, words)| !words.starts_with("impl ") && !words.starts_with("pub use "))
        .collect();
    let mut shown = vec![read("README.md")];
    shown.extend(texts(&top().join("examples"), &["rs"]));
    shown.extend(texts(&top().join("tests/shapes"), &["rs"]));
    for folder in ["prompt-core/src", "prompt-core/agent", "prompt-core/review"] {
        shown.extend(texts(&top().join(folder), &["md"]));
        let sources = texts(&top().join(folder), &["rs"]);
        shown.extend(sources.iter().map(|source| examples(source)));
    }
    let shown: BTreeSet<&str> = shown.iter().flat_map(|text| words(text)).collect();

    let reasons = read("tests/api/reasons.txt");
    let reasons = reasons.lines().filter(|line| !line.starts_with('#'));
    let reasons: BTreeMap<&str, &str> = reasons.filter_map(|line| line.split_once(": ")).collect();
    let mut bare = BTreeSet::new();
    for (path, words_of) in &declared {
        let name = path.rsplit("::").next().unwrap();
        let is_type = ["struct", "enum", "trait", "type"]
            .iter()
            .any(|kind| words_of.starts_with(&format!("pub {kind} ")));
        let is_call = ["pub fn ", "fn ", "pub const "]
            .iter()
            .any(|kind| words_of.starts_with(kind));
        // A type that another declaration gives or takes has its reason there.
        let is_used = |(other, its): &(&str, &str)| {
            !other.ends_with(&format!("::{name}")) && words(its).any(|word| word == name)
        };
        let is_bare = is_call || is_type && !declared.iter().any(is_used);
        if is_bare && !shown.contains(name) {
            bare.insert(name);
        }
    }
    let missing: Vec<_> = bare
        .iter()
        .filter(|name| !reasons.contains_key(**name))
        .collect();
    assert!(
        missing.is_empty(),
        "neither shown nor with a reason: {missing:?}"
    );
    let stale: Vec<_> = reasons
        .keys()
        .filter(|name| !bare.contains(**name))
        .collect();
    assert!(stale.is_empty(), "shown now, or gone: {stale:?}");
}
