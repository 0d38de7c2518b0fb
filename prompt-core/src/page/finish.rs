//! What a text is once it is printed: guarded, and with the places of what stands in it.

use super::Page;
use crate::document::SectionId;
use crate::errors::PromptError;
use crate::node::Form;
use crate::xml::{self, Finished};
use std::{borrow::Cow, ops::Range};

/// What is known of a text.
#[derive(Clone, Debug, Default)]
pub(crate) struct Printed<'a> {
    /// The position of the first byte whose presence or content depends on a value.
    pub(crate) static_prefix: usize,
    pub(crate) spans: Vec<Span>,
    /// The titles of the sections, one behind the other.
    pub(crate) titles: String,
    /// What `start` and `end` printed.
    pub(crate) frames: Vec<Range<usize>>,
    pub(crate) tags: Vec<WrittenTag<'a>>,
    pub(crate) sources: Vec<Sourced>,
    pub(crate) shorts: Vec<Short>,
    pub(crate) is_summarised: bool,
}

/// Where a section stands in the text.
#[derive(Clone, Debug)]
pub(crate) struct Span {
    pub(crate) section: SectionId,
    /// In the titles.
    pub(crate) title: Range<usize>,
    pub(crate) level: u8,
    pub(crate) form: Form,
    pub(crate) start: usize,
    pub(crate) end: usize,
    /// Behind heading or tag.
    pub(crate) body: usize,
}

/// A part of the text that a value gave.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Sourced {
    pub(crate) range: Range<usize>,
    pub(crate) section: Option<SectionId>,
    pub(crate) name: String,
}

/// A tag that the page wrote.
#[derive(Clone, Debug)]
pub(crate) struct WrittenTag<'a> {
    pub(crate) name: Cow<'a, str>,
    pub(crate) depth: usize,
    pub(crate) section: Option<SectionId>,
}

/// The short form of a section that is shown in full.
#[derive(Clone, Debug)]
pub(crate) struct Short {
    pub(crate) section: SectionId,
    pub(crate) text: String,
    pub(crate) sources: Vec<Sourced>,
}

/// How far the text is the same whatever the values are.
#[derive(Default)]
pub(super) struct Prefix {
    end: Option<usize>,
    /// What was printed last and is there only if something behind it is.
    tentative: Range<usize>,
}

impl Prefix {
    /// What follows depends on a value.
    #[inline]
    pub(super) fn depends(&mut self, at: usize) {
        if self.end.is_none() {
            self.end = Some(self.goes_from(at));
        }
    }

    fn goes_from(&self, at: usize) -> usize {
        if !self.tentative.is_empty() && self.tentative.end == at {
            self.tentative.start
        } else {
            at
        }
    }

    pub(super) fn tentative(&mut self, from: usize, to: usize) {
        let start = self.goes_from(from);
        self.tentative = start..to;
    }

    /// What depends since then changes what stands there.
    pub(super) fn inside(&mut self, at: usize) {
        if self.end.is_some_and(|end| end >= at) {
            self.end = Some(self.goes_from(at));
        }
    }

    pub(super) fn at_most(&mut self, at: usize) {
        self.end = Some(self.end.map_or(at, |end| end.min(at)));
    }
}

impl<'a> Page<'_, 'a> {
    /// The buffer, and what is known of the text in it.
    pub(super) fn finish(mut self) -> (String, Result<Printed<'a>, PromptError>) {
        if let Some(fault) = self.fault.take() {
            return (self.out, Err(fault));
        }
        self.end_prefix();
        if let Err(error) = self.guard() {
            return (self.out, Err(error));
        }
        let mut prefix = self.printed.static_prefix.min(self.out.len() - self.start);
        while !self.out.is_char_boundary(self.start + prefix) {
            prefix -= 1;
        }
        self.printed.static_prefix = prefix;
        (self.out, Ok(self.printed))
    }

    /// A value may change what stands before it: in the tag in which it stands, and on its line.
    fn end_prefix(&mut self) {
        let text = &self.out[self.start..];
        let Some(end) = self.prefix.end else {
            self.printed.static_prefix = text.len();
            return;
        };
        let mut end = end - self.start;
        if let Some(first) = self.values.first() {
            end = end.min(xml::unfinished_tag(text, end));
            if first.policy.untrusted {
                end = text[..end].rfind('\n').map_or(0, |at| at + 1);
            }
        }
        self.printed.static_prefix = end;
    }

    /// Values neither open nor close tags of the document.
    fn guard(&mut self) -> Result<(), PromptError> {
        let text = &self.out[self.start..];
        let has_untrusted = self.values.iter().any(|value| value.policy.untrusted);
        if self.values.is_empty() || (!has_untrusted && !text.contains('<')) {
            return Ok(());
        }
        if xml::are_clean(text, &self.values) {
            return Ok(());
        }
        let written: Vec<&str> = self.printed.tags.iter().map(|tag| &*tag.name).collect();
        let finished = Finished {
            text,
            values: &self.values,
            fences: &[],
            written: &written,
            takes_words: true,
        };
        let edits = xml::guard(&finished).map_err(|violation| {
            let offset = violation.offset;
            let around = |span: &&Span| span.start <= offset && offset < span.end;
            let span = self.printed.spans.iter().rfind(around);
            let path = span.map_or_else(String::new, |span| self.document.path(Some(span.section)));
            PromptError::GuardViolation { path, offset }
        })?;
        let Some(edits) = edits else { return Ok(()) };
        let guarded = edits.apply(text);
        self.out.truncate(self.start);
        self.out.push_str(&guarded);
        let printed = &mut self.printed;
        if let Some(first) = edits.first() {
            printed.static_prefix = printed.static_prefix.min(first);
        }
        for span in &mut printed.spans {
            (span.start, span.end) = (edits.moved(span.start), edits.moved(span.end));
            span.body = edits.moved(span.body);
        }
        let sources = printed.sources.iter_mut().map(|source| &mut source.range);
        for range in sources.chain(&mut printed.frames) {
            *range = edits.moved(range.start)..edits.moved(range.end);
        }
        Ok(())
    }
}
