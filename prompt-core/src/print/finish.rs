//! What is left to do with a printed text: line breaks to put in, spans to nest, values to guard.

use super::{
    job::{Job, PrintedText, Sourced, Span, WrittenTag},
    state::Printer,
};
use crate::error::PromptError;
use crate::node::Tags;
use crate::outline::{Outline, RowId};
use crate::xml::{self, FenceRange, Finished, ValueRange};
use std::borrow::Cow;

/// What is left to do with a printed text: line breaks to put in, values to guard.
pub(super) struct Leftover<'a> {
    static_prefix: usize,
    values: Vec<ValueRange>,
    sources: Vec<Sourced>,
    breaks: Vec<(usize, usize)>,
    fences: Vec<FenceRange>,
    spans: Vec<Span>,
    tags: Vec<WrittenTag<'a>>,
    static_tags: Vec<&'a Tags>,
    is_summarised: bool,
    summaries: Vec<(RowId, String)>,
}

impl<'a> Leftover<'a> {
    pub(super) fn complete(
        mut self,
        job: Job<'_, 'a>,
        buffer: &mut String,
        before: usize,
    ) -> Result<PrintedText<'a>, PromptError> {
        self.put_breaks(buffer, before);
        self.nest(job.outline, buffer.len() - before);
        self.guard(job.outline, buffer, before)?;
        let wanted = job.with_spans;
        Ok(PrintedText {
            static_prefix: self.static_prefix.min(buffer.len() - before),
            spans: if wanted { self.spans } else { Vec::new() },
            tags: if wanted { self.tags } else { Vec::new() },
            sources: self.sources,
            is_summarised: self.is_summarised,
            summaries: self.summaries,
        })
    }

    /// Puts in the line breaks behind open tags that did not fit on a line; all at once, so that it stays linear.
    fn put_breaks(&mut self, buffer: &mut String, before: usize) {
        if self.breaks.is_empty() {
            return;
        }
        self.breaks.sort_unstable();
        let text = buffer.split_off(before);
        let mut at = 0;
        // Bytes put in before each break, and in the end.
        let mut grown = vec![0];
        for (place, columns) in &self.breaks {
            buffer.push_str(text.get(at..*place).unwrap_or_default());
            buffer.push('\n');
            buffer.extend(std::iter::repeat_n(' ', *columns));
            grown.push(buffer.len() - before - place);
            at = *place;
        }
        buffer.push_str(text.get(at..).unwrap_or_default());
        let breaks = &self.breaks;
        // What begins where a break is put in stands behind it, what ends there before it.
        let moved = |at: usize, index: usize| at + grown.get(index).copied().unwrap_or_default();
        let start = |at: usize| moved(at, breaks.partition_point(|(place, _)| *place <= at));
        let end = |at: usize| moved(at, breaks.partition_point(|(place, _)| *place < at));
        for value in &mut self.values {
            value.range = start(value.range.start)..end(value.range.end);
        }
        for source in &mut self.sources {
            source.range = start(source.range.start)..end(source.range.end);
        }
        for fence in &mut self.fences {
            fence.open = start(fence.open.start)..end(fence.open.end);
            fence.close = fence
                .close
                .as_ref()
                .map(|range| start(range.start)..end(range.end));
        }
        for span in &mut self.spans {
            (span.start, span.end) = (start(span.start), end(span.end).max(start(span.start)));
            span.body = end(span.body);
        }
        self.static_prefix = end(self.static_prefix);
    }

    /// Spans of sections that were taken back may lie past what is there now: they move to where their parents are, so
    /// that ranges are always inside the text, and nested like the sections.
    fn nest(&mut self, outline: &Outline<'_>, len: usize) {
        let mut open: Vec<(RowId, usize, usize)> = Vec::new();
        for span in &mut self.spans {
            while open
                .pop_if(|(outer, ..)| !outline.is_below(span.row, *outer))
                .is_some()
            {}
            let (low, high) = open
                .last()
                .map_or((0, len), |(_, start, end)| (*start, *end));
            span.start = span.start.clamp(low, high);
            span.end = span.end.clamp(span.start, high);
            span.body = span.body.clamp(span.start, span.end);
            open.push((span.row, span.start, span.end));
        }
    }

    /// Values cannot open or close a tag of the document.
    fn guard(
        &mut self,
        outline: &Outline<'_>,
        buffer: &mut String,
        before: usize,
    ) -> Result<(), PromptError> {
        if self.values.is_empty() {
            return Ok(());
        }
        let text = buffer.get(before..).unwrap_or_default();
        if xml::are_clean(text, &self.values) {
            return Ok(());
        }
        let names = |tags: fn(&Tags) -> &[Cow<'static, str>]| -> Vec<&str> {
            let all = self.static_tags.iter().flat_map(|node| tags(node));
            all.map(AsRef::as_ref).collect()
        };
        let written: Vec<&str> = self.tags.iter().map(|tag| tag.name.as_ref()).collect();
        let (opens, closes) = (names(|tags| &tags.opens), names(|tags| &tags.closes));
        let finished = Finished {
            text,
            values: &self.values,
            fences: &self.fences,
            written: &written,
            opens: &opens,
            closes: &closes,
        };
        let edits = xml::guard(&finished).map_err(|violation| {
            let offset = violation.offset;
            let around = |span: &&Span| span.start <= offset && offset < span.end;
            let path = self.spans.iter().rfind(around);
            let path = path.map_or_else(String::new, |span| outline.path(span.row).into());
            PromptError::GuardViolation { path, offset }
        })?;
        let Some(edits) = edits else { return Ok(()) };
        let guarded = edits.apply(text);
        buffer.truncate(before);
        buffer.push_str(&guarded);
        if let Some(first) = edits.first() {
            self.static_prefix = self.static_prefix.min(first);
        }
        for span in &mut self.spans {
            (span.start, span.end) = (edits.moved(span.start), edits.moved(span.end));
            span.body = edits.moved(span.body);
        }
        for source in &mut self.sources {
            source.range = edits.moved(source.range.start)..edits.moved(source.range.end);
        }
        Ok(())
    }
}

impl<'a> Printer<'_, 'a> {
    pub(super) fn leftover(&mut self) -> Leftover<'a> {
        Leftover {
            static_prefix: self.writer.static_prefix(),
            values: self.writer.take_values(),
            sources: self.writer.take_sources(),
            breaks: self.writer.take_breaks(),
            fences: std::mem::take(&mut self.fences),
            spans: std::mem::take(&mut self.spans),
            tags: std::mem::take(&mut self.tags),
            static_tags: std::mem::take(&mut self.static_tags),
            is_summarised: self.is_summarised,
            summaries: std::mem::take(&mut self.summaries),
        }
    }
}
