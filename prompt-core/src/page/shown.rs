//! What is shown: found from the inside out, before anything is printed.

use super::sheet::{Page, Shown};
use crate::document::{
    ABSENT, Document, Event, Piece, Section, SectionId, SectionIf, TagName, Written,
};
use crate::node::Form;
use std::borrow::Cow;

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

/// Whether the section that something hangs on is there and shown.
fn is_section(
    document: &Document<'_>,
    condition: SectionIf,
    is_shown: &dyn Fn(SectionId) -> bool,
) -> bool {
    let id = document.order.get(condition.section as usize).copied();
    id.is_some_and(|id| id != ABSENT && is_shown(id))
}

/// The pieces of a line that are printed.
fn visible<'l, 'a>(
    document: &Document<'_>,
    pieces: &'l [Piece<'a>],
    is_shown: &dyn Fn(SectionId) -> bool,
) -> Cow<'l, [Piece<'a>]> {
    let is_condition = |piece: &Piece<'a>| matches!(piece, Piece::If(_));
    if !document.is_open || !pieces.iter().any(is_condition) {
        return Cow::Borrowed(pieces);
    }
    let (mut shown, mut rest) = (Vec::with_capacity(pieces.len()), pieces);
    while let [piece, behind @ ..] = rest {
        rest = behind;
        let Piece::If(condition) = *piece else {
            shown.push(*piece);
            continue;
        };
        let (count, taken) = condition.taken(is_section(document, condition, is_shown));
        let inside;
        (inside, rest) = rest.split_at(count.min(rest.len()));
        let inside = inside.get(taken).unwrap_or(inside);
        shown.extend_from_slice(&visible(document, inside, is_shown));
    }
    Cow::Owned(shown)
}

/// Whether some events print something.
fn prints<'a>(
    page: &Page<'_, 'a>,
    events: &[Event<'a>],
    at: Option<SectionId>,
    is_shown: &dyn Fn(SectionId) -> bool,
) -> bool {
    let document = page.document;
    let mut rest = events;
    while let [event, behind @ ..] = rest {
        rest = behind;
        let is_printed = match event {
            Event::Line(_) | Event::Frame { .. } => true,
            Event::Title { rest, .. } => rest.is_none(),
            Event::Slot(slot) => {
                let mut sections = document.order[slot.sections.usize()].iter();
                sections.any(|id| *id != ABSENT && is_shown(*id))
            }
            Event::Collected { .. } => {
                let contexts = page.printing.contexts;
                contexts.is_some_and(|contexts| !contexts.own(at).is_empty())
            }
            Event::Asked { pieces, head } => {
                let pieces = &document.lists.pieces[pieces.usize()];
                let visible = visible(document, pieces, is_shown);
                Written(&document.written).is_line(&visible, head.map(|head| head as usize))
            }
            Event::If(condition) => {
                let (count, taken) = condition.taken(is_section(document, *condition, is_shown));
                let inside;
                (inside, rest) = rest.split_at(count.min(rest.len()));
                prints(page, inside.get(taken).unwrap_or(inside), at, is_shown)
            }
            _ => false,
        };
        if is_printed {
            return true;
        }
    }
    false
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

    /// Whether the section that something hangs on is there and shown.
    pub(super) fn is_section(&self, condition: SectionIf) -> bool {
        is_section(self.document, condition, &|id| self.is_asked_shown(id))
    }

    /// The pieces of a line that are printed.
    pub(super) fn visible<'l>(&self, pieces: &'l [Piece<'a>]) -> Cow<'l, [Piece<'a>]> {
        visible(self.document, pieces, &|id| self.is_asked_shown(id))
    }

    /// Whether something is left of a line.
    pub(super) fn is_line_left(&self, pieces: &[Piece<'a>], head: Option<u32>) -> bool {
        let visible = self.visible(pieces);
        Written(&self.document.written).is_line(&visible, head.map(|head| head as usize))
    }

    /// Whether some events print something, or are blank lines of a branch of nothing else.
    pub(super) fn prints_or_is_there(&self, events: &[Event<'a>]) -> bool {
        let mut all = events.iter();
        self.prints(events) || all.any(|event| matches!(event, Event::There))
    }

    pub(super) fn prints(&self, events: &[Event<'a>]) -> bool {
        prints(self, events, self.at, &|id| self.is_shown(id))
    }

    /// Whether some events print one line at most.
    pub(super) fn is_one_line(&self, events: &[Event<'a>]) -> bool {
        self.has_no_more(events, &mut 0)
    }

    /// Whether these and the lines before them are one line at most.
    fn has_no_more(&self, events: &[Event<'a>], lines: &mut usize) -> bool {
        let document = self.document;
        let mut rest = events;
        while let [event, behind @ ..] = rest {
            rest = behind;
            match event {
                Event::Line(pieces) | Event::Asked { pieces, .. } => {
                    *lines += 1;
                    let pieces = self.visible(&document.lists.pieces[pieces.usize()]);
                    if *lines > 1 || !self.is_in_line(&pieces) {
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
                Event::If(condition) => {
                    let (count, taken) = condition.taken(self.is_section(*condition));
                    let inside;
                    (inside, rest) = rest.split_at(count.min(rest.len()));
                    if !self.has_no_more(inside.get(taken).unwrap_or(inside), lines) {
                        return false;
                    }
                }
                Event::Frame { words, .. } if words.contains('\n') => return false,
                Event::Item { join, .. } if !join.has_break() => *lines = lines.saturating_sub(1),
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
