//! What is shown: found from the inside out, before anything is printed.

use super::sheet::{Page, Printing, Shown};
use crate::document::{
    Document, Event, Join, Piece, Range, Section, SectionId, SectionIf, TagName, Written,
};
use crate::node::Form;
use std::borrow::Cow;

/// A section stands before what is in it: it is found from the inside out.
fn find(page: &Page<'_, '_>, printing: Printing<'_>) -> Vec<bool> {
    let mut shown = vec![false; page.document.sections.len()];
    for (id, section) in page.document.iter().rev() {
        let form = printing.form(id, section);
        shown[id as usize] = is_shown(page, (id, section), form, &shown);
    }
    shown
}

/// Whether something is printed of a section, as those inside it are shown.
fn is_shown<'a>(
    page: &Page<'_, 'a>,
    (id, section): (SectionId, &Section<'a>),
    form: Form,
    shown: &[bool],
) -> bool {
    match form {
        Form::Gone => return false,
        Form::Summary if section.summary.is_some() => return true,
        _ if section.is_literal => return true,
        _ => {}
    }
    let body = &page.document.lists.events[section.body.usize()];
    if prints(page, body, Some(id), shown) {
        return true;
    }
    if section.tag_in(page.is_xml()).is_some() {
        return section.is_hollow() && !section.attributes.is_empty();
    }
    section.is_titled && !section.may_vanish()
}

/// Whether the section that something hangs on is there and shown.
fn is_section(document: &Document<'_>, condition: SectionIf, shown: &[bool]) -> bool {
    let id = document.order.get(condition.section as usize);
    id.and_then(|id| shown.get(*id as usize)) == Some(&true)
}

/// What is printed of a list, some of which may hang on sections.
#[inline]
fn visible<'l, T: Copy>(
    document: &Document<'_>,
    list: &'l [T],
    condition: fn(&T) -> Option<SectionIf>,
    shown: &[bool],
) -> Cow<'l, [T]> {
    if document.is_open {
        without_conditions(document, list, condition, shown)
    } else {
        Cow::Borrowed(list)
    }
}

fn without_conditions<'l, T: Copy>(
    document: &Document<'_>,
    list: &'l [T],
    condition: fn(&T) -> Option<SectionIf>,
    shown: &[bool],
) -> Cow<'l, [T]> {
    if list.iter().all(|it| condition(it).is_none()) {
        return Cow::Borrowed(list);
    }
    let (mut taken, mut rest) = (Vec::with_capacity(list.len()), list);
    while let [first, behind @ ..] = rest {
        rest = behind;
        let Some(condition_here) = condition(first) else {
            taken.push(*first);
            continue;
        };
        let is_shown = is_section(document, condition_here, shown);
        let (count, branch) = condition_here.taken(is_shown);
        let inside;
        (inside, rest) = rest.split_at(count.min(rest.len()));
        let inside = inside.get(branch).unwrap_or(inside);
        taken.extend_from_slice(&without_conditions(document, inside, condition, shown));
    }
    Cow::Owned(taken)
}

fn visible_pieces<'l, 'a>(
    document: &Document<'_>,
    pieces: &'l [Piece<'a>],
    shown: &[bool],
) -> Cow<'l, [Piece<'a>]> {
    let condition = |piece: &Piece<'_>| match piece {
        Piece::If(condition) => Some(*condition),
        _ => None,
    };
    visible(document, pieces, condition, shown)
}

fn visible_events<'l, 'a>(
    document: &Document<'_>,
    events: &'l [Event<'a>],
    shown: &[bool],
) -> Cow<'l, [Event<'a>]> {
    let condition = |event: &Event<'_>| match event {
        Event::If(condition) => Some(*condition),
        _ => None,
    };
    visible(document, events, condition, shown)
}

/// Whether one of these sections is shown.
fn is_any(sections: &[SectionId], shown: &[bool]) -> bool {
    let is_shown = |id: &SectionId| shown.get(*id as usize) == Some(&true);
    sections.iter().any(is_shown)
}

/// Whether some events print something.
fn prints<'a>(
    page: &Page<'_, 'a>,
    events: &[Event<'a>],
    at: Option<SectionId>,
    shown: &[bool],
) -> bool {
    let document = page.document;
    let is_printed = |event: &Event<'a>| match event {
        Event::Line(_) | Event::Frame { .. } => true,
        Event::Title { rest, .. } => rest.is_none(),
        Event::Slot(slot) => is_any(&document.order[slot.sections.usize()], shown),
        Event::Collected { .. } => {
            let contexts = page.printing.contexts;
            contexts.is_some_and(|contexts| !contexts.own(at).is_empty())
        }
        Event::Asked { pieces, head } => is_left(document, *pieces, *head, shown),
        _ => false,
    };
    visible_events(document, events, shown)
        .iter()
        .any(is_printed)
}

/// Whether something is left of a line.
fn is_left(document: &Document<'_>, pieces: Range, head: Option<u32>, shown: &[bool]) -> bool {
    let pieces = &document.lists.pieces[pieces.usize()];
    let visible = visible_pieces(document, pieces, shown);
    Written(&document.written).is_line(&visible, head.map(|head| head as usize))
}

impl<'a> Page<'_, 'a> {
    pub(super) fn find_shown(&mut self) {
        let printing = self.printing;
        let asked = printing.asked.map(|asked| {
            let forms = Some(asked);
            find(self, Printing { forms, ..printing })
        });
        self.shown = Shown {
            printed: find(self, printing),
            asked: asked.unwrap_or_default(),
        };
    }

    pub(super) fn is_shown(&self, id: SectionId) -> bool {
        self.shown.printed[id as usize]
    }

    /// Which sections are shown for a condition that asks.
    fn asked(&self) -> &[bool] {
        let Shown { printed, asked } = &self.shown;
        if asked.is_empty() { printed } else { asked }
    }

    /// Whether the section that something hangs on is there and shown.
    pub(super) fn is_section(&self, condition: SectionIf) -> bool {
        is_section(self.document, condition, self.asked())
    }

    /// The pieces of a line that are printed.
    pub(super) fn visible<'l>(&self, pieces: &'l [Piece<'a>]) -> Cow<'l, [Piece<'a>]> {
        visible_pieces(self.document, pieces, self.asked())
    }

    /// Whether something is left of a line.
    pub(super) fn is_line_left(&self, pieces: Range, head: Option<u32>) -> bool {
        is_left(self.document, pieces, head, self.asked())
    }

    /// Whether some events print something, or are blank lines of a branch of nothing else.
    pub(super) fn prints_or_is_there(&self, events: &[Event<'a>]) -> bool {
        let mut all = events.iter();
        self.prints(events) || all.any(|event| matches!(event, Event::There))
    }

    pub(super) fn prints(&self, events: &[Event<'a>]) -> bool {
        prints(self, events, self.at, &self.shown.printed)
    }

    /// Whether some events print one line at most.
    pub(super) fn is_one_line(&self, events: &[Event<'a>]) -> bool {
        let document = self.document;
        let (mut lines, mut has_break) = (0_usize, true);
        visible_events(document, events, self.asked())
            .iter()
            .all(|event| match event {
                Event::Line(pieces) | Event::Asked { pieces, .. } => {
                    lines += 1;
                    let pieces = self.visible(&document.lists.pieces[pieces.usize()]);
                    lines == 1 && self.is_in_line(&pieces)
                }
                Event::Title { .. } | Event::There | Event::Collected { .. } => false,
                Event::Slot(slot) => {
                    let sections = &document.order[slot.sections.usize()];
                    !is_any(sections, &self.shown.printed)
                }
                Event::Frame { words, .. } => !words.contains('\n'),
                Event::List { info, .. } => {
                    has_break = Join::of_texts(info).has_break();
                    true
                }
                Event::Item { .. } => {
                    lines = lines.saturating_sub(usize::from(!has_break));
                    true
                }
                _ => true,
            })
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
