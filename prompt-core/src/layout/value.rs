//! Values on the page: trimmed, escaped, indented, and noted for guarding.

use super::{Page, RowId, Sourced, Treatment, Words};
use crate::node::{Guarding, Hang, Output, trim_blank_lines};
use crate::xml::{self, ValuePolicy, ValueRange};
use std::{fmt, ops::Range};

impl Treatment<'_> {
    fn policy(&self, in_code: bool) -> ValuePolicy {
        ValuePolicy {
            strict: self.guarding == Guarding::Strict,
            untrusted: self.untrusted,
            in_code,
        }
    }

    fn escapes(&self) -> bool {
        self.guarding == Guarding::Escaped
    }
}

impl<'a> Page<'_, 'a> {
    /// Prints a value that `write` gives.
    #[inline]
    pub(crate) fn value(
        &mut self,
        treatment: &Treatment<'a>,
        write: impl FnOnce(&mut Output<'_>) -> fmt::Result,
    ) -> fmt::Result {
        let (pending, waiting, before) = (self.pending, self.waiting, self.buffer.len());
        if treatment.block {
            self.depends();
        }
        self.flush();
        self.depends();
        if self.indent > 0 && self.at_line_start() {
            self.buffer.extend(std::iter::repeat_n(' ', self.indent));
        }
        let from = self.buffer.len();
        let mut output = Output::tracking(self.buffer, &mut self.ranges);
        let written = write(&mut output);
        let has_angles = output.has_angles();
        if treatment.block && written.is_ok() {
            trim_blank_lines(self.buffer, from, &mut self.ranges);
        }
        if written.is_err() || self.buffer.len() == from {
            self.buffer.truncate(before);
            self.pending = pending;
            self.waiting = waiting;
            self.ranges.clear();
            if treatment.block {
                self.vanish();
            }
            return written;
        }
        if treatment.untrusted
            || self.indent > 0
            || treatment.hang != Hang::None
            || !treatment.quote.is_empty()
            || treatment.escapes()
        {
            self.treat(from, treatment);
        }
        if !treatment.raw && !self.ranges.is_empty() {
            self.record(treatment);
        }
        if has_angles {
            self.note_value_angles(from);
        }
        self.ranges.clear();
        Ok(())
    }

    /// A `<` was written together with a value.
    #[cold]
    fn note_value_angles(&mut self, from: usize) {
        let offset = from - self.start;
        let found = memchr::memchr_iter(b'<', &self.buffer.as_bytes()[from..]);
        self.value_angles.extend(found.map(|at| at + offset));
    }

    /// What few values need.
    #[inline(never)]
    fn treat(&mut self, from: usize, treatment: &Treatment<'a>) {
        let mut ranges = std::mem::take(&mut self.ranges);
        if treatment.escapes() {
            self.escape(from, &mut ranges);
        }
        if self.indent > 0 || treatment.hang != Hang::None || !treatment.quote.is_empty() {
            self.indent_value(from, treatment, &mut ranges);
        }
        if treatment.untrusted {
            self.note_untrusted_code();
        }
        self.ranges = ranges;
    }

    /// A text of which these bytes come from values.
    pub(crate) fn pieces(
        &mut self,
        treatment: &Treatment<'a>,
        text: &str,
        values: &[Range<usize>],
    ) {
        let written = self.value(treatment, |output| {
            output.pieces(text, values);
            Ok(())
        });
        debug_assert!(written.is_ok(), "what is known is printed");
    }

    /// A title: words of the author, and values, which come from that section.
    pub(crate) fn title_words(
        &mut self,
        words: &Words,
        treatment: &Treatment<'a>,
        row: Option<RowId>,
    ) {
        if words.is_computed {
            self.depends();
        }
        if words.values.is_empty() {
            self.look_for_angles(&words.text);
            self.literal(&words.text);
            return;
        }
        let from = self.values.len();
        let start = self.len();
        let values = words.values.iter().map(|value| value.range.clone());
        self.pieces(treatment, &words.text, &values.collect::<Vec<_>>());
        // What a value is in a title is told by the text that has it.
        for (value, own) in self.values.iter_mut().skip(from).zip(&words.values) {
            value.policy.untrusted |= own.policy.untrusted;
            self.has_untrusted |= own.policy.untrusted;
        }
        if self.notes.sources {
            let values = self.values[from..].iter().map(|value| value.range.clone());
            let values: Vec<_> = values.filter(|range| range.start >= start).collect();
            for range in values {
                self.comes_from_own(range, "title", row);
            }
        }
    }

    /// A value in the title, or in an attribute, of a section.
    pub(super) fn comes_from_own(&mut self, range: Range<usize>, name: &str, row: Option<RowId>) {
        if self.notes.sources && !range.is_empty() {
            let name = name.to_owned();
            self.sources.push(Sourced { range, row, name });
        }
    }

    /// What has been printed since there, white space at its ends apart, comes from that variable or field.
    pub(crate) fn comes_from(&mut self, from: usize, row: Option<RowId>, name: &str) {
        if !self.notes.sources || from >= self.len() {
            return;
        }
        let printed = self.since(from);
        let start = self.len() - printed.trim_start().len();
        let range = start..start + printed.trim().len();
        self.comes_from_own(range, name, row);
    }

    /// What is known of the values that were printed since there.
    pub(super) fn sources_since(&self, from: usize) -> Vec<Sourced> {
        let sources = self.sources.iter().rev();
        let sources = sources.take_while(|source| source.range.end > from);
        let mut sources: Vec<Sourced> = sources
            .map(|source| Sourced {
                range: source.range.start.saturating_sub(from)..source.range.end - from,
                ..source.clone()
            })
            .collect();
        sources.reverse();
        sources
    }

    fn record(&mut self, treatment: &Treatment<'a>) {
        self.has_untrusted |= treatment.untrusted;
        if self.notes.sections && self.values.is_empty() {
            self.first_value(treatment);
        }
        let policy = treatment.policy(self.in_code());
        let start = self.start;
        for range in &self.ranges {
            self.values.push(ValueRange {
                range: range.start - start..range.end - start,
                policy,
            });
        }
    }

    /// What a value may change before itself: an unfinished tag that it completes, and where it is untrusted its whole
    /// line, which may turn into a heading.
    fn first_value(&mut self, treatment: &Treatment<'a>) {
        let Some(prefix) = self.prefix.end else {
            return;
        };
        let text = &self.buffer[self.start..];
        let mut end = xml::unfinished_tag(text, prefix);
        if treatment.untrusted {
            let line = text[..prefix].rfind('\n').map_or(0, |at| at + 1);
            end = end.min(line);
        }
        self.prefix.end = Some(end);
    }

    /// Escapes what values wrote since `from`; the author's words stay.
    fn escape(&mut self, from: usize, ranges: &mut [Range<usize>]) {
        let text = self.buffer.split_off(from);
        let mut at = 0;
        for range in ranges {
            let (start, end) = (range.start - from, range.end - from);
            self.buffer.push_str(&text[at..start]);
            let value = &text[start..end];
            let new = self.buffer.len();
            self.buffer.push_str(&xml::escape_text(value));
            *range = new..self.buffer.len();
            at = end;
        }
        self.buffer.push_str(&text[at..]);
    }

    /// Other lines of the value take the column that the variable asks for, the indentation of the slot, or the marker of
    /// the quotation.
    fn indent_value(
        &mut self,
        from: usize,
        treatment: &Treatment<'a>,
        ranges: &mut [Range<usize>],
    ) {
        if !self.buffer[from..].contains('\n') {
            return;
        }
        let columns = match treatment.hang {
            Hang::None => self.indent,
            Hang::Column(column) => self.indent + usize::from(column),
            Hang::First => {
                let before = &self.buffer[self.start..from];
                let line = before.rfind('\n').map_or(0, |at| at + 1);
                before[line..].chars().count()
            }
        };
        let quote = treatment.quote;
        let columns = match treatment.hang {
            Hang::First => columns.saturating_sub(quote.chars().count()),
            _ => columns,
        };
        let value = self.buffer.split_off(from);
        // Where something was put in, in bytes of the old text, and how much in all up to there.
        let mut inserts: Vec<(usize, usize)> = Vec::new();
        let (mut at, mut grown) = (from, 0);
        for (number, line) in value.split_inclusive('\n').enumerate() {
            if number > 0 {
                let before = self.buffer.len();
                let is_blank = line == "\n";
                self.buffer
                    .push_str(if is_blank { quote.trim_end() } else { quote });
                if !is_blank {
                    self.buffer.extend(std::iter::repeat_n(' ', columns));
                }
                grown += self.buffer.len() - before;
                inserts.push((at, grown));
            }
            self.buffer.push_str(line);
            at += line.len();
        }
        let grown_up_to = |count: usize| count.checked_sub(1).map_or(0, |last| inserts[last].1);
        for range in ranges {
            range.start += grown_up_to(inserts.partition_point(|(at, _)| *at <= range.start));
            range.end += grown_up_to(inserts.partition_point(|(at, _)| *at < range.end));
        }
    }
}
