//! Names of tags: what is legal, and which ones a document has. The rules themselves are those of the grammar.

use super::edit::{Finished, ValueRange};
use memchr::{memchr, memchr_iter, memchr2};
use prompt_syntax::{Code, CodeKind, CodeRange, TAG_RULE, code, is_tag, is_tag_byte};
use std::{cmp::Ordering, iter, ops::Range};
use thiserror::Error;

/// The run of name characters after `<`, blanks, an optional `/`, blanks.
pub(super) fn name_after(text: &str, at: usize) -> Option<Range<usize>> {
    let rest = text.get(at + 1..)?.trim_start_matches(is_blank);
    let rest = rest
        .strip_prefix('/')
        .unwrap_or(rest)
        .trim_start_matches(is_blank);
    let length = rest.bytes().take_while(|&byte| is_tag_byte(byte)).count();
    let start = text.len() - rest.len();
    (length > 0).then(|| start..start + length)
}

/// White space, control characters, and what is invisible between characters.
fn is_blank(character: char) -> bool {
    character.is_whitespace()
        || character.is_control()
        || matches!(character, '\u{ad}' | '\u{200b}'..='\u{200f}' | '\u{2060}'..='\u{2064}' | '\u{feff}')
}

/// A tag name outside `[A-Za-z_][A-Za-z0-9_.-]*`.
#[derive(Clone, PartialEq, Eq, Error)]
#[error("`{name}` is no legal tag name: {TAG_RULE}")]
pub struct InvalidTag {
    name: String,
}

impl InvalidTag {
    pub(super) fn new(name: &str) -> Self {
        Self {
            name: name.to_owned(),
        }
    }

    /// Always [`Code::InvalidTag`].
    pub const fn code(&self) -> Code {
        Code::InvalidTag
    }

    /// The name as given.
    pub fn name(&self) -> &str {
        &self.name
    }
}

/// The tag names of a document, compared without regard to ASCII case.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Names<'n> {
    /// Sorted by their lower case, each once.
    names: Vec<&'n str>,
}

impl<'n> Names<'n> {
    pub(super) fn sorted(mut names: Vec<&'n str>) -> Self {
        names.sort_unstable_by(|one, other| compare(one.as_bytes(), other.as_bytes()));
        names.dedup_by(|one, other| one.eq_ignore_ascii_case(other));
        Self { names }
    }

    /// The names that are written, and those that the words around the values both open and close: a lone `<path>` is a
    /// placeholder. Only those are looked for that begin like a name behind one of the `angles`: no others are asked for.
    /// Values are sorted, and none is empty.
    pub(super) fn of(finished: &Finished<'n>, values: &[ValueRange], angles: &[usize]) -> Self {
        let text = finished.text;
        let mut begins = [false; 256];
        for name in angles.iter().filter_map(|at| name_after(text, *at)) {
            begins[usize::from(text.as_bytes()[name.start].to_ascii_lowercase())] = true;
        }
        let may_matter = |name: &str| {
            let first = name.bytes().next();
            first.is_some_and(|first| begins[usize::from(first.to_ascii_lowercase())])
        };
        let written = finished.written.iter().copied();
        let mut names = Self::sorted(written.filter(|name| may_matter(name)).collect());
        if !finished.takes_words {
            return names;
        }
        let mut tags = words_tags(text, values);
        tags.retain(|tag| may_matter(tag.name) && !names.contains(tag.name.as_bytes()));
        if !pairs(&tags).is_empty() && memchr2(b'`', b'~', text.as_bytes()).is_some() {
            leave_code(
                &mut tags,
                &words_around(text, values.iter().map(|value| &value.range)),
            );
        }
        names.names.append(&mut pairs(&tags));
        Self::sorted(names.names)
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.names.is_empty()
    }

    /// Whether `name`, in any case, is one of them.
    pub(super) fn contains(&self, name: &[u8]) -> bool {
        self.names
            .binary_search_by(|known| compare(known.as_bytes(), name))
            .is_ok()
    }
}

/// A tag of the author's, as far as its name.
struct WordsTag<'t> {
    at: usize,
    is_close: bool,
    name: &'t str,
}

/// What begins with `<` or `</` and a name in the words around the values, whatever stands behind the name. A value never names
/// a tag: what it adds to a name is no part of it.
fn words_tags<'t>(text: &'t str, values: &[ValueRange]) -> Vec<WordsTag<'t>> {
    let bytes = text.as_bytes();
    let mut values = values.iter().map(|value| &value.range).peekable();
    let tag_at = |at: usize| {
        while values.next_if(|value| value.end <= at).is_some() {}
        let words_end = values.peek().map_or(bytes.len(), |value| value.start);
        let behind = bytes.get(at + 1..words_end)?;
        let is_close = behind.first() == Some(&b'/');
        let start = at + 1 + usize::from(is_close);
        let name = behind.iter().skip(usize::from(is_close));
        let length = name.take_while(|byte| is_tag_byte(**byte)).count();
        let name = text.get(start..start + length).filter(|name| is_tag(name));
        name.map(|name| WordsTag { at, is_close, name })
    };
    memchr_iter(b'<', bytes).filter_map(tag_at).collect()
}

/// The names that some of the tags open and others close.
fn pairs<'t>(tags: &[WordsTag<'t>]) -> Vec<&'t str> {
    let of_kind = |is_close| tags.iter().filter(move |tag| tag.is_close == is_close);
    let closing = Names::sorted(of_kind(true).map(|tag| tag.name).collect());
    let opening = of_kind(false).map(|tag| tag.name);
    opening
        .filter(|name| closing.contains(name.as_bytes()))
        .collect()
}

/// Takes out what stands in code, as it is printed: closed fences, and what stands between backticks on one line. Indentation
/// alone makes no code, since tags indent what is in them.
fn leave_code(tags: &mut Vec<WordsTag<'_>>, words: &str) {
    let hides = |code: &CodeRange| match code.kind {
        CodeKind::Fence { is_closed } => is_closed,
        CodeKind::Inline => memchr(b'\n', words[code.range.clone()].as_bytes()).is_none(),
        CodeKind::Indented => false,
    };
    let mut hidden = code(words).into_iter().filter(hides).peekable();
    tags.retain(|tag| {
        while hidden.next_if(|code| code.range.end <= tag.at).is_some() {}
        hidden.peek().is_none_or(|code| code.range.start > tag.at)
    });
}

/// The words around values: what values hold is not read, `x` stands for each of its bytes.
pub(super) fn words_around<'r>(
    text: &str,
    values: impl Iterator<Item = &'r Range<usize>>,
) -> String {
    let mut words = String::with_capacity(text.len());
    for value in values {
        words.push_str(&text[words.len()..value.start]);
        words.extend(iter::repeat_n('x', value.len()));
    }
    words.push_str(&text[words.len()..]);
    words
}

/// Lowers on the fly, and no further than the first difference.
fn compare(one: &[u8], other: &[u8]) -> Ordering {
    one.iter()
        .map(u8::to_ascii_lowercase)
        .cmp(other.iter().map(u8::to_ascii_lowercase))
}

crate::errors::debug_as_display!(InvalidTag);
