//! What a text is once it is printed: guarded, and with the places of what stands in it.

use super::{
    format::Style,
    printed::{Printed, Span},
    sheet::Page,
};
use crate::errors::PromptError;
use crate::xml::{self, Finished};

impl<'a> Page<'_, 'a> {
    /// The buffer, and what is known of the text in it.
    pub(super) fn finish(mut self) -> (String, Result<Printed<'a>, PromptError>) {
        if let Some(fault) = self.fault.take() {
            return (self.out, Err(fault));
        }
        self.printed.sort_sources();
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
        // Lines of white space at the end of a text go where nothing comes behind them.
        let words = text[..end].trim_end().len();
        if let Some(at) = text[words..end].find('\n') {
            end = words + at;
        }
        if let Some((start, is_untrusted)) = self.first_value {
            end = end.min(xml::unfinished_tag(text, end));
            if is_untrusted {
                let line = text[..start].rfind('\n');
                end = end.min(line.map_or(0, |at| at + 1));
            }
        }
        self.printed.static_prefix = end;
    }

    /// Values neither open nor close tags of the document.
    fn guard(&mut self) -> Result<(), PromptError> {
        let text = &self.out[self.start..];
        if self.violation.is_none() && self.values.is_empty() {
            return Ok(());
        }
        let is_xml = self.printing.format.style == Style::Xml;
        let names = |asked: &_| self.document.tags(is_xml, Some(asked));
        let finished = Finished {
            text,
            values: &self.values,
            violation: self.violation,
        };
        let edits = xml::guard(&finished, names).map_err(|violation| {
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
        let frames = printed.frames.iter_mut().map(|frame| &mut frame.range);
        for range in sources.chain(frames) {
            *range = edits.moved(range.start)..edits.moved(range.end);
        }
        Ok(())
    }
}
