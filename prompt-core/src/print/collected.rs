//! Texts that were collected, on the page: the titles that lead to them, and they themselves.

use super::{
    again::Again,
    contexts::{Collection, Owner, place},
    frame::Frame,
    place::Context,
    walk::Walk,
};
use crate::layout::{Between, OpenTag, RowId, Style, Treatment, Words};
use crate::node::Guarding;
use std::borrow::Cow;

/// The slot in which something is printed that was collected.
struct Slot<'a> {
    level: i32,
    context: Context<'a>,
    row: Owner,
}

impl<'a> Walk<'_, '_, 'a> {
    /// What was collected below a node.
    pub(super) fn collected(&mut self, frame: &Frame<'_, 'a>, level: i32) {
        if self.hidden > 0 {
            return;
        }
        self.page.depends();
        let Some(again) = &self.again else {
            return;
        };
        let again = again.clone();
        let slot = Slot {
            level,
            context: frame.context,
            row: frame.row(),
        };
        if let Some(collections) = again.contexts.by_owner.get(place(slot.row)) {
            self.collections(collections, &slot, &again);
        }
    }

    /// Prints the titles between a node and each collected section, every title once, then the text, in the style of the
    /// page.
    fn collections(&mut self, collections: &[Collection], slot: &Slot<'a>, again: &Again<'_, 'a>) {
        let is_xml = self.page.style() == Style::Xml;
        let from = self.page.len();
        let mut shown: &[RowId] = &[];
        let mut tags: Vec<OpenTag<'a>> = Vec::new();
        for collection in collections {
            let shared = shown.iter().zip(&collection.titles);
            let shared = shared.take_while(|(a, b)| a == b).count();
            while tags.len() > shared {
                if let Some(tag) = tags.pop() {
                    self.page.end_tag(&tag);
                }
            }
            for (depth, id) in collection.titles.iter().enumerate().skip(shared) {
                let is_inside = is_xml && slot.context.depth + depth > 0;
                let between = if is_inside { "\n" } else { "\n\n" };
                self.page.next(from, Between::Words(between));
                if is_xml {
                    tags.push(self.collected_tag(*id, depth, slot, again));
                } else {
                    self.collected_title(*id, depth, slot, again);
                }
            }
            if !is_xml {
                self.page.next(from, Between::Words("\n\n"));
            }
            self.collected_text(collection, slot, again);
            shown = &collection.titles;
        }
        for tag in tags.iter().rev() {
            self.page.end_tag(tag);
        }
    }

    /// The tag of a section around a collected text.
    fn collected_tag(
        &mut self,
        id: RowId,
        depth: usize,
        slot: &Slot<'a>,
        again: &Again<'_, 'a>,
    ) -> OpenTag<'a> {
        let key = Cow::Owned(again.rows.row(id).key.to_string());
        let page = &mut self.page;
        page.depends();
        let mut tag = page.new_tag(key);
        let (depth, indent) = (slot.context.depth + depth, slot.context.indent);
        page.open_tag(&mut tag, depth, indent, slot.row);
        page.end_of_open_tag(&mut tag);
        tag
    }

    /// The heading of a section around a collected text, so many levels below the slot.
    fn collected_title(&mut self, id: RowId, depth: usize, slot: &Slot<'a>, again: &Again<'_, 'a>) {
        let title = match &again.titles[id as usize] {
            Ok(title) => title.text.to_string(),
            Err(_) => Words::fixed(again.rows.row(id).key.to_string())
                .text
                .into_owned(),
        };
        let depth = i32::try_from(depth).unwrap_or(i32::MAX);
        let treatment = Treatment {
            block: false,
            ..slot.context.treatment()
        };
        self.page.hashes(slot.level.saturating_add(depth));
        let title = Words::value(title);
        self.page.title_words(&title, &treatment, slot.row);
    }

    /// A collected text, below its titles.
    fn collected_text(&mut self, collection: &Collection, slot: &Slot<'a>, again: &Again<'_, 'a>) {
        let depth = i32::try_from(collection.titles.len()).unwrap_or(i32::MAX);
        // The keys of the section that it was collected for hold for it too.
        let is_untrusted = |id: &RowId| again.rows.row(*id).info.markup.untrusted;
        let treatment = slot.context.treatment();
        let treatment = Treatment {
            untrusted: treatment.untrusted || collection.titles.iter().any(is_untrusted),
            ..treatment
        };
        let aligns = collection.is_value
            && self.page.style() == Style::Markdown
            && !treatment.untrusted
            && matches!(treatment.guarding, Guarding::Default | Guarding::Strict);
        let text = if aligns {
            crate::node::aligned(&collection.text, slot.level.saturating_add(depth))
        } else {
            collection.text.clone()
        };
        let whole = 0..text.len();
        let values = if collection.is_value {
            std::slice::from_ref(&whole)
        } else {
            &[]
        };
        self.page.pieces(&treatment, &text, values);
    }
}
