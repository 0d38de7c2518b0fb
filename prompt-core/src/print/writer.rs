//! The text under construction. It owes white space until something is printed after it, indents what stands in an
//! indented slot, and remembers which bytes came from values and where the first of them stood.
//!
//! What is owed has two parts: whether the line before has ended, and the blank lines after it. Something that came out
//! empty between two gaps must leave what one gap would have left: the blank lines before it go where blank lines follow
//! it, and stay where none do, because then only a part of a paragraph went.

use super::job::Sourced;
use crate::node::{AtOnce, Guarding, Hang, Output, Plain, Prefix, TAG, trim_blank_lines};
use crate::outline::RowId;
use crate::xml::{self, ValuePolicy, ValueRange};
use std::{borrow::Cow, fmt, ops::Range};

/// How a value is printed.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Treatment {
    /// A paragraph of its own: blank lines at its ends go, and an empty one takes its line along.
    pub(super) block: bool,
    pub(super) hang: Hang,
    pub(super) raw: bool,
    pub(super) untrusted: bool,
    pub(super) guarding: Guarding,
    /// The item (from 0) that item templates are about.
    pub(super) item: usize,
}

impl Treatment {
    fn policy(self) -> ValuePolicy {
        ValuePolicy {
            strict: self.guarding == Guarding::Strict,
            untrusted: self.untrusted,
        }
    }
}

/// White space, or a join, that is printed before what comes next.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Owed<'a> {
    /// The line before has ended.
    ended: bool,
    /// Blank lines after it, or the words of a join.
    rest: Cow<'a, str>,
    /// Something came out empty since.
    vanished: bool,
}

/// A state to return to.
#[derive(Clone, Debug)]
pub(super) struct Point<'a> {
    pub(super) len: usize,
    owed: Owed<'a>,
}

pub(super) struct Writer<'w, 'a> {
    buffer: &'w mut String,
    start: usize,
    owed: Owed<'a>,
    indent: usize,
    prefix: Prefix,
    values: Option<Vec<ValueRange>>,
    /// What one value wrote: kept, so that it is allocated once.
    ranges: Vec<Range<usize>>,
    /// What values come from, where somebody wants to know.
    sources: Option<Vec<Sourced>>,
    /// Where a line break and how many columns are to be put in once the text is finished: tags that turned out not to
    /// fit on a line.
    breaks: Vec<(usize, usize)>,
    /// Where the open sections begin: behind what was owed before them.
    spans: Vec<usize>,
    /// How many of them have not begun yet.
    waiting: usize,
}

impl<'w, 'a> Writer<'w, 'a> {
    pub(super) fn new(buffer: &'w mut String) -> Self {
        let start = buffer.len();
        Self {
            buffer,
            start,
            owed: Owed::default(),
            indent: 0,
            prefix: Prefix::default(),
            values: None,
            ranges: Vec::new(),
            sources: None,
            breaks: Vec::new(),
            spans: Vec::new(),
            waiting: 0,
        }
    }

    /// Keeps the ranges of values, for guarding.
    pub(super) fn track_values(&mut self) {
        self.values = Some(Vec::new());
    }

    /// Keeps what values come from.
    pub(super) fn track_sources(&mut self) {
        self.sources = Some(Vec::new());
    }

    pub(super) fn take_sources(&mut self) -> Vec<Sourced> {
        self.sources.take().unwrap_or_default()
    }

    /// What has been printed from `from` on, white space at its ends apart, comes from there.
    pub(super) fn comes_from(
        &mut self,
        from: usize,
        source: impl FnOnce() -> (Option<RowId>, String),
    ) {
        if self.sources.is_none() {
            return;
        }
        let printed = self.since(from);
        let start = self.len() - printed.trim_start().len();
        let range = start..start + printed.trim().len();
        if let Some(sources) = self.sources.as_mut().filter(|_| !range.is_empty()) {
            let (row, name) = source();
            sources.push(Sourced { range, row, name });
        }
    }

    pub(super) fn tracks(&self) -> bool {
        self.values.is_some()
    }

    pub(super) fn take_values(&mut self) -> Vec<ValueRange> {
        self.values.take().unwrap_or_default()
    }

    pub(super) fn take_breaks(&mut self) -> Vec<(usize, usize)> {
        std::mem::take(&mut self.breaks)
    }

    /// Bytes printed so far, without what is owed.
    #[inline]
    pub(super) fn len(&self) -> usize {
        self.buffer.len() - self.start
    }

    /// What has been printed from `from` on.
    pub(super) fn since(&self, from: usize) -> &str {
        self.buffer.get(self.start + from..).unwrap_or_default()
    }

    /// The first byte whose presence or content depends on a value.
    pub(super) fn static_prefix(&self) -> usize {
        self.prefix.len(self.len())
    }

    /// From here on the text depends on a value; so does a heading or tag right before it that may be taken back.
    #[inline]
    pub(super) fn depends(&mut self) {
        self.prefix.depends(self.len());
    }

    /// The text depends on a value from there on, if it does at all.
    pub(super) fn depends_no_later_than(&mut self, at: usize) {
        self.prefix.end = self.prefix.end.map(|prefix| prefix.min(at));
    }

    /// What stands at `at` depends on the values behind it, if there are any; so does what goes with it.
    pub(super) fn depends_in(&mut self, at: usize) {
        if self.prefix.end.is_some_and(|prefix| prefix >= at) {
            self.prefix.end = Some(self.prefix.goes_from(at));
        }
    }

    /// What was printed since `from` is taken back, or looks otherwise, if nothing follows it.
    pub(super) fn tentative_since(&mut self, from: usize) {
        self.prefix.tentative(from, self.len());
    }

    pub(super) fn point(&self) -> Point<'a> {
        Point {
            len: self.len(),
            owed: self.owed.clone(),
        }
    }

    /// Takes back everything printed since `point`.
    pub(super) fn rollback(&mut self, point: Point<'a>) {
        self.truncate(point.len);
        self.owed = point.owed;
    }

    /// Takes back everything printed since there, but keeps what is owed.
    pub(super) fn truncate(&mut self, len: usize) {
        self.buffer.truncate(self.start + len);
        self.prefix.truncate(len);
        if let Some(values) = &mut self.values {
            while values.last().is_some_and(|value| value.range.end > len) {
                values.pop();
            }
        }
        if let Some(sources) = &mut self.sources {
            while sources.pop_if(|source| source.range.end > len).is_some() {}
        }
        while self.breaks.last().is_some_and(|(at, _)| *at > len) {
            self.breaks.pop();
        }
    }

    /// Owes `gap` before the next print, instead of what was owed.
    #[inline]
    pub(super) fn owe(&mut self, gap: impl Into<Cow<'a, str>>) {
        self.owed = Owed {
            ended: false,
            rest: gap.into(),
            vanished: false,
        };
    }

    /// Owes a line break, and this many blank lines.
    #[inline]
    pub(super) fn owe_lines(&mut self, blank: usize) {
        const LINES: &str = "\n\n\n\n\n\n\n\n";
        self.owe(match LINES.get(..=blank) {
            Some(lines) => Cow::Borrowed(lines),
            None => Cow::Owned("\n".repeat(blank + 1)),
        });
    }

    pub(super) fn owes(&self) -> bool {
        self.owed.ended || !self.owed.rest.is_empty()
    }

    /// The line before has ended, unless it came out empty.
    #[inline]
    pub(super) fn end_line(&mut self, came_out_empty: bool) {
        if came_out_empty {
            self.owed.vanished = true;
        } else {
            self.owed = Owed {
                ended: true,
                ..Owed::default()
            };
        }
    }

    /// Blank lines follow. They take the place of those before something that came out empty.
    #[inline]
    pub(super) fn blank_lines(&mut self, lines: &'a str) {
        if self.owed.rest.is_empty() || self.owed.vanished {
            self.owed.rest = Cow::Borrowed(lines);
        } else {
            self.owed.rest.to_mut().push_str(lines);
        }
        self.owed.vanished = false;
    }

    /// Something that would have stood here came out empty.
    pub(super) fn vanish(&mut self) {
        self.owed.vanished = true;
    }

    /// The same, and the blank lines before it go along.
    pub(super) fn vanish_with_blank_lines(&mut self) {
        self.owed.rest = Cow::Borrowed("");
        self.owed.vanished = true;
    }

    /// Changes the indentation of lines that begin from now on, and returns what it was.
    pub(super) fn set_indent(&mut self, indent: usize) -> usize {
        std::mem::replace(&mut self.indent, indent)
    }

    pub(super) fn indent(&self) -> usize {
        self.indent
    }

    #[inline]
    fn flush(&mut self) {
        if self.waiting > 0 || self.owes() || self.owed.vanished {
            self.flush_owed();
        }
    }

    fn flush_owed(&mut self) {
        if self.owed.ended {
            self.buffer.push('\n');
        }
        if !self.owed.rest.is_empty() {
            self.buffer.push_str(&self.owed.rest);
        }
        self.owed = Owed::default();
        if self.waiting > 0 {
            self.begin_spans();
        }
    }

    /// A section begins with what is printed next.
    pub(super) fn open_span(&mut self) {
        self.spans.push(self.len());
        self.waiting += 1;
    }

    /// The innermost section ends; gives where it began.
    pub(super) fn close_span(&mut self) -> usize {
        self.waiting = self.waiting.saturating_sub(1);
        self.spans.pop().unwrap_or_default()
    }

    /// How many of the open sections have not begun.
    pub(super) fn waiting(&self) -> usize {
        self.waiting
    }

    /// So many of them have not begun after all: what had been printed was taken back.
    pub(super) fn set_waiting(&mut self, waiting: usize) {
        self.waiting = waiting;
    }

    fn begin_spans(&mut self) {
        let len = self.len();
        let waiting = std::mem::take(&mut self.waiting);
        let begun = self.spans.len() - waiting.min(self.spans.len());
        if let Some(spans) = self.spans.get_mut(begun..) {
            spans.fill(len);
        }
    }

    /// Prints text that does not come from a value.
    #[inline]
    pub(super) fn literal(&mut self, text: &str) {
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

    /// The same in several pieces, the first of which is not empty.
    #[inline]
    pub(super) fn literals<const N: usize>(&mut self, pieces: [&str; N]) {
        self.flush();
        for piece in pieces {
            if self.indent == 0 {
                self.buffer.push_str(piece);
            } else {
                self.push_indented(piece);
            }
        }
    }

    /// Prints the marker of a heading, 1 to 6 hashes and a blank.
    pub(super) fn hashes(&mut self, level: usize) {
        const MARKER: &str = "###### ";
        self.literal(MARKER.get(6 - level.min(6)..).unwrap_or(MARKER));
    }

    /// Prints this many blanks.
    pub(super) fn blanks(&mut self, count: usize) {
        if count > 0 {
            self.literal(" ");
            self.buffer.extend(std::iter::repeat_n(' ', count - 1));
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

    /// Prints a value that `write` gives.
    pub(super) fn value(
        &mut self,
        treatment: Treatment,
        write: impl FnOnce(&mut Output<'_>) -> fmt::Result,
    ) -> fmt::Result {
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
        let escapes = matches!(treatment.guarding, Guarding::Escaped | Guarding::Cdata);
        let mut ranges = std::mem::take(&mut self.ranges);
        let written = if self.values.is_some() || escapes {
            write(&mut Output::tracking(self.buffer, &mut ranges).for_item(treatment.item))
        } else {
            write(&mut Output::new(self.buffer).for_item(treatment.item))
        };
        if written.is_err() {
            self.rollback(point);
            return written;
        }
        if treatment.block {
            trim_blank_lines(self.buffer, from, &mut ranges);
        }
        if self.buffer.len() == from {
            self.rollback(point);
            return Ok(());
        }
        if escapes {
            self.escape(from, treatment.guarding, &mut ranges);
        }
        if self.indent > 0 || treatment.hang != Hang::None {
            self.indent_value(from, treatment.hang, &mut ranges);
        }
        self.record(&ranges, treatment);
        ranges.clear();
        self.ranges = ranges;
        Ok(())
    }

    /// Whether values are printed as they come: nothing is owed, indented or kept for guarding.
    #[inline]
    pub(super) fn is_plain(&self) -> bool {
        self.indent == 0 && self.values.is_none() && self.sources.is_none()
    }

    /// The text itself, if what is appended needs no more than that: nothing owed, indented or kept for guarding.
    #[inline]
    pub(super) fn plain_buffer(&mut self) -> Option<&mut String> {
        let plain = self.is_plain() && !self.owes() && self.waiting == 0;
        plain.then_some(&mut *self.buffer)
    }

    /// Lets `print` append a text whose first value stands behind so many bytes, if it needs no treatment here. Where
    /// it appends nothing, everything is as it was.
    pub(super) fn at_once(
        &mut self,
        first: usize,
        print: impl FnOnce(Plain<'_>) -> AtOnce,
    ) -> AtOnce {
        if self.indent > 0 || self.sources.is_some() {
            return Ok(false);
        }
        let (before, waiting) = (self.point(), self.waiting);
        self.flush();
        let start = self.buffer.len();
        let mut ranges = std::mem::take(&mut self.ranges);
        let values = self.values.is_some().then_some(&mut ranges);
        let printed = print(Plain::new(self.buffer, values));
        if printed == Ok(true) {
            self.depends_from(start + first);
            ranges.retain(|range| *range != TAG);
            self.record(&ranges, Treatment::default());
        } else {
            self.rollback(before);
            self.waiting = waiting;
        }
        ranges.clear();
        self.ranges = ranges;
        printed
    }

    /// The text depends on a value from this byte of the buffer on.
    pub(super) fn depends_from(&mut self, byte: usize) {
        self.prefix.end.get_or_insert(byte - self.start);
    }

    fn record(&mut self, ranges: &[Range<usize>], treatment: Treatment) {
        if treatment.raw || ranges.is_empty() {
            return;
        }
        let Some(mut values) = self.values.take() else {
            return;
        };
        if values.is_empty() {
            self.first_value(treatment);
        }
        for range in ranges {
            values.push(ValueRange {
                range: range.start - self.start..range.end - self.start,
                policy: treatment.policy(),
            });
        }
        self.values = Some(values);
    }

    /// What a value may change before itself: an unfinished tag that it completes, and where it is untrusted its whole
    /// line, which may turn into a heading.
    fn first_value(&mut self, treatment: Treatment) {
        let Some(prefix) = self.prefix.end else {
            return;
        };
        let text = self.buffer.get(self.start..).unwrap_or_default();
        let before = text.get(..prefix).unwrap_or_default();
        let line = before.rfind('\n').map_or(0, |at| at + 1);
        let line = Some(line).filter(|_| treatment.untrusted);
        self.prefix.end = Some(xml::unfinished_tag(text, prefix).min(line.unwrap_or(prefix)));
    }

    /// Escapes what values wrote since `from`; the author's words stay.
    fn escape(&mut self, from: usize, guarding: Guarding, ranges: &mut [Range<usize>]) {
        let text = self.buffer.split_off(from);
        let mut at = 0;
        for range in ranges {
            let (start, end) = (range.start - from, range.end - from);
            self.buffer
                .push_str(text.get(at..start).unwrap_or_default());
            let value = text.get(start..end).unwrap_or_default();
            let new = self.buffer.len();
            match guarding {
                Guarding::Cdata => self.buffer.push_str(&xml::cdata(value)),
                _ => self.buffer.push_str(&xml::escape_text(value)),
            }
            *range = new..self.buffer.len();
            at = end;
        }
        self.buffer.push_str(text.get(at..).unwrap_or_default());
    }

    /// Continuation lines take the column that the variable asks for, or the indentation of the slot.
    fn indent_value(&mut self, from: usize, hang: Hang, ranges: &mut [Range<usize>]) {
        if !self.since(from - self.start).contains('\n') {
            return;
        }
        let columns = match hang {
            Hang::None => self.indent,
            Hang::Column(column) => self.indent + usize::from(column),
            Hang::First => {
                let before = self.buffer.get(self.start..from).unwrap_or_default();
                let line = before.rfind('\n').map_or(0, |at| at + 1);
                before.get(line..).unwrap_or_default().chars().count()
            }
        };
        let value = self.buffer.split_off(from);
        let mut inserts = Vec::new();
        let mut at = from;
        for (number, line) in value.split_inclusive('\n').enumerate() {
            if number > 0 && line != "\n" {
                inserts.push(at);
                self.buffer.extend(std::iter::repeat_n(' ', columns));
            }
            self.buffer.push_str(line);
            at += line.len();
        }
        for range in ranges {
            range.start += columns * inserts.partition_point(|at| *at <= range.start);
            range.end += columns * inserts.partition_point(|at| *at < range.end);
        }
    }

    /// Puts a line break at `at`, and these columns behind it, once the text is finished.
    pub(super) fn break_at(&mut self, at: usize, columns: usize) {
        self.breaks.push((at, columns));
    }
}
