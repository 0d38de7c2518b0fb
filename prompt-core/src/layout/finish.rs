//! What is left to do with a printed text: line breaks to put in, spans to nest, values to guard. It moves ranges, here
//! and nowhere else.

use super::Page;
use super::RowId;
use crate::errors::PromptError;
use crate::node::Form;
use crate::xml::{self, Edits, Finished, ValueRange, Violation};
use std::{borrow::Cow, num::NonZeroUsize, ops::Range};

/// What is known of a printed text.
#[derive(Clone, Debug, Default)]
pub(crate) struct Printed<'a> {
    /// The first byte whose presence or content depends on a value.
    pub(crate) static_prefix: usize,
    /// Sections in the order of the text, parents before children.
    pub(crate) spans: Vec<Span>,
    /// What nodes have in front of their text and behind it (`start`, `end`), in the order of the text.
    pub(crate) frames: Vec<Range<usize>>,
    /// The tags that were opened.
    pub(crate) tags: Vec<WrittenTag<'a>>,
    /// Where values stand and what they come from, in the order of the text; where that was wanted.
    pub(crate) sources: Vec<Sourced>,
    /// Whether a summary was shown.
    pub(crate) is_summarised: bool,
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
    pub(crate) title: Cow<'static, str>,
    /// Its number behind that, if it is an item of a list with this title.
    pub(crate) item: Option<NonZeroUsize>,
    /// Level of its heading, or of the place where its text stands.
    pub(crate) level: u8,
    pub(crate) form: Form,
    /// Bytes of the text, heading or tag included.
    pub(crate) start: usize,
    pub(crate) end: usize,
    /// Where its heading, or its open tag, ends.
    pub(crate) body: usize,
}

impl Span {
    /// Its title, printed or not.
    pub(crate) fn title(&self) -> String {
        match self.item {
            Some(number) => format!("{} {number}", self.title),
            None => self.title.to_string(),
        }
    }
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
    values: Vec<ValueRange>,
    breaks: Vec<(usize, usize)>,
    /// Whether it is known that no value has to be guarded.
    is_clean: bool,
}

impl<'a> Page<'_, 'a> {
    /// The text is complete. On an error the buffer is as it was. `parent` gives the row around one, `path` its path.
    pub(crate) fn finish(
        &mut self,
        parent: &dyn Fn(RowId) -> Option<RowId>,
        path: &dyn Fn(RowId) -> String,
    ) -> Result<Printed<'a>, PromptError> {
        if self.look.style == super::Style::Xml && self.len() > 0 {
            self.set_pending("");
            self.literal("\n");
        }
        if let Some(fault) = self.fault.take() {
            self.abandon();
            return Err(fault);
        }
        let is_clean = !self.has_open_angles && self.value_angles.is_empty() && !self.has_untrusted;
        let needs_guard = !self.values.is_empty() && (!is_clean || cfg!(debug_assertions));
        if !self.notes.sections && self.breaks.is_empty() && !needs_guard {
            return Ok(Printed::default());
        }
        let mut leftover = Leftover {
            printed: Printed {
                static_prefix: self.prefix.len(self.len()),
                spans: std::mem::take(&mut self.spans),
                frames: std::mem::take(&mut self.frames),
                tags: std::mem::take(&mut self.tags),
                sources: std::mem::take(&mut self.sources),
                is_summarised: self.is_summarised,
            },
            values: std::mem::take(&mut self.values),
            breaks: std::mem::take(&mut self.breaks),
            is_clean,
        };
        let (buffer, start) = (&mut *self.buffer, self.start);
        if self.has_vanished || !leftover.breaks.is_empty() {
            leftover.put_breaks(buffer, start);
            leftover.nest(parent, buffer.len() - start);
        }
        let guarded = leftover.guard(path, buffer, start);
        self.values = leftover.values;
        if let Err(error) = guarded {
            buffer.truncate(start);
            return Err(error);
        }
        let mut printed = leftover.printed;
        printed.static_prefix = printed.static_prefix.min(buffer.len() - start);
        Ok(printed)
    }

    /// What was printed is thrown away.
    pub(crate) fn abandon(&mut self) {
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
        for value in &mut self.values {
            value.range = moved(&value.range);
        }
        for source in &mut printed.sources {
            source.range = moved(&source.range);
        }
        for frame in &mut printed.frames {
            *frame = moved(frame);
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
        let text = &buffer[start..];
        let is_clean = self.is_clean && !cfg!(debug_assertions);
        let values = &self.values;
        if values.is_empty() || is_clean || xml::are_clean(text, values) {
            return Ok(());
        }
        let edits = self.edits(text).map_err(|violation| {
            let offset = violation.offset;
            let around = |span: &&Span| span.start <= offset && offset < span.end;
            let span = self.printed.spans.iter().rfind(around);
            let path = span.map_or_else(String::new, |span| path(span.row));
            PromptError::GuardViolation { path, offset }
        })?;
        debug_assert!(
            !self.is_clean || edits.is_none(),
            "what is known to be clean is not guarded"
        );
        let Some(edits) = edits else { return Ok(()) };
        let guarded = edits.apply(text);
        buffer.truncate(start);
        buffer.push_str(&guarded);
        let printed = &mut self.printed;
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
        for frame in &mut printed.frames {
            *frame = edits.moved(frame.start)..edits.moved(frame.end);
        }
        Ok(())
    }

    /// What guarding changes in the text.
    fn edits(&self, text: &str) -> Result<Option<Edits>, Violation> {
        let printed = &self.printed;
        let written: Vec<&str> = printed.tags.iter().map(|tag| tag.name.as_ref()).collect();
        let finished = Finished {
            text,
            values: &self.values,
            written: &written,
        };
        xml::guard(&finished)
    }
}
