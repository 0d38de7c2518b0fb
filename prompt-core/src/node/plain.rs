//! A text in which nothing but literal text, fixed headings and plain values stand, printed by straight code: a derive
//! writes one call for each use of a variable, and the compiler resolves which value that is.

use super::{Describe, Output};
use std::{fmt, ops::Range};

/// Bytes that a value is expected to have: longer ones cost a reallocation.
const VALUE: usize = 24;

/// What printing a text at once gives: whether it was done, or the index of a variable that could not be printed.
pub type AtOnce = Result<bool, usize>;

/// Takes a plain text.
pub struct Plain<'a> {
    buffer: &'a mut String,
    /// Bytes of the buffer that values wrote, where somebody wants to know: a range or more for each value.
    values: Option<&'a mut Vec<Range<usize>>>,
}

#[allow(
    clippy::inline_always,
    reason = "positions and indexes are constants only where the call is inlined"
)]
impl<'a> Plain<'a> {
    pub(crate) fn new(buffer: &'a mut String, values: Option<&'a mut Vec<Range<usize>>>) -> Self {
        Self { buffer, values }
    }

    /// Begins with the text of `node`, in which so many values stand.
    #[inline(always)]
    pub fn text<N>(self, node: &'a N, text: &'a str, uses: usize) -> Pieces<'a, N> {
        let Self { buffer, values } = self;
        if buffer.capacity() - buffer.len() < text.len() {
            buffer.reserve(text.len() + uses * VALUE);
        }
        Pieces {
            buffer,
            values,
            node,
            text,
            from: 0,
            failed: None,
        }
    }
}

/// Takes a plain text piece by piece. It is passed on by value, so that the compiler knows what it holds.
pub struct Pieces<'a, N> {
    buffer: &'a mut String,
    values: Option<&'a mut Vec<Range<usize>>>,
    node: &'a N,
    text: &'a str,
    from: usize,
    failed: Option<usize>,
}

#[allow(
    clippy::inline_always,
    reason = "positions and indexes are constants only where the call is inlined"
)]
impl<N: Describe> Pieces<'_, N> {
    /// The text up to `to`, then the variable with this index.
    #[must_use]
    #[inline(always)]
    pub fn put(mut self, to: usize, index: usize) -> Self {
        self.buffer
            .push_str(self.text.get(self.from..to).unwrap_or_default());
        self.from = to;
        let written = match self.values.as_deref_mut() {
            None => self.node.variable(index, &mut Output::new(self.buffer)),
            Some(values) => tracked(self.node, index, self.buffer, values),
        };
        if written.is_err() {
            self.failed.get_or_insert(index);
        }
        self
    }

    /// Two of them, each a place and an index. One call for several costs the compiler less, and comes out as the same
    /// code.
    #[must_use]
    #[inline(always)]
    pub fn put2(self, uses: [usize; 4]) -> Self {
        self.put(uses[0], uses[1]).put(uses[2], uses[3])
    }

    /// Four of them.
    #[must_use]
    #[inline(always)]
    pub fn put4(self, uses: [usize; 8]) -> Self {
        self.put2([uses[0], uses[1], uses[2], uses[3]])
            .put2([uses[4], uses[5], uses[6], uses[7]])
    }

    /// The rest of the text.
    ///
    /// # Errors
    /// The index of the first variable that could not be printed.
    #[inline(always)]
    pub fn end(self) -> AtOnce {
        self.buffer
            .push_str(self.text.get(self.from..).unwrap_or_default());
        self.failed.map_or(Ok(true), Err)
    }
}

/// Writes a variable and notes what values wrote. Neighbours stay apart: where a value ends matters to guarding.
#[inline(never)]
fn tracked<N: Describe>(
    node: &N,
    index: usize,
    buffer: &mut String,
    values: &mut Vec<Range<usize>>,
) -> fmt::Result {
    let (at, start) = (values.len(), buffer.len());
    let touches = values.last().is_some_and(|last| last.end == start);
    if touches {
        values.push(start..start);
    }
    let written = node.variable(index, &mut Output::telling_tags(buffer, values));
    if touches && values.get(at).is_some_and(Range::is_empty) {
        values.remove(at);
    }
    written
}
