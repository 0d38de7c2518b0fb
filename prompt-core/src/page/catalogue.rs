//! Closed items of a list: a catalogue, one line each, under a sentence of how to open them. Items in full stand behind it.

use super::sheet::{OpenTag, Page};
use crate::document::{ABSENT, Section, SectionId};
use crate::node::{DEEPEST_COLUMN, Form};

/// How far the further lines of a summary stand behind the mark of its line.
const HANG: usize = 2;

impl<'a> Page<'_, 'a> {
    /// Whether an item is a line of a catalogue.
    #[inline]
    pub(super) fn is_catalogued(&self, id: SectionId) -> bool {
        let document = self.document;
        !self.is_full(id) && document.is_cataloguable(document.section(id))
    }

    /// The closed items of a list, and how many a budget left out. Gives whether anything was printed.
    pub(super) fn catalogue(&mut self, order: &[SectionId], level: i32) -> bool {
        let document = self.document;
        let items = order.iter().copied().filter(|id| *id != ABSENT);
        let is_closed = |id: &SectionId| self.is_shown(*id) && self.is_catalogued(*id);
        let closed: Vec<SectionId> = items.clone().filter(is_closed).collect();
        let left = items.filter(|id| self.is_left_out(*id)).count();
        let begin = self.len();
        if !closed.is_empty() {
            self.line_break();
            self.indent_line();
            let wording = &self.printing.format.wording;
            self.push(&wording.items);
            self.apart();
        }
        for id in &closed {
            self.gap_from = self.len();
            self.line_break();
            self.catalogue_item(*id, document.section(*id), level);
        }
        if let (true, Some(list)) = (left > 0, self.at) {
            if !closed.is_empty() {
                self.apart();
            }
            self.line_break();
            self.indent_line();
            self.printed.is_summarised = true;
            self.printed.has_left_out = true;
            let wording = &self.printing.format.wording;
            let words = wording.more_items(left, &document.path(Some(list)));
            self.push(&words);
        }
        let is_printed = self.len() > begin;
        if is_printed {
            self.apart();
        }
        is_printed
    }

    /// What follows is another block.
    fn apart(&mut self) {
        let is_inside = self.is_xml() && self.depth > 0;
        self.space.set(u32::from(!is_inside));
        self.space.is_started = true;
    }

    /// Whether a budget took an item that a catalogue would name.
    fn is_left_out(&self, id: SectionId) -> bool {
        let meant = self.printing.meant.filter(|_| self.printing.with_left_out);
        let is_meant = meant.is_some_and(|meant| meant[id as usize] != Form::Gone);
        let section = self.document.section(id);
        is_meant && self.form(id) == Form::Gone && self.document.is_cataloguable(section)
    }

    /// A line with the key of an item, as a call names it, and its summary.
    pub(super) fn catalogue_item(&mut self, id: SectionId, section: &Section<'a>, level: i32) {
        let outer = self.at.replace(id);
        let span = self.begin_span(id, level);
        self.space.begin("");
        self.printed.is_summarised = true;
        let summary = section.summary.unwrap_or_default();
        let named = section.tag_in(self.is_xml());
        let tag = named.or(self.is_xml().then_some("item"));
        if let Some(tag) = tag {
            let open = self.key_tag(id, tag);
            self.end_heading(span);
            self.text(summary, level);
            self.close_tag(&open);
        } else {
            self.indent_line();
            self.out.push_str("- ");
            self.own_path();
            if self.prints(&self.document.lists.events[summary.usize()]) {
                self.out.push_str(": ");
            }
            self.end_heading(span);
            let columns = self.indent;
            self.indent = (columns + HANG).min(DEEPEST_COLUMN);
            self.text(summary, level);
            self.indent = columns;
        }
        self.space.go_on();
        self.at = outer;
        self.end_span(span);
    }

    /// The tag around a closed item: its key says all that is to be known of it.
    fn key_tag(&mut self, id: SectionId, tag: &'a str) -> OpenTag<'a> {
        let document = self.document;
        let summary = document.section(id).summary.unwrap_or_default();
        let fits = self.is_one_line(&document.lists.events[summary.usize()]);
        self.begin_tag(tag.into());
        self.attribute("key", &document.path(Some(id)), false);
        self.open_tag(tag.into(), self.gap_from, fits, false, None)
    }
}
