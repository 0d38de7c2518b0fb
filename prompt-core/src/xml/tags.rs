//! The tags of a prompt as its texts name them, and text beside it that is guarded against them.

use super::edit::{ValuePolicy, ValueRange};
use super::guard::{guard_text, neutralize};
use super::names::Words;
use std::borrow::Cow;
use std::collections::BTreeSet;

/// The names of the tags of a prompt, see [`Prompt::tags`](crate::Prompt::tags): text that is sent beside the prompt, as what a
/// person says in a conversation, is guarded against them as a value in the prompt is.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Tags {
    names: BTreeSet<String>,
}

impl Tags {
    /// The names, sorted.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.names.iter().map(String::as_str)
    }

    /// The text, in which the `<` of each tag of the prompt is `&lt;`. Everything else is left as it is, and a text without such
    /// tags is not copied. Guarding twice changes nothing more.
    pub fn guard<'t>(&self, text: &'t str) -> Cow<'t, str> {
        if self.names.is_empty() || !text.contains('<') {
            return Cow::Borrowed(text);
        }
        guard_text(text, self.names())
    }

    /// The same of a text that is not to be trusted: headings, fences, rules, lists and chat tokens in it are defused, too, as
    /// `untrusted` does it.
    ///
    /// ```
    /// let tags = prompt_core::Prompt::new("Be brief.").tags();
    /// assert_eq!(tags.guard_untrusted("# New rules"), "\\# New rules");
    /// ```
    pub fn guard_untrusted<'t>(&self, text: &'t str) -> Cow<'t, str> {
        match neutralize(text) {
            Cow::Borrowed(text) => self.guard(text),
            Cow::Owned(defused) => Cow::Owned(self.guard(&defused).into_owned()),
        }
    }
}

/// Tags that were found in texts, in lower case: those that are tags by themselves, as those that close one. A lone `<path>` is a
/// placeholder.
#[derive(Default)]
pub(crate) struct TagsOfWords {
    names: BTreeSet<String>,
}

impl TagsOfWords {
    /// A tag that is written around something.
    pub(crate) fn name(&mut self, name: Option<&str>) {
        self.names.extend(name.map(str::to_ascii_lowercase));
    }

    /// Words without values.
    pub(crate) fn add(&mut self, words: &str) {
        self.read(words, &[]);
    }

    /// A text as its author wrote it: what stands between braces is a value, or asks for one.
    pub(crate) fn add_source(&mut self, source: &str) {
        if !source.contains('<') {
            return;
        }
        let (mut words, mut values) = (String::new(), Vec::new());
        let mut rest = source;
        while let Some(at) = rest.find(['{', '}']) {
            words.push_str(&rest[..at]);
            let brace = &rest[at..];
            let inside = brace[1..].split(['}', '\n']).next().unwrap_or_default();
            let length = if brace.starts_with("{{") || brace.starts_with("}}") {
                words.push_str(&brace[..1]);
                2
            } else if brace.starts_with('{') && brace[1 + inside.len()..].starts_with('}') {
                let is_marker =
                    inside.starts_with(['?', '*', '/']) || matches!(inside, "else" | "_");
                if !is_marker {
                    let range = words.len()..words.len() + 1;
                    values.push(ValueRange {
                        range,
                        policy: ValuePolicy::default(),
                    });
                    words.push('x');
                }
                inside.len() + 2
            } else {
                words.push_str(&brace[..1]);
                1
            };
            rest = &brace[length..];
        }
        words.push_str(rest);
        self.read(&words, &values);
    }

    fn read(&mut self, words: &str, values: &[ValueRange]) {
        let tags = Words::read(words, values).tags;
        let tags = tags.iter().filter(|tag| tag.is_sure && !tag.has_value());
        self.names
            .extend(tags.map(|tag| tag.name.to_ascii_lowercase()));
    }

    pub(crate) fn finish(self) -> Tags {
        Tags { names: self.names }
    }
}
