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
        Self { sink: Sink::Text(buffer), item: 0, omitted: false, after_return: false }
    }

    /// Only counts bytes.
    pub fn length(bytes: &'a mut usize) -> Self {
        Self { sink: Sink::Length(bytes), item: 0, omitted: false, after_return: false }
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

    fn push_normalised(&mut self, text: &str) {
        let Sink::Text(buffer) = &mut self.sink else { return };
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
    const ONES: u64 = 0x0101_0101_0101_0101;
    let chunks = text.as_bytes().chunks_exact(8);
    let tail = chunks.remainder();
    let mut found = 0;
    for chunk in chunks {
        let mut word = [0; 8];
        word.copy_from_slice(chunk);
        let x = u64::from_le_bytes(word) ^ (ONES * u64::from(b'\r'));
        found |= x.wrapping_sub(ONES) & !x & (ONES << 7);
    }
    found != 0 || tail.contains(&b'\r')
}
