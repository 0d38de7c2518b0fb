//! The sections of a rendered prompt. What was printed in one go left little more than places: the table is made of them
//! when somebody asks for it.

use crate::node::{Seen, Title};
use crate::print::{Span, Words};
use crate::show::{Form, Standing};
use std::{borrow::Cow, sync::OnceLock};

/// The owned half of the outline, and where its sections were printed.
#[derive(Clone, Debug)]
pub(crate) struct Table {
    seen: Vec<Seen>,
    known: OnceLock<Known>,
}

#[derive(Clone, Debug)]
struct Known {
    rows: Vec<Standing>,
    spans: Vec<Span>,
}

impl Table {
    pub(crate) fn new(rows: Vec<Standing>, spans: Vec<Span>) -> Self {
        Self {
            seen: Vec::new(),
            known: Known { rows, spans }.into(),
        }
    }

    /// The table of sections that are all shown in full.
    pub(crate) fn of_seen(seen: Vec<Seen>) -> Self {
        Self {
            seen,
            known: OnceLock::new(),
        }
    }

    /// All sections of the tree, shown or not.
    pub(crate) fn rows(&self) -> &[Standing] {
        &self.known().rows
    }

    pub(crate) fn rows_mut(&mut self) -> &mut [Standing] {
        self.known();
        self.known
            .get_mut()
            .map_or(&mut [], |known| &mut known.rows)
    }

    /// Where they were printed, in the order of the text.
    pub(crate) fn spans(&self) -> &[Span] {
        &self.known().spans
    }

    fn known(&self) -> &Known {
        self.known.get_or_init(|| Known {
            rows: self.seen.iter().map(standing).collect(),
            spans: (0..)
                .zip(&self.seen)
                .map(|(row, seen)| span(row, seen))
                .collect(),
        })
    }
}

fn standing(seen: &Seen) -> Standing {
    let info = seen.info;
    Standing {
        parent: (seen.parent != u32::MAX).then_some(seen.parent),
        end: seen.after,
        key: info.key.clone(),
        form: Form::Full,
        is_openable: info.summary.is_some() || seen.own.has_summary,
        is_in_focus: true,
        is_cut: false,
        is_delivered: false,
        policy: info.policy,
        location: info.location,
    }
}

fn span(row: u32, seen: &Seen) -> Span {
    let title = match (&seen.info.title, seen.own.title) {
        (Title::Explicit(title), _) => title.literal.clone(),
        (_, Some(title)) => Cow::Borrowed(title),
        (Title::Untitled(title) | Title::Fallback(title), None) => title.clone(),
    };
    Span {
        row,
        title: Words::fixed(title),
        level: seen.level,
        form: Form::Full,
        start: seen.start,
        end: seen.end,
        body: seen.body,
    }
}
