//! A prompt file that is one text: the keys of its root stand in front matter, if it has any.

use super::finding::{Finding, Severity};
use prompt_core::dynamic::json_schema;
use prompt_core::{Code, Markdown, Skill, SkillError};
use serde_json::{Map, Value, json};
use std::collections::HashMap;
use std::path::Path;

/// A text with the keys above it.
#[derive(Clone, Debug)]
pub(super) struct TextFile {
    /// The tree that it is, in JSON.
    pub(super) tree: String,
    /// Lines of the file above the text.
    pub(super) above: usize,
    /// Which of them a key begins, from 1.
    lines: HashMap<String, usize>,
    /// What is to be told of the front matter.
    pub(super) remarks: Vec<Finding>,
}

impl TextFile {
    /// Reads a file of this name.
    ///
    /// # Errors
    /// Front matter that cannot be read.
    pub(super) fn read(name: &str, text: &str) -> Result<Self, SkillError> {
        let file = Markdown::from(text);
        let (mut root, mut remarks) = (Map::new(), Vec::new());
        root.insert("key".to_owned(), json!(key(name)));
        let schema = json_schema();
        let known = |key: &str| schema["properties"].get(key).is_some();
        let body = file.body();
        let front_matter = &text[..text.len() - body.len()];
        let lines = lines(front_matter);
        let is_skill = Skill::parse(text).is_ok();
        for (key, value) in file.metadata()? {
            if is_skill && SKILL.contains(&key.as_str()) {
                continue;
            }
            // The text is the body, and has no sections but its headings.
            if known(&key) && !matches!(key.as_str(), "body" | "sections") {
                root.insert(key, value);
            } else {
                let fact = format!("front matter has no key `{key}`: it is not looked at");
                let line = lines.get(key.as_str()).copied().unwrap_or(1);
                let allow = if is_toml(text) { "allow =" } else { "allow:" };
                let help = format!(
                    "its keys are those of the root of a prompt file, but for `body` and `sections`; where \
                     others are meant for somebody else, switch this off with `{allow} [\"front_matter\"]`"
                );
                remarks.push(remark(name, line, fact).help(help));
            }
        }
        let has_rule = |key: &str| {
            let codes = root.get(key).and_then(Value::as_array);
            codes.is_some_and(|codes| codes.iter().any(|it| it == Code::FrontMatter.as_str()))
        };
        if has_rule("allow") {
            remarks.clear();
        } else if has_rule("deny") {
            let deny = |remark: &mut Finding| remark.severity = Severity::Error;
            remarks.iter_mut().for_each(deny);
        }
        // A line of its own, with a blank one below it, is a thematic break.
        let mut begin = body.lines().map(str::trim_end);
        let first = begin.next().unwrap_or_default();
        let has_more = begin.next().is_some_and(|line| !line.is_empty());
        if body.len() == text.len() && matches!(first, "---" | "+++") && has_more {
            let fact = format!(
                "a first line `{first}` is printed: it begins no front matter that has keys and an end"
            );
            let help = format!(
                "write keys, and `{first}` below them; for a line across the page leave the next one blank"
            );
            remarks.push(remark(name, 1, fact).help(help));
        }
        root.insert("body".to_owned(), body.into());
        Ok(Self {
            tree: Value::Object(root).to_string(),
            above: front_matter.matches('\n').count(),
            lines: lines
                .into_iter()
                .map(|(key, line)| (key.to_owned(), line))
                .collect(),
            remarks,
        })
    }
}

impl TextFile {
    /// The line of a key.
    pub(super) fn line_of(&self, key: &str) -> Option<usize> {
        self.lines.get(key).copied()
    }
}

/// Whether front matter is in TOML.
pub(super) fn is_toml(text: &str) -> bool {
    text.trim_start_matches('\u{feff}').starts_with("+++")
}

fn remark(name: &str, line: usize, fact: String) -> Finding {
    let remark = Finding::new(Severity::Warning, Code::FrontMatter.as_str(), fact);
    remark.of(name).at(Some((line, 1)))
}

/// What else a skill says of itself: <https://agentskills.io/specification>.
const SKILL: [&str; 5] = [
    "name",
    "license",
    "compatibility",
    "metadata",
    "allowed-tools",
];

/// The lines of the front matter, from 1, by the keys that they begin.
fn lines(front_matter: &str) -> HashMap<&str, usize> {
    let mut lines = HashMap::new();
    for (at, line) in front_matter.lines().enumerate() {
        let key = line.trim_start_matches(['[', '"', '\'']);
        let end = key.find([':', '=', '.', ']', '"', '\'', ' ']);
        let key = end.map_or(key, |end| &key[..end]);
        lines.entry(key).or_insert(at + 1);
    }
    lines
}

/// The key of a text: the name of its file.
fn key(name: &str) -> String {
    let stem = Path::new(name).file_stem().unwrap_or_default();
    let name = stem.to_string_lossy().to_lowercase();
    let is_part = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '-');
    let part = |c| if is_part(c) { c } else { '_' };
    let name: String = name.chars().map(part).take(64).collect();
    let is_key = name.starts_with(|c: char| c.is_ascii_alphanumeric());
    if is_key { name } else { "prompt".to_owned() }
}
