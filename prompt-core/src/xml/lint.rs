//! Advice on the names and the nesting of tags.

use super::untrusted::has_heading;
use prompt_syntax::Code;
use serde::{Serialize, Serializer};
use std::{collections::BTreeSet, fmt};

/// Characters that a tag name may have without the lint [`Code::LongName`].
pub const MAX_NAME_LENGTH: usize = 32;

/// Levels of tags without the lint [`Code::OverNesting`].
pub const MAX_NESTING: usize = 4;

/// Words that, with a number, make a name that says nothing.
const GENERIC: &[&str] = &[
    "block",
    "box",
    "chunk",
    "container",
    "content",
    "data",
    "div",
    "element",
    "entry",
    "group",
    "info",
    "item",
    "node",
    "paragraph",
    "part",
    "section",
    "stuff",
    "tag",
    "text",
    "thing",
    "wrapper",
];

/// A piece of advice about a tag.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct TagLint {
    /// The rule: [`Code::Naming`], [`Code::GenericName`], [`Code::LongName`], [`Code::OverNesting`] or
    /// [`Code::MixedStyle`].
    #[serde(serialize_with = "spelling")]
    pub code: Code,
    /// The name of the tag.
    pub tag: String,
    /// A better name, if there is an obvious one.
    pub suggestion: Option<String>,
    /// Level of the tag, from 1, where the advice is about nesting.
    pub depth: Option<usize>,
}

impl TagLint {
    fn new(code: Code, tag: &str) -> Self {
        Self {
            code,
            tag: tag.to_owned(),
            suggestion: None,
            depth: None,
        }
    }
}

impl fmt::Display for TagLint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { code, tag, .. } = self;
        match code {
            Code::Naming => write!(
                f,
                "the tag `{tag}` is not in snake case, or starts with `xml`"
            )?,
            Code::GenericName => write!(f, "the tag `{tag}` does not say what it holds")?,
            Code::LongName => write!(
                f,
                "the tag `{tag}` is longer than {MAX_NAME_LENGTH} characters"
            )?,
            Code::OverNesting => write!(
                f,
                "the tag `{tag}` is nested over {MAX_NESTING} levels deep"
            )?,
            _ => write!(f, "the tag `{tag}` holds Markdown headings")?,
        }
        match &self.suggestion {
            Some(suggestion) => write!(f, "; write `{suggestion}`"),
            None => Ok(()),
        }
    }
}

// serde hands over a reference.
#[allow(clippy::trivially_copy_pass_by_ref)]
fn spelling<S: Serializer>(code: &Code, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_str(code.as_str())
}

/// Lints one name: [`Code::Naming`], [`Code::GenericName`], [`Code::LongName`], in this order.
///
/// ```
/// use prompt_core::Code;
/// use prompt_core::xml::lint_name;
///
/// let lints = lint_name("CriticalRules");
/// assert_eq!(lints[0].code, Code::Naming);
/// assert_eq!(lints[0].suggestion.as_deref(), Some("critical_rules"));
/// assert_eq!(lint_name("section_3")[0].code, Code::GenericName);
/// assert!(lint_name("when_to_use").is_empty());
/// ```
pub fn lint_name(tag: &str) -> Vec<TagLint> {
    let mut lints = Vec::new();
    if !is_snake_case(tag) || is_xml(tag) {
        lints.push(TagLint {
            suggestion: better_name(tag),
            ..TagLint::new(Code::Naming, tag)
        });
    }
    if is_generic(tag) {
        lints.push(TagLint::new(Code::GenericName, tag));
    }
    if tag.chars().count() > MAX_NAME_LENGTH {
        lints.push(TagLint::new(Code::LongName, tag));
    }
    lints
}

/// Lints the tags of one document, visited in document order. Each name is linted once, and so is nesting: at the first
/// tag that is too deep.
///
/// ```
/// use prompt_core::Code;
/// use prompt_core::xml::TagLinter;
///
/// let mut linter = TagLinter::default();
/// linter.tag("guidance", 1);
/// linter.text("guidance", "# Not here\n\nUse a tag.");
/// assert_eq!(linter.finish()[0].code, Code::MixedStyle);
/// ```
#[derive(Clone, Debug, Default)]
pub struct TagLinter {
    seen: BTreeSet<String>,
    too_deep: bool,
    lints: Vec<TagLint>,
}

impl TagLinter {
    /// Visits a tag; `depth` is 1 for the outermost.
    pub fn tag(&mut self, tag: &str, depth: usize) {
        if self.seen.insert(tag.to_owned()) {
            self.lints.extend(lint_name(tag));
        }
        if depth > MAX_NESTING && !self.too_deep {
            self.too_deep = true;
            self.lints.push(TagLint {
                depth: Some(depth),
                ..TagLint::new(Code::OverNesting, tag)
            });
        }
    }

    /// Visits text that is printed inside a tag: Markdown headings outside code blocks are [`Code::MixedStyle`].
    pub fn text(&mut self, tag: &str, text: &str) {
        if has_heading(text) {
            self.lints.push(TagLint::new(Code::MixedStyle, tag));
        }
    }

    /// The lints since the last call.
    pub(crate) fn take(&mut self) -> Vec<TagLint> {
        std::mem::take(&mut self.lints)
    }

    /// The lints in document order.
    #[must_use]
    pub fn finish(self) -> Vec<TagLint> {
        self.lints
    }
}

/// `[a-z][a-z0-9]*(_[a-z0-9]+)*`
fn is_snake_case(name: &str) -> bool {
    let word = |word: &str| {
        !word.is_empty()
            && word
                .bytes()
                .all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit())
    };
    name.starts_with(|first: char| first.is_ascii_lowercase()) && name.split('_').all(word)
}

/// XML reserves names that start with `xml`, in any case.
fn is_xml(name: &str) -> bool {
    name.get(..3)
        .is_some_and(|start| start.eq_ignore_ascii_case("xml"))
}

fn is_generic(name: &str) -> bool {
    let lower = name.to_ascii_lowercase();
    let stem = lower.trim_end_matches(|last: char| last.is_ascii_digit());
    stem != lower && GENERIC.contains(&stem.trim_end_matches(['_', '-', '.']))
}

/// The name in snake case, without a leading `xml`; `None` if nothing legal is left.
fn better_name(name: &str) -> Option<String> {
    let snake = snake_case(name);
    let plain = if is_xml(&snake) {
        snake.get(3..).unwrap_or_default().trim_start_matches('_')
    } else {
        &snake
    };
    is_snake_case(plain).then(|| plain.to_owned())
}

fn snake_case(name: &str) -> String {
    let mut snake = String::with_capacity(name.len() + 4);
    let mut before = '_';
    let mut characters = name.chars().peekable();
    while let Some(character) = characters.next() {
        if !character.is_ascii_alphanumeric() {
            before = '_';
            continue;
        }
        let ends_acronym =
            before.is_ascii_uppercase() && characters.peek().is_some_and(char::is_ascii_lowercase);
        let starts_word = character.is_ascii_uppercase()
            && (before.is_ascii_lowercase() || before.is_ascii_digit() || ends_acronym);
        if (before == '_' || starts_word) && !snake.is_empty() {
            snake.push('_');
        }
        snake.push(character.to_ascii_lowercase());
        before = character;
    }
    snake
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn better_names() {
        for (name, better) in [
            ("CriticalRules", "critical_rules"),
            ("best-practices", "best_practices"),
            ("HTTPServer2Rules", "http_server2_rules"),
            ("STANDING_ORDERS", "standing_orders"),
            ("_two__parts.x", "two_parts_x"),
            ("xml_notes", "notes"),
            ("XMLNotes", "notes"),
        ] {
            assert_eq!(better_name(name).as_deref(), Some(better), "{name}");
        }
        assert_eq!(
            [
                better_name("xml"),
                better_name("xml_3"),
                better_name("日本")
            ],
            [None, None, None]
        );
    }

    #[test]
    fn generic_names() {
        assert!(
            ["section_3", "Section3", "item-12", "part1", "data_01"]
                .into_iter()
                .all(is_generic)
        );
        assert!(
            !["section", "step_1", "rule_2", "item", "phase3", "_3", "3"]
                .into_iter()
                .any(is_generic)
        );
    }
}
