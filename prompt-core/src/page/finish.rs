//! What is left to do with a printed text: line breaks to put in, spans to nest, values to guard. It moves ranges, here
//! and nowhere else.

use super::RowId;
use super::{Page, Words};
use crate::error::PromptError;
use crate::node::Tags;
use crate::visibility::Form;
use crate::xml::{self, FenceRange, Finished, ValueRange};
use std::{borrow::Cow, ops::Range};

/// What is known of a printed text.
#[derive(Clone, Debug, Default)]
pub(crate) struct Printed<'a> {
    /// The first byte whose presence or content depends on a value.
    pub(crate) static_prefix: usize,
    /// Sections in the order of the text, parents before children.
    pub(crate) spans: Vec<Span>,
    /// The tags that were opened.
    pub(crate) tags: Vec<WrittenTag<'a>>,
    /// Where values stand and what they come from, in the order of the text; where that was wanted.
    pub(crate) sources: Vec<Sourced>,
    /// Whether a summary was shown.
    pub(crate) is_summarised: bool,
    /// Bytes that values wrote, before guarding; where they are not guarded.
    pub(crate) values: Vec<ValueRange>,
}

impl Printed<'_> {
    /// The rows got other numbers.
    pub(crate) fn renumber(&mut self, place: impl Fn(RowId) -> RowId) {
        let spans = self.spans.iter_mut().map(|span| &mut span.row);
        let tags = self.tags.iter_mut().filter_map(|tag| tag.row.as_mut());
        let sources = self.sources.iter_mut();
        let sources = sources.filter_map(|source| source.row.as_mut());
        for row in spans.chain(tags).chain(sources) {
            *row = place(*row);
        }
    }
}

/// Where a section was printed.
#[derive(Clone, Debug)]
pub(crate) struct Span {
    pub(crate) row: RowId,
    pub(crate) title: Words,
    /// Level of its heading, or of the place where its text stands.
    pub(crate) level: u8,
    pub(crate) form: Form,
    /// Bytes of the text, heading or tag included.
    pub(crate) start: usize,
    pub(crate) end: usize,
    /// Where its heading, or its open tag, ends.
    pub(crate) body: usize,
}

/// What a variable, or a field that is a section, printed: values with the author's words around them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Sourced {
    /// Bytes of the text.
    pub(crate) range: Range<usize>,
    /// The section whose node has it; `None` for the root.
    pub(crate) row: Option<RowId>,
    /// The variable as the text names it, or the field of the section.
    pub(crate) name: String,
}

/// A tag that was opened.
#[derive(Clone, Debug)]
pub(crate) struct WrittenTag<'a> {
    pub(crate) name: Cow<'a, str>,
    /// How many tags are open around it.
    pub(crate) depth: usize,
    /// The section it belongs to; `None` for the root.
    pub(crate) row: Option<RowId>,
}

/// What is left to do.
struct Leftover<'a> {
    printed: Printed<'a>,
    breaks: Vec<(usize, usize)>,
    fences: Vec<FenceRange>,
    static_tags: Vec<&'a Tags>,
}

impl<'a> Page<'_, 'a> {
    /// The text is complete. On an error the buffer is as it was. `parent` gives the row around one, `path` its path.
    pub(crate) fn finish(
        mut self,
        parent: &dyn Fn(RowId) -> Option<RowId>,
        path: &dyn Fn(RowId) -> String,
    ) -> Result<Printed<'a>, PromptError> {
        if self.look.style == super::Style::Xml && self.len() > 0 {
            self.owe("");
            self.literal("\n");
        }
        let prefix = self.prefix.len(self.len());
        let mut leftover = Leftover {
            printed: Printed {
                static_prefix: prefix,
                spans: self.spans,
                tags: self.tags,
                sources: self.sources.unwrap_or_default(),
                is_summarised: self.is_summarised,
                values: self.values,
            },
            breaks: self.breaks,
            fences: self.fences,
            static_tags: self.static_tags,
        };
        let (buffer, start) = (self.buffer, self.start);
        let finished = if let Some(fault) = self.fault {
            Err(fault)
        } else {
            leftover.put_breaks(buffer, start);
            leftover.nest(parent, buffer.len() - start);
            leftover.guard(path, buffer, start)
        };
        match finished {
            Ok(()) => {
                let mut printed = leftover.printed;
                printed.static_prefix = printed.static_prefix.min(buffer.len() - start);
                Ok(printed)
            }
            Err(error) => {
                buffer.truncate(start);
                Err(error)
            }
        }
    }

    /// What was printed is thrown away.
    pub(crate) fn abandon(self) {
        self.buffer.truncate(self.start);
    }

    /// A template in a text of its own: what it says, and which bytes come from values. Nothing is guarded.
    pub(crate) fn into_values(self) -> Result<Vec<ValueRange>, PromptError> {
        match self.fault {
            Some(fault) => Err(fault),
            None => Ok(self.values),
        }
    }
}

impl Leftover<'_> {
    /// Puts in the line breaks behind open tags that did not fit on a line; all at once, so that it stays linear.
    fn put_breaks(&mut self, buffer: &mut String, start: usize) {
        if self.breaks.is_empty() {
            return;
        }
        self.breaks.sort_unstable();
        let text = buffer.split_off(start);
        let mut at = 0;
        // Bytes put in before each break, and in the end.
        let mut grown = vec![0];
        for (place, columns) in &self.breaks {
            buffer.push_str(&text[at..*place]);
            buffer.push('\n');
            buffer.extend(std::iter::repeat_n(' ', *columns));
            grown.push(buffer.len() - start - place);
            at = *place;
        }
        buffer.push_str(&text[at..]);
        let breaks = &self.breaks;
        // What begins where a break is put in stands behind it, what ends there before it.
        let begins = |at: usize| at + grown[breaks.partition_point(|(place, _)| *place <= at)];
        let ends = |at: usize| at + grown[breaks.partition_point(|(place, _)| *place < at)];
        let moved = |range: &Range<usize>| {
            let start = begins(range.start);
            start..ends(range.end).max(start)
        };
        let printed = &mut self.printed;
        for value in &mut printed.values {
            value.range = moved(&value.range);
        }
        for source in &mut printed.sources {
            source.range = moved(&source.range);
        }
        for fence in &mut self.fences {
            fence.open = moved(&fence.open);
            fence.close = fence.close.as_ref().map(moved);
        }
        for span in &mut printed.spans {
            let range = moved(&(span.start..span.end));
            (span.start, span.end) = (range.start, range.end);
            span.body = ends(span.body);
        }
        printed.static_prefix = ends(printed.static_prefix);
    }

    /// Sections that were taken back may lie past what is there now: they move to what stands behind them, and to where their
    /// parents are, so that ranges are always inside the text, in its order, and nested like the sections.
    fn nest(&mut self, parent: &dyn Fn(RowId) -> Option<RowId>, len: usize) {
        let mut behind = len;
        for span in self.printed.spans.iter_mut().rev() {
            if span.start > behind {
                (span.start, span.body, span.end) = (behind, behind, behind);
            }
            behind = span.start;
        }
        let mut open: Vec<(RowId, usize, usize)> = Vec::new();
        for span in &mut self.printed.spans {
            let around = parent(span.row);
            while open.pop_if(|(outer, ..)| Some(*outer) != around).is_some() {}
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
        path: &dyn Fn(RowId) -> String,
        buffer: &mut String,
        start: usize,
    ) -> Result<(), PromptError> {
        let printed = &mut self.printed;
        let text = &buffer[start..];
        if printed.values.is_empty() || xml::are_clean(text, &printed.values) {
            return Ok(());
        }
        let names = |tags: fn(&Tags) -> &[Cow<'static, str>]| -> Vec<&str> {
            let all = self.static_tags.iter().flat_map(|node| tags(node));
            all.map(AsRef::as_ref).collect()
        };
        let written: Vec<&str> = printed.tags.iter().map(|tag| tag.name.as_ref()).collect();
        let (opens, closes) = (names(|tags| &tags.opens), names(|tags| &tags.closes));
        let finished = Finished {
            text,
            values: &printed.values,
            fences: &self.fences,
            written: &written,
            opens: &opens,
            closes: &closes,
        };
        let edits = xml::guard(&finished).map_err(|violation| {
            let offset = violation.offset;
            let around = |span: &&Span| span.start <= offset && offset < span.end;
            let span = printed.spans.iter().rfind(around);
            let path = span.map_or_else(String::new, |span| path(span.row));
            PromptError::GuardViolation { path, offset }
        })?;
        let Some(edits) = edits else { return Ok(()) };
        let guarded = edits.apply(text);
        buffer.truncate(start);
        buffer.push_str(&guarded);
        if let Some(first) = edits.first() {
            printed.static_prefix = printed.static_prefix.min(first);
        }
        for span in &mut printed.spans {
            (span.start, span.end) = (edits.moved(span.start), edits.moved(span.end));
            span.body = edits.moved(span.body);
        }
        for source in &mut printed.sources {
            source.range = edits.moved(source.range.start)..edits.moved(source.range.end);
        }
        Ok(())
    }
}
