//! The own texts of sections: the printed text without what is inside them.

use super::printed::Span;
use crate::document::SectionId;
use std::{borrow::Cow, ops::Range};

/// The own text of each section, by the order of the spans, and that of the root.
pub(crate) fn fragments<'t>(
    spans: &[Span],
    is_below: impl Fn(SectionId, SectionId) -> bool,
    text: &'t str,
) -> (Vec<Cow<'t, str>>, Cow<'t, str>) {
    let (mut fragments, mut base) = (vec![Cow::Borrowed(""); spans.len()], Cow::Borrowed(""));
    for (owner, range) in pieces(spans, is_below, text) {
        // Mostly there is but one piece, which need not be copied.
        *owner.map_or(&mut base, |owner| &mut fragments[owner]) += &text[range];
    }
    (fragments, base)
}

/// The text in pieces, each with the span of its section. What stands before a section is its own.
pub(crate) fn pieces(
    spans: &[Span],
    is_below: impl Fn(SectionId, SectionId) -> bool,
    text: &str,
) -> Vec<(Option<usize>, Range<usize>)> {
    let mut pieces = Vec::with_capacity(spans.len() + 1);
    let mut at = 0;
    let mut open: Vec<usize> = Vec::new();
    let mut take = |owner: Option<usize>, to: usize| {
        if at < to {
            pieces.push((owner, at..to));
            at = to;
        }
    };
    for (index, span) in spans.iter().enumerate() {
        while let Some(last) = open.last() {
            let outer = &spans[*last];
            if is_below(span.section, outer.section) {
                break;
            }
            take(Some(*last), outer.end);
            open.pop();
        }
        if span.end > span.start {
            let before = text[..span.start].trim_end().len();
            let floor = open.last().map_or(0, |outer| spans[*outer].body);
            take(open.last().copied(), before.max(floor));
        } else {
            take(open.last().copied(), span.start);
        }
        open.push(index);
    }
    while let Some(index) = open.pop() {
        take(Some(index), spans[index].end);
    }
    take(None, text.len());
    pieces
}
