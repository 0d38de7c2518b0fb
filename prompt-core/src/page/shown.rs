//! What is shown: found from the inside out, before anything is printed.

use super::sheet::{Page, Shown};
use crate::document::{ABSENT, Event, Lists, Piece, Section, SectionId, TagName};
use crate::node::Form;

fn find(page: &Page<'_, '_>, forms: &[Form]) -> Vec<bool> {
    let count = page.document.sections.len();
    let mut finder = Finder {
        page,
        shown: vec![false; count],
    };
    for id in (0..count).rev() {
        finder.shown[id] = finder.prints_something(id, forms[id]);
    }
    finder.shown
}

struct Finder<'f, 'p, 'a> {
    page: &'f Page<'p, 'a>,
    shown: Vec<bool>,
}

impl<'a> Finder<'_, '_, 'a> {
    fn prints_something(&self, at: usize, form: Form) -> bool {
        let section = &self.page.document.sections[at];
        match form {
            Form::Gone => return false,
            Form::Summary if section.summary.is_some() => return true,
            _ if section.is_literal => return true,
            _ => {}
        }
        let body = &self.page.document.lists.events[section.body.usize()];
        let id = u32::try_from(at).unwrap_or(SectionId::MAX);
        if self.prints(body, Some(id)) {
            return true;
        }
        if section.tag_in(self.page.is_xml()).is_some() {
            return section.is_hollow && !section.attributes.is_empty();
        }
        section.is_titled && !section.may_vanish
    }

    fn prints(&self, events: &[Event<'a>], at: Option<SectionId>) -> bool {
        prints(self.page, events, at, &|id| {
            self.shown.get(id as usize).is_some_and(|shown| *shown)
        })
    }
}

/// Whether some events print something.
fn prints<'a>(
    page: &Page<'_, 'a>,
    events: &[Event<'a>],
    at: Option<SectionId>,
    is_shown: &dyn Fn(SectionId) -> bool,
) -> bool {
    events.iter().any(|event| match event {
        Event::Line(_) | Event::Frame { .. } => true,
        Event::Title { rest, .. } => rest.is_none(),
        Event::Slot(slot) => {
            let mut sections = page.document.order[slot.sections.usize()].iter();
            sections.any(|id| *id != ABSENT && is_shown(*id))
        }
        Event::Collected { .. } => {
            let contexts = page.printing.contexts;
            contexts.is_some_and(|contexts| !contexts.own(at).is_empty())
        }
        Event::Asking(operations) => {
            let document = page.document;
            let written = crate::document::Written(&document.written);
            let mut text = Lists::default();
            let is_asked = |place: u32| {
                let id = document.order.get(place as usize).copied();
                id.is_some_and(|id| id != ABSENT && is_shown(id))
            };
            let operations = &document.operations[operations.usize()];
            crate::document::Assembly::put_together(operations, written, &is_asked, &mut text);
            prints(page, &text.events, at, is_shown)
        }
        _ => false,
    })
}

impl<'a> Page<'_, 'a> {
    /// A section stands before what is in it: it is found from the inside out.
    pub(super) fn find_shown(&mut self) {
        let asked = self.printing.asked.map(|asked| find(self, asked));
        self.shown = Shown {
            printed: find(self, self.printing.forms),
            asked: asked.unwrap_or_default(),
        };
    }

    pub(super) fn is_shown(&self, id: SectionId) -> bool {
        self.shown.printed[id as usize]
    }

    /// Whether a section is shown for a condition that asks.
    pub(super) fn is_asked_shown(&self, id: SectionId) -> bool {
        let asked = &self.shown.asked;
        let shown = if asked.is_empty() {
            &self.shown.printed
        } else {
            asked
        };
        shown.get(id as usize).is_some_and(|shown| *shown)
    }

    pub(super) fn prints(&self, events: &[Event<'a>]) -> bool {
        prints(self, events, self.at, &|id| self.is_shown(id))
    }

    /// Whether some events print one line at most.
    pub(super) fn is_one_line(&self, lists: &Lists<'a>, events: &[Event<'a>]) -> bool {
        let mut lines = 0_usize;
        for event in events {
            match event {
                Event::Line(pieces) => {
                    lines += 1;
                    if lines > 1 || !self.is_in_line(&lists.pieces[pieces.usize()]) {
                        return false;
                    }
                }
                Event::Title { .. } | Event::There | Event::Collected { .. } => return false,
                Event::Slot(slot) => {
                    let mut sections = self.document.order[slot.sections.usize()].iter();
                    if sections.any(|id| *id != ABSENT && self.is_shown(*id)) {
                        return false;
                    }
                }
                Event::Asking(operations) => {
                    let text = self.put_together(*operations);
                    if !self.is_one_line(&text, &text.events) {
                        return false;
                    }
                }
                Event::Frame { words, .. } if words.contains('\n') => return false,
                Event::Item { join, .. } if !join.has_break() => lines = lines.saturating_sub(1),
                _ => {}
            }
        }
        true
    }

    fn is_in_line(&self, pieces: &[Piece<'a>]) -> bool {
        pieces.iter().all(|piece| match piece {
            Piece::Words(words) => !words.contains('\n'),
            Piece::Value { text, .. } => !self.document.words(*text).contains('\n'),
            _ => true,
        })
    }
}

impl<'a> Section<'a> {
    /// The tag around it in a style.
    pub(crate) fn tag_in(&self, is_xml: bool) -> Option<&'a str> {
        match self.tag {
            TagName::Written(tag) => Some(tag),
            TagName::Implied(tag) if is_xml => Some(tag),
            _ => None,
        }
    }
}
