//! Where a variable writes its value.

use prompt_syntax::TagPlace;
use std::{collections::BTreeSet, fmt, ops::Range};

/// Takes what one variable prints: values, and the author's words around them. Line ends CRLF and CR of values become
/// LF on the way.
pub struct Output<'a> {
    buffer: &'a mut String,
    /// The byte ranges that values wrote: for guarding and previews, `None` otherwise.
    marks: Option<&'a mut Vec<Mark>>,
    /// How many of these were there before, and of the bytes.
    first: usize,
    start: usize,
    /// What values wrote last, one behind the other, and is not among them yet.
    run: Range<usize>,
    /// The names of the tags of types in sentences.
    tags: Option<&'a mut BTreeSet<String>>,
    /// Whether what values write is not to be trusted: a fence of the author's around it is made longer.
    is_untrusted: bool,
    after_return: bool,
}

/// A part of what a variable wrote that is not the author's words.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Mark {
    pub(crate) range: Range<usize>,
    pub(crate) place: MarkPlace,
}

/// Where a value stands in the words of a type in a sentence.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct MarkPlace {
    /// In code of the author's.
    pub(crate) is_code: bool,
    pub(crate) tag: TagPlace,
}

impl<'a> Output<'a> {
    /// Appends to a text.
    #[inline]
    pub fn new(buffer: &'a mut String) -> Self {
        Self {
            buffer,
            marks: None,
            tags: None,
            is_untrusted: false,
            first: 0,
            start: 0,
            run: 0..0,
            after_return: false,
        }
    }

    /// Appends to a text, and remembers which of its bytes values wrote.
    pub(crate) fn tracking(buffer: &'a mut String, values: &'a mut Vec<Mark>) -> Self {
        Self {
            first: values.len(),
            start: buffer.len(),
            marks: Some(values),
            ..Self::new(buffer)
        }
    }

    /// All is written. Gives whether it is a value from end to end, of which nothing is remembered then.
    pub(crate) fn end(mut self) -> bool {
        let is_first = self
            .marks
            .as_ref()
            .is_some_and(|marks| marks.len() == self.first);
        let is_whole = is_first && self.run == (self.start..self.buffer.len());
        if !is_whole {
            self.end_run();
        }
        is_whole
    }

    fn end_run(&mut self) {
        let range = std::mem::replace(&mut self.run, 0..0);
        if let Some(marks) = self.marks.as_deref_mut().filter(|_| !range.is_empty()) {
            let place = MarkPlace::default();
            marks.push(Mark { range, place });
        }
    }

    /// Appends text of a value.
    #[inline]
    pub fn push_str(&mut self, text: &str) {
        let start = self.buffer.len();
        if self.after_return || has_byte(text.as_bytes(), b'\r') {
            self.after_return = push_normalised(self.buffer, text, self.after_return);
        } else {
            self.buffer.push_str(text);
        }
        self.wrote(start);
    }

    /// Appends text of a value without looking for carriage returns: digits and the like.
    #[inline]
    pub fn push_plain(&mut self, text: &str) {
        let start = self.buffer.len();
        self.buffer.push_str(text);
        self.after_return = false;
        self.wrote(start);
    }

    /// Appends the author's words: what stands around a value in its template. They are not guarded.
    #[inline]
    pub fn literal(&mut self, text: &str) {
        self.buffer.push_str(text);
        self.after_return = false;
    }

    pub(crate) fn set_untrusted(&mut self, is_untrusted: bool) {
        self.is_untrusted = is_untrusted;
    }

    pub(crate) fn is_untrusted(&self) -> bool {
        self.is_untrusted
    }

    /// Collects the names of the tags of types in sentences.
    pub(crate) fn collect_tags(&mut self, names: &'a mut BTreeSet<String>) {
        self.tags = Some(names);
    }

    /// A type that stands in a sentence has tags with these names.
    pub(crate) fn add_tags(&mut self, names: BTreeSet<String>) {
        if let Some(tags) = &mut self.tags {
            tags.extend(names);
        }
    }

    /// Appends text of a value that stands in the words of a type in a sentence.
    pub(crate) fn value(&mut self, text: &str, place: MarkPlace) {
        let start = self.buffer.len();
        self.literal(text);
        self.note(start, place);
    }

    /// A value in the words of a type in a sentence wrote what stands there since then.
    fn note(&mut self, start: usize, place: MarkPlace) {
        if place == MarkPlace::default() {
            return self.wrote(start);
        }
        self.end_run();
        let (range, first) = (start..self.buffer.len(), self.first);
        let Some(marks) = self.marks.as_deref_mut().filter(|_| !range.is_empty()) else {
            return;
        };
        match marks.get_mut(first..).and_then(<[_]>::last_mut) {
            Some(last) if last.range.end == range.start && last.place == place => {
                last.range.end = range.end;
            }
            _ => marks.push(Mark { range, place }),
        }
    }

    #[inline]
    fn wrote(&mut self, start: usize) {
        let end = self.buffer.len();
        if self.run.end != start || self.run.is_empty() {
            self.end_run();
            self.run = start..start;
        }
        self.run.end = end;
    }
}

/// Appends text with its line ends as LF; says whether it ends with CR. It is given its state by value: the address of
/// an [`Output`] is never taken where values are plain, so that it costs nothing there.
#[cold]
fn push_normalised(buffer: &mut String, text: &str, mut after_return: bool) -> bool {
    for c in text.chars() {
        match c {
            '\r' => buffer.push('\n'),
            '\n' if after_return => {}
            c => buffer.push(c),
        }
        after_return = c == '\r';
    }
    after_return
}

/// A text without the blank lines at its ends; the indentation of its first line stays.
pub(crate) fn without_blank_ends(text: &str) -> &str {
    const WHITE: [char; 4] = [' ', '\t', '\n', '\r'];
    let is_word = |byte: &u8| byte.is_ascii_graphic();
    if let ([first, ..], [.., last]) = (text.as_bytes(), text.as_bytes())
        && is_word(first)
        && is_word(last)
    {
        return text;
    }
    let words = text.trim_end_matches(WHITE).len();
    if words == 0 {
        return text.get(..0).unwrap_or_default();
    }
    let tail = text.get(words..).unwrap_or_default();
    let end = tail.find('\n').map_or(text.len(), |at| words + at);
    let blank = text.len() - text.trim_start_matches(WHITE).len();
    let head = text.get(..blank).unwrap_or_default();
    let start = head.rfind('\n').map_or(0, |at| at + 1);
    text.get(start..end).unwrap_or_default()
}

impl fmt::Write for Output<'_> {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        self.push_str(text);
        Ok(())
    }
}

/// Whether a byte is among these. Values are short: up to sixteen bytes are looked at in words that overlap. No loop stands
/// here, or values would no longer be written in line.
#[inline]
pub(crate) fn has_byte(bytes: &[u8], byte: u8) -> bool {
    if bytes.len() > 16 {
        return has_byte_somewhere(bytes, byte);
    }
    match (bytes.first_chunk(), bytes.last_chunk()) {
        (Some(first), Some(last)) => {
            let [first, last] = [*first, *last].map(u64::from_le_bytes);
            matches(first, byte) | matches(last, byte) != 0
        }
        _ => match (bytes.first_chunk(), bytes.last_chunk()) {
            (Some(first), Some(last)) => {
                let [first, last] = [*first, *last].map(u32::from_le_bytes).map(u64::from);
                matches(first | last << 32, byte) != 0
            }
            _ => has_byte_somewhere(bytes, byte),
        },
    }
}

#[inline(never)]
fn has_byte_somewhere(bytes: &[u8], byte: u8) -> bool {
    memchr::memchr(byte, bytes).is_some()
}

/// Not zero if one of eight bytes is this one. See "Determine if a word has a byte equal to n" of
/// <https://graphics.stanford.edu/~seander/bithacks.html>.
#[inline]
fn matches(eight: u64, byte: u8) -> u64 {
    const ONES: u64 = 0x0101_0101_0101_0101;
    let x = eight ^ (ONES * u64::from(byte));
    x.wrapping_sub(ONES) & !x & (ONES << 7)
}
