//! Where a variable writes its value.

use std::{fmt, ops::Range};

/// Takes what one variable prints: values, and the author's words around them. Line ends CRLF and CR of values become
/// LF on the way.
pub struct Output<'a> {
    buffer: &'a mut String,
    /// The byte ranges that values wrote: for guarding and previews, `None` otherwise.
    values: Option<&'a mut Vec<Range<usize>>>,
    /// How many of these were there before.
    first: usize,
    headings: Headings,
    omitted: bool,
    after_return: bool,
    /// Whether a `<` was written.
    angles: bool,
}

/// Where the headings of a template stand.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Headings {
    /// As many levels deeper as those of the text that prints it.
    Moved(i32),
    /// From this level on: it is all that a section prints.
    From(i32),
}

impl<'a> Output<'a> {
    /// Appends to a text.
    #[inline]
    pub fn new(buffer: &'a mut String) -> Self {
        Self {
            buffer,
            values: None,
            first: 0,
            headings: Headings::Moved(0),
            omitted: false,
            after_return: false,
            angles: false,
        }
    }

    /// Appends to a text, and remembers which of its bytes values wrote.
    pub(crate) fn tracking(buffer: &'a mut String, values: &'a mut Vec<Range<usize>>) -> Self {
        Self {
            first: values.len(),
            values: Some(values),
            ..Self::new(buffer)
        }
    }

    /// Says that the value is not there at all: the attribute it belongs to is left out.
    pub fn omit(&mut self) {
        self.omitted = true;
    }

    pub(crate) fn has_angles(&self) -> bool {
        self.angles
    }

    pub(crate) fn is_omitted(&self) -> bool {
        self.omitted
    }

    /// Appends text of a value.
    #[inline]
    pub fn push_str(&mut self, text: &str) {
        let start = self.buffer.len();
        if self.after_return || has_return(text) {
            self.angles |= text.contains('<');
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
        self.angles |= text.as_bytes().contains(&b'<');
        self.buffer.push_str(text);
        self.after_return = false;
    }

    /// What is written stands there.
    pub(crate) fn set_headings(&mut self, headings: Headings) {
        self.headings = headings;
    }

    /// Where the headings of templates stand.
    pub(crate) fn headings(&self) -> Headings {
        self.headings
    }

    /// Appends a text of which these bytes come from values.
    pub(crate) fn pieces(&mut self, text: &str, values: &[Range<usize>]) {
        self.ranges(text, values.iter().cloned());
    }

    /// Appends a text of which these bytes come from values.
    pub(crate) fn ranges(&mut self, text: &str, values: impl Iterator<Item = Range<usize>>) {
        let mut at = 0;
        for range in values {
            self.literal(text.get(at..range.start).unwrap_or_default());
            self.push_str(text.get(range.clone()).unwrap_or_default());
            at = range.end;
        }
        self.literal(text.get(at..).unwrap_or_default());
    }

    #[inline]
    fn wrote(&mut self, start: usize) {
        if let Some(values) = self.values.as_deref_mut() {
            note(values, self.first, start..self.buffer.len());
        }
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

/// Adds a range to a sorted list; what one value writes in several pieces is one range.
fn note(values: &mut Vec<Range<usize>>, first: usize, range: Range<usize>) {
    if range.is_empty() {
        return;
    }
    match values.get_mut(first..).and_then(<[_]>::last_mut) {
        Some(last) if last.end == range.start => last.end = range.end,
        _ => values.push(range),
    }
}

/// Blank lines at both ends of a value that was written from `from` on go; the indentation of its first line stays. Its
/// marks are those from `first` on.
pub(crate) fn trim_blank_lines(
    buffer: &mut String,
    from: usize,
    marks: &mut Vec<Range<usize>>,
    first: usize,
) {
    let value = buffer.get(from..).unwrap_or_default();
    let is_word = |byte: &u8| byte.is_ascii_graphic();
    if value.as_bytes().first().is_some_and(is_word) && value.as_bytes().last().is_some_and(is_word)
    {
        return;
    }
    let kept = without_blank_ends(value);
    let start = kept.as_ptr().addr() - value.as_ptr().addr();
    let end = start + kept.len();
    buffer.truncate(from + end);
    buffer.drain(from..from + start);
    for mark in &mut marks[first..] {
        let moved = |at: usize| at.clamp(from + start, from + end) - start;
        *mark = moved(mark.start)..moved(mark.end);
    }
    let mut kept = marks.split_off(first);
    kept.retain(|mark| !mark.is_empty());
    marks.append(&mut kept);
}

/// A text without the blank lines at its ends; the indentation of its first line stays.
pub(crate) fn without_blank_ends(text: &str) -> &str {
    let words = text.trim_end().len();
    if words == 0 {
        return "";
    }
    let tail = text.get(words..).unwrap_or_default();
    let end = tail.find('\n').map_or(text.len(), |at| words + at);
    let blank = text.len() - text.trim_start().len();
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

/// Whether a carriage return is among the bytes: values are short and nearly never have one. No loop stands here, or
/// values would no longer be written in line.
#[inline]
fn has_return(text: &str) -> bool {
    let bytes = text.as_bytes();
    match (bytes.first_chunk::<8>(), bytes.last_chunk::<8>()) {
        // Two words that overlap.
        (Some(first), Some(last)) if bytes.len() <= 16 => {
            matches(*first, b'\r')
                | matches(*last, b'\r')
                | matches(*first, b'<')
                | matches(*last, b'<')
                != 0
        }
        _ => has_return_somewhere(text),
    }
}

#[inline(never)]
fn has_return_somewhere(text: &str) -> bool {
    memchr::memchr2(b'\r', b'<', text.as_bytes()).is_some()
}

/// Not zero if one of eight bytes is this one. See "Determine if a word has a byte equal to n" of
/// <https://graphics.stanford.edu/~seander/bithacks.html>.
#[inline]
fn matches(bytes: [u8; 8], byte: u8) -> u64 {
    const ONES: u64 = 0x0101_0101_0101_0101;
    let x = u64::from_le_bytes(bytes) ^ (ONES * u64::from(byte));
    x.wrapping_sub(ONES) & !x & (ONES << 7)
}
