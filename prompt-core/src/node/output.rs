//! Where a variable writes its value.

use std::fmt;

/// Takes the value of one variable. Line ends CRLF and CR become LF on the way.
pub struct Output<'a> {
    sink: Sink<'a>,
    item: usize,
    omitted: bool,
    after_return: bool,
}

enum Sink<'a> {
    Text(&'a mut String),
    Length(&'a mut usize),
}

impl<'a> Output<'a> {
    /// Appends to a text.
    pub fn text(buffer: &'a mut String) -> Self {
        Self {
            sink: Sink::Text(buffer),
            item: 0,
            omitted: false,
            after_return: false,
        }
    }

    /// Only counts bytes.
    pub fn length(bytes: &'a mut usize) -> Self {
        Self {
            sink: Sink::Length(bytes),
            item: 0,
            omitted: false,
            after_return: false,
        }
    }

    /// The same, for the item with this index (from 0) of a list.
    #[must_use]
    pub fn for_item(mut self, index: usize) -> Self {
        self.item = index;
        self
    }

    /// The item (from 0) that item templates are about.
    pub fn item(&self) -> usize {
        self.item
    }

    /// Says that the value is not there at all: the attribute it belongs to is left out.
    pub fn omit(&mut self) {
        self.omitted = true;
    }

    /// Whether [`omit`](Self::omit) was called.
    pub fn is_omitted(&self) -> bool {
        self.omitted
    }

    /// Appends text.
    #[inline]
    pub fn push_str(&mut self, text: &str) {
        match &mut self.sink {
            Sink::Length(bytes) => **bytes += text.len(),
            Sink::Text(buffer) if !self.after_return && !has_return(text) => buffer.push_str(text),
            Sink::Text(_) => self.push_normalised(text),
        }
    }

    /// Appends text without looking for carriage returns: digits and the like.
    #[inline]
    pub fn push_plain(&mut self, text: &str) {
        match &mut self.sink {
            Sink::Length(bytes) => **bytes += text.len(),
            Sink::Text(buffer) => buffer.push_str(text),
        }
        self.after_return = false;
    }

    /// Adds to the length where only that is asked for.
    pub(crate) fn adds_length(&mut self, length: usize) -> bool {
        match &mut self.sink {
            Sink::Length(bytes) => {
                **bytes += length;
                true
            }
            Sink::Text(_) => false,
        }
    }

    fn push_normalised(&mut self, text: &str) {
        let Sink::Text(buffer) = &mut self.sink else {
            return;
        };
        for c in text.chars() {
            match c {
                '\r' => buffer.push('\n'),
                '\n' if self.after_return => {}
                c => buffer.push(c),
            }
            self.after_return = c == '\r';
        }
    }
}

impl fmt::Write for Output<'_> {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        self.push_str(text);
        Ok(())
    }
}

/// Whether a carriage return is among the bytes, eight at a time: values are short and nearly never have one.
#[inline]
fn has_return(text: &str) -> bool {
    let bytes = text.as_bytes();
    let Some(last) = bytes.last_chunk::<8>() else {
        return bytes.contains(&b'\r');
    };
    let mut found = returns(*last);
    for chunk in bytes.as_chunks::<8>().0 {
        found |= returns(*chunk);
    }
    found != 0
}

/// Not zero if one of eight bytes is a carriage return. See "Determine if a word has a byte equal to n" of
/// <https://graphics.stanford.edu/~seander/bithacks.html>.
#[inline]
fn returns(bytes: [u8; 8]) -> u64 {
    const ONES: u64 = 0x0101_0101_0101_0101;
    let x = u64::from_le_bytes(bytes) ^ (ONES * u64::from(b'\r'));
    x.wrapping_sub(ONES) & !x & (ONES << 7)
}
