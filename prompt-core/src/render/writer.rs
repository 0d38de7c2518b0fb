//! The text under construction. It owes white space (a gap) until something is printed after it, indents what stands in
//! an indented slot, and remembers which bytes came from values and where the first of them stood.

use crate::node::Guarding;
use crate::node::Output;
use crate::xml;
use std::{fmt, ops::Range};

/// How a value is printed.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Treatment {
    /// A paragraph of its own: blank lines at its ends go, and an empty one takes its gap along.
    pub(crate) block: bool,
    pub(crate) hang: bool,
    pub(crate) raw: bool,
    pub(crate) untrusted: bool,
    pub(crate) guarding: Guarding,
    /// The item (from 0) that item templates are about.
    pub(crate) item: usize,
    /// It stands in a fenced code block.
    pub(crate) in_code: bool,
}

/// Bytes of the text that came from a value and are subject to guarding.
#[derive(Clone, Debug)]
pub(crate) struct ValueRange {
    pub(crate) range: Range<usize>,
    /// A tag in it is an error.
    pub(crate) strict: bool,
}

/// A state to return to.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Point<'a> {
    pub(crate) len: usize,
    pub(crate) pending: &'a str,
}

pub(crate) struct Writer<'w, 'a> {
    buffer: &'w mut String,
    start: usize,
    pending: &'a str,
    indent: usize,
    prefix: Option<usize>,
    /// The last heading or tag that goes if nothing follows it.
    tentative: Range<usize>,
    values: Option<Vec<ValueRange>>,
}

impl<'w, 'a> Writer<'w, 'a> {
    pub(crate) fn new(buffer: &'w mut String) -> Self {
        let start = buffer.len();
        Self {
            buffer,
            start,
            pending: "",
            indent: 0,
            prefix: None,
            tentative: 0..0,
            values: None,
        }
    }

    /// Keeps the ranges of values, for guarding.
    pub(crate) fn track_values(&mut self) {
        self.values = Some(Vec::new());
    }

    pub(crate) fn take_values(&mut self) -> Vec<ValueRange> {
        self.values.take().unwrap_or_default()
    }

    /// Bytes printed so far, without the owed gap.
    #[inline]
    pub(crate) fn len(&self) -> usize {
        self.buffer.len() - self.start
    }

    /// What has been printed from `from` on.
    pub(crate) fn since(&self, from: usize) -> &str {
        self.buffer.get(self.start + from..).unwrap_or_default()
    }

    /// The first byte whose presence or content depends on a value.
    pub(crate) fn static_prefix(&self) -> usize {
        self.prefix.unwrap_or(self.len()).min(self.len())
    }

    /// From here on the text depends on a value; so does a heading or tag right before it that may be taken back.
    #[inline]
    pub(crate) fn depends(&mut self) {
        if self.prefix.is_none() {
            let len = self.len();
            self.prefix = Some(if self.tentative.end == len {
                self.tentative.start
            } else {
                len
            });
        }
    }

    /// What was printed since `from` is taken back if nothing follows it.
    pub(crate) fn tentative_since(&mut self, from: usize) {
        let follows = !self.tentative.is_empty() && self.tentative.end == from;
        self.tentative = if follows { self.tentative.start } else { from }..self.len();
    }

    pub(crate) fn point(&self) -> Point<'a> {
        Point {
            len: self.len(),
            pending: self.pending,
        }
    }

    /// Takes back everything printed since `point`.
    pub(crate) fn rollback(&mut self, point: Point<'a>) {
        self.truncate(point.len);
        self.pending = point.pending;
    }

    /// Takes back everything printed since there, but keeps the owed gap.
    pub(crate) fn truncate(&mut self, len: usize) {
        self.buffer.truncate(self.start + len);
        if let Some(values) = &mut self.values {
            while values.last().is_some_and(|value| value.range.end > len) {
                values.pop();
            }
        }
    }

    /// Owes `gap` before the next print, instead of what was owed.
    #[inline]
    pub(crate) fn owe(&mut self, gap: &'a str) {
        self.pending = gap;
    }

    pub(crate) fn owes(&self) -> bool {
        !self.pending.is_empty()
    }

    /// Changes the indentation of lines that begin from now on, and returns what it was.
    pub(crate) fn set_indent(&mut self, indent: usize) -> usize {
        std::mem::replace(&mut self.indent, indent)
    }

    pub(crate) fn indent(&self) -> usize {
        self.indent
    }

    #[inline]
    fn flush(&mut self) {
        if !self.pending.is_empty() {
            self.buffer.push_str(self.pending);
            self.pending = "";
        }
    }

    /// Prints text that does not come from a value.
    #[inline]
    pub(crate) fn literal(&mut self, text: &str) {
        if text.is_empty() {
            return;
        }
        self.flush();
        if self.indent == 0 {
            self.buffer.push_str(text);
        } else {
            self.push_indented(text);
        }
    }

    /// Prints the marker of a heading, 1 to 6 hashes.
    pub(crate) fn hashes(&mut self, level: usize) {
        self.literal("######".get(..level).unwrap_or("######"));
    }

    /// Prints `c` `count` times.
    pub(crate) fn repeat(&mut self, c: char, count: usize) {
        if count > 0 {
            self.literal(c.encode_utf8(&mut [0; 4]));
            self.buffer.extend(std::iter::repeat_n(c, count - 1));
        }
    }

    fn at_line_start(&self) -> bool {
        self.len() == 0 || self.buffer.ends_with('\n')
    }

    fn push_indented(&mut self, text: &str) {
        for line in text.split_inclusive('\n') {
            if line != "\n" && self.at_line_start() {
                self.buffer.extend(std::iter::repeat_n(' ', self.indent));
            }
            self.buffer.push_str(line);
        }
    }

    /// Prints a value that `write` gives. Returns whether it was omitted.
    #[inline]
    pub(crate) fn value(
        &mut self,
        treatment: Treatment,
        write: impl FnOnce(&mut Output<'_>) -> fmt::Result,
    ) -> Result<bool, fmt::Error> {
        let point = self.point();
        if treatment.block {
            self.depends();
        }
        self.flush();
        self.depends();
        if self.indent > 0 && self.at_line_start() {
            self.buffer.extend(std::iter::repeat_n(' ', self.indent));
        }
        let from = self.buffer.len();
        let mut output = Output::text(self.buffer).for_item(treatment.item);
        write(&mut output)?;
        let omitted = output.is_omitted();
        if treatment.block {
            self.trim_blank_lines(from);
        }
        if self.buffer.len() == from {
            self.rollback(point);
            return Ok(omitted);
        }
        if treatment.untrusted || treatment.guarding != Guarding::Default {
            self.rewrite(from, treatment);
        }
        if self.indent > 0 || treatment.hang {
            self.indent_value(from, treatment.hang);
        }
        self.record(from, treatment);
        Ok(omitted)
    }

    /// Where a value begins that is not written through [`Writer::value`].
    pub(crate) fn begin_value(&mut self) -> usize {
        self.depends();
        self.buffer.len() + self.pending.len()
    }

    pub(crate) fn end_value(&mut self, from: usize, treatment: Treatment) {
        if self.buffer.len() > from {
            self.record(from, treatment);
        }
    }

    /// Whether values are printed as they come: nothing is indented or kept for guarding.
    #[inline]
    pub(crate) fn is_plain(&self) -> bool {
        self.indent == 0 && self.values.is_none()
    }

    /// The text itself, if what is appended needs no more than that: nothing owed, indented or kept for guarding.
    #[inline]
    pub(crate) fn plain_buffer(&mut self) -> Option<&mut String> {
        let plain = self.is_plain() && self.pending.is_empty();
        plain.then_some(&mut *self.buffer)
    }

    /// The text depends on a value from this byte of the buffer on.
    pub(crate) fn depends_from(&mut self, byte: usize) {
        self.prefix.get_or_insert(byte - self.start);
    }

    /// The same as [`value`](Self::value) for a value inside a line that needs nothing but printing.
    #[inline]
    pub(crate) fn plain_value(
        &mut self,
        item: usize,
        write: impl FnOnce(&mut Output<'_>) -> fmt::Result,
    ) -> Result<bool, fmt::Error> {
        let pending = self.pending;
        self.flush();
        self.depends();
        let from = self.buffer.len();
        let mut output = Output::text(self.buffer).for_item(item);
        write(&mut output)?;
        let omitted = output.is_omitted();
        if !pending.is_empty() && self.buffer.len() == from {
            self.buffer.truncate(from - pending.len());
            self.pending = pending;
        }
        Ok(omitted)
    }

    fn record(&mut self, from: usize, treatment: Treatment) {
        let range = from - self.start..self.len();
        if let Some(values) = &mut self.values
            && !treatment.raw
        {
            values.push(ValueRange {
                range,
                strict: treatment.guarding == Guarding::Strict,
            });
        }
    }

    /// Blank lines at both ends of a value go; the indentation of its first line stays.
    fn trim_blank_lines(&mut self, from: usize) {
        let value = self.buffer.get(from..).unwrap_or_default();
        let words = value.trim_end().len();
        if words == 0 {
            self.buffer.truncate(from);
            return;
        }
        let end = value
            .get(words..)
            .and_then(|tail| tail.find('\n'))
            .map_or(value.len(), |at| words + at);
        let blank = value.len() - value.trim_start().len();
        let first = value
            .get(..blank)
            .and_then(|head| head.rfind('\n'))
            .map_or(0, |at| at + 1);
        self.buffer.truncate(from + end);
        self.buffer.drain(from..from + first);
    }

    /// Defuses and escapes the value that begins at `from`.
    fn rewrite(&mut self, from: usize, treatment: Treatment) {
        let before = self.buffer.get(self.start..from).unwrap_or_default();
        let line = before
            .rfind('\n')
            .map_or(before, |at| before.get(at + 1..).unwrap_or_default());
        let starts_line = line.bytes().all(|byte| byte == b' ');
        let splits_token = before.ends_with('<');
        let mut value = self.buffer.split_off(from);
        if treatment.untrusted {
            value = if treatment.in_code {
                value.replace("<|", "< |")
            } else {
                xml::untrusted(&value, starts_line).into_owned()
            };
            if splits_token && value.starts_with('|') {
                value.insert(0, ' ');
            }
        }
        match treatment.guarding {
            Guarding::Escaped => self.buffer.push_str(&xml::escape_text(&value)),
            Guarding::Cdata => self.buffer.push_str(&xml::cdata(&value)),
            Guarding::Default | Guarding::Strict => self.buffer.push_str(&value),
        }
    }

    /// Continuation lines take the column of the first, or the indentation of the slot.
    fn indent_value(&mut self, from: usize, hang: bool) {
        if !self
            .buffer
            .get(from..)
            .is_some_and(|value| value.contains('\n'))
        {
            return;
        }
        let line = self
            .buffer
            .get(..from)
            .unwrap_or_default()
            .rfind('\n')
            .map_or(self.start, |at| at + 1);
        let column = self
            .buffer
            .get(line.max(self.start)..from)
            .map_or(0, |head| head.chars().count());
        let columns = if hang { column } else { self.indent };
        let value = self.buffer.split_off(from);
        for (i, text) in value.split_inclusive('\n').enumerate() {
            if i > 0 && text != "\n" {
                self.buffer.extend(std::iter::repeat_n(' ', columns));
            }
            self.buffer.push_str(text);
        }
    }

    /// Puts `text` at `at`; what is recorded behind it moves along.
    pub(crate) fn insert(&mut self, at: usize, text: &str) {
        self.buffer.insert_str(self.start + at, text);
        let by = text.len();
        for value in self.values.iter_mut().flatten() {
            let Range { start, end } = value.range;
            value.range =
                start + if start >= at { by } else { 0 }..end + if end > at { by } else { 0 };
        }
        self.prefix = self
            .prefix
            .map(|prefix| if prefix > at { prefix + by } else { prefix });
    }
}
