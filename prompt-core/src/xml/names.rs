//! Names of tags: what is legal, and which ones a document has. The rules themselves are those of the grammar.

use super::edit::ValueRange;
use memchr::{memchr, memchr2};
use prompt_syntax::{
    Code, CodeKind, CodeRange, TAG_RULE, TagInside, TagKind, code, is_tag, is_tag_byte,
    loose_tag_at, tag_at,
};
use std::{borrow::Cow, cmp::Ordering, collections::HashSet, iter, ops::Range};
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
pub(super) struct Names<'n> {
    /// Sorted by their lower case, each once.
    names: Vec<Cow<'n, str>>,
}

impl<'n> Names<'n> {
    pub(super) fn sorted(mut names: Vec<Cow<'n, str>>) -> Self {
        // Most tags of a document have the names of others: they need not be sorted.
        let mut known = HashSet::new();
        names.retain(|name| known.insert(name.clone()));
        names.sort_unstable_by(|one, other| compare(one.as_bytes(), other.as_bytes()));
        names.dedup_by(|one, other| one.eq_ignore_ascii_case(other));
        Self { names }
    }

    pub(super) fn is_empty(&self) -> bool {
        self.names.is_empty()
    }

    /// Whether `name`, in any case, is one of them.
    pub(super) fn contains(&self, name: &[u8]) -> bool {
        self.names
            .binary_search_by(|known| compare(known.as_bytes(), name))
            .is_ok()
    }
}

/// What the author's words say in angle brackets, in order.
#[derive(Debug, Default)]
pub(super) struct Words<'t> {
    pub(super) tags: Vec<WordsTag<'t>>,
    /// From behind the `<!` of each comment to its `>`.
    pub(super) comments: Vec<Range<usize>>,
}

/// A tag of the author's.
#[derive(Debug)]
pub(super) struct WordsTag<'t> {
    pub(super) at: usize,
    is_close: bool,
    /// The bytes of its name; values may stand in it.
    pub(super) range: Range<usize>,
    /// The name as it is printed.
    pub(super) name: Cow<'t, str>,
    /// It is a tag whatever else is there: it closes itself or another one, or has attributes.
    pub(super) is_sure: bool,
}

impl<'t> Words<'t> {
    /// The tags and comments of the words around the values, outside of code: every tag, but for one that is neither closed
    /// nor has attributes. A lone `<path>` in a sentence is a placeholder.
    ///
    /// Each byte of a value is read as a letter: so a value is a part of the name that it touches, and of nothing else.
    pub(super) fn around(text: &'t str, values: &[ValueRange], written: &[&str]) -> Self {
        let mut found = Self::read(text, values);
        found.keep_tags(written);
        found
    }

    /// The same, with what may be no tag.
    pub(super) fn read(text: &'t str, values: &[ValueRange]) -> Self {
        let words = words_around(text, values);
        let mut found = Self::default();
        let mut hidden = hidden(&words).into_iter().peekable();
        let mut values = values.iter().map(|value| &value.range).peekable();
        let (mut from, mut no_comment_ends) = (0, false);
        while let Some(at) = memchr(b'<', &words.as_bytes()[from..]).map(|at| from + at) {
            from = at + 1;
            while hidden.next_if(|code| code.end <= at).is_some() {}
            if let Some(code) = hidden.peek().filter(|code| code.start <= at) {
                from = code.end;
                continue;
            }
            if words[at..].starts_with("<!--") && !no_comment_ends {
                match words[at + 4..].find("-->") {
                    Some(end) => {
                        from = at + 4 + end + 3;
                        found.comments.push(at + 2..from - 1);
                    }
                    None => no_comment_ends = true,
                }
                continue;
            }
            let is_close = words.as_bytes().get(at + 1) == Some(&b'/');
            let start = at + 1 + usize::from(is_close);
            let name = words.as_bytes()[start..].iter();
            let range = start..start + name.take_while(|byte| is_tag_byte(**byte)).count();
            if !is_tag(&words[range.clone()]) {
                continue;
            }
            while values.next_if(|value| value.end <= start).is_some() {}
            let value = values.peek().filter(|value| value.start < range.end);
            let is_whole =
                value.is_some_and(|value| value.start <= start && value.end >= range.end);
            let has_value = value.is_some();
            if has_value && loose_tag_at(&words, at).is_none() {
                continue;
            }
            let printed = &text[range.clone()];
            found.tags.push(WordsTag {
                at,
                is_close,
                name: if has_value {
                    Cow::Owned(printed_name(printed))
                } else {
                    Cow::Borrowed(printed)
                },
                is_sure: is_sure(&words, at, is_whole),
                range,
            });
        }
        found
    }

    /// Leaves out what neither is a tag by itself nor has its other end. A name with values has a whole tag around it, its
    /// other end is one with values too, and it is no name that the document has without them.
    fn keep_tags(&mut self, written: &[&str]) {
        let of_kind = |is_close, has_value| {
            let tags = self.tags.iter();
            let tags =
                tags.filter(move |tag| (tag.is_close, tag.has_value()) == (is_close, has_value));
            Names::sorted(tags.map(|tag| Cow::Borrowed(&*tag.name)).collect())
        };
        let ends = [false, true]
            .map(|has_value| [true, false].map(|is_close| of_kind(is_close, has_value)));
        let is_tag = |tag: &&WordsTag<'_>| {
            let others = &ends[usize::from(tag.has_value())][usize::from(tag.is_close)];
            tag.is_sure || others.contains(tag.name.as_bytes())
        };
        let fixed = self.tags.iter().filter(|tag| !tag.has_value());
        let fixed = fixed.filter(is_tag).map(|tag| &*tag.name);
        let fixed = fixed.chain(written.iter().copied()).map(Cow::Borrowed);
        let fixed = Names::sorted(fixed.collect());
        let is_free = |tag: &WordsTag<'_>| !tag.has_value() || !fixed.contains(tag.name.as_bytes());
        let kept: Vec<bool> = self
            .tags
            .iter()
            .map(|tag| is_tag(&tag) && is_free(tag))
            .collect();
        let mut kept = kept.into_iter();
        self.tags.retain(|_| kept.next().unwrap_or_default());
    }
}

impl WordsTag<'_> {
    pub(super) fn has_value(&self) -> bool {
        matches!(self.name, Cow::Owned(_))
    }
}

/// Whether a tag is one by itself: it closes itself or another one, or has attributes. A name that is all of one value is
/// none: `<{mail}>` is no more than a `<path>`.
fn is_sure(words: &str, at: usize, is_one_value: bool) -> bool {
    !is_one_value
        && tag_at(words, at).is_some_and(|tag| match tag.kind {
            TagKind::Open => tag.inside == TagInside::Attributes,
            kind => matches!(kind, TagKind::Close | TagKind::SelfClosing),
        })
}

/// What a value prints in the name of a tag: what a name may hold, and `_` for each byte of everything else.
fn printed_name(text: &str) -> String {
    let bytes = text.bytes().enumerate();
    let printed = bytes.map(|(at, byte)| {
        if stays_in_name(byte, at == 0) {
            byte
        } else {
            b'_'
        }
    });
    printed.map(char::from).collect()
}

/// Whether a byte may stand in the name of a tag.
pub(super) fn stays_in_name(byte: u8, is_first: bool) -> bool {
    is_tag_byte(byte) && (!is_first || byte.is_ascii_alphabetic() || byte == b'_')
}

/// What is code, as it is printed: closed fences, and what stands between backticks on one line. Indentation alone makes no
/// code, since tags indent what is in them.
fn hidden(words: &str) -> Vec<Range<usize>> {
    if memchr2(b'`', b'~', words.as_bytes()).is_none() {
        return Vec::new();
    }
    let hides = |code: &CodeRange| match code.kind {
        CodeKind::Fence { is_closed } => is_closed,
        CodeKind::Inline => memchr(b'\n', words[code.range.clone()].as_bytes()).is_none(),
        CodeKind::Indented => false,
    };
    let code = code(words).into_iter().filter(hides);
    code.map(|code| code.range).collect()
}

/// The words around values: what values hold is not read, `x` stands for each of its bytes.
fn words_around<'t>(text: &'t str, values: &[ValueRange]) -> Cow<'t, str> {
    if values.is_empty() {
        return Cow::Borrowed(text);
    }
    let mut words = String::with_capacity(text.len());
    for value in values.iter().map(|value| &value.range) {
        words.push_str(&text[words.len()..value.start]);
        words.extend(iter::repeat_n('x', value.len()));
    }
    words.push_str(&text[words.len()..]);
    Cow::Owned(words)
}

/// Lowers on the fly, and no further than the first difference.
fn compare(one: &[u8], other: &[u8]) -> Ordering {
    one.iter()
        .map(u8::to_ascii_lowercase)
        .cmp(other.iter().map(u8::to_ascii_lowercase))
}

crate::errors::debug_as_display!(InvalidTag);
