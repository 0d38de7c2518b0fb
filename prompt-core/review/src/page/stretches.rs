//! The text of the prompt in stretches, from its beginning to its end, each shown once.

use crate::html::{Text, block, mark, name};
use maud::{Markup, html};
use prompt_core::prompt::{Preview, PreviewValue};
use std::ops::Range;

/// How far the text has been shown. Values are sorted, so one cursor finds them all.
pub(super) struct Stretches<'p> {
    preview: &'p Preview,
    /// Bytes of the text that are shown so far.
    at: usize,
    /// The next value to be marked.
    value: usize,
    /// The section in which each value stands.
    value_rows: Vec<Option<usize>>,
    /// Whether the end of the static prefix has been shown.
    edge_is_shown: bool,
}

impl<'p> Stretches<'p> {
    pub(super) fn of(preview: &'p Preview) -> Self {
        Self {
            preview,
            at: 0,
            value: 0,
            value_rows: vec![None; preview.values.len()],
            edge_is_shown: false,
        }
    }

    /// The section in which each value was shown.
    pub(super) fn value_rows(&self) -> &[Option<usize>] {
        &self.value_rows
    }

    /// The text up to there, without the line breaks at its ends. It belongs to `owner`, or to the root.
    pub(super) fn up_to(&mut self, end: usize, owner: Option<usize>) -> Markup {
        let (from, to) = (self.at, end.min(self.preview.text.len()));
        self.at = from.max(to);
        let text = self.preview.text.get(from..to).unwrap_or_default();
        let start = from + text.len() - text.trim_start_matches('\n').len();
        let end = start + text.trim_matches('\n').len();
        let mut at = start;
        html! {
            @if start < end {
                (block(html! {
                    @while at < end {
                        (self.edge(at))
                        ({
                            let (piece, value) = self.piece(at, end);
                            at = piece.end;
                            self.show(piece, value, owner)
                        })
                    }
                }))
            }
        }
    }

    /// Where the static prefix ends.
    fn edge(&mut self, at: usize) -> Markup {
        let is_here = at >= self.preview.static_prefix && !self.edge_is_shown;
        self.edge_is_shown |= is_here;
        html! { @if is_here { span.edge { "◂ static up to here" } } }
    }

    /// The next piece before `end`: it is one value's or no value's, and does not reach over the end of the static prefix.
    fn piece(&mut self, at: usize, end: usize) -> (Range<usize>, Option<&'p PreviewValue>) {
        let values = &self.preview.values;
        let is_over = |next: usize| values.get(next).is_some_and(|it| it.range.end <= at);
        while is_over(self.value) {
            self.value += 1;
        }
        let value = values.get(self.value);
        let inside = value.filter(|value| value.range.start <= at);
        let stops = [
            value.map(|value| value.range.start),
            inside.map(|value| value.range.end),
            Some(self.preview.static_prefix),
        ];
        let stops = stops.into_iter().flatten().filter(|stop| *stop > at);
        (at..stops.fold(end, usize::min), inside)
    }

    fn show(
        &mut self,
        piece: Range<usize>,
        value: Option<&PreviewValue>,
        owner: Option<usize>,
    ) -> Markup {
        let text = &self.preview.text[piece];
        let Some(value) = value else {
            return html! { (Text(text)) };
        };
        self.value_rows[self.value] = owner;
        mark(Some(name(value)), text)
    }
}
