//! The sections of a rendered prompt. What was printed in one go left little more than places: the table is made of them
//! when somebody asks for it.

use crate::node::{SectionInfo, Seen, SeenSection, Title};
use crate::print::{Span, Words};
use crate::show::{Form, Standing};
use std::{borrow::Cow, fmt, sync::OnceLock};

/// The owned half of the outline, and where its sections were printed.
#[derive(Clone)]
pub(crate) struct Table {
    seen: Seen,
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
            seen: Seen::default(),
            known: Known { rows, spans }.into(),
        }
    }

    /// The table of sections that are all shown in full.
    pub(crate) fn of_seen(seen: Seen) -> Self {
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
        self.known.get_or_init(|| {
            let seen = self.seen.rows.iter();
            let seen = seen.map(|section| (section, self.seen.info(section)));
            Known {
                rows: seen.clone().map(standing).collect(),
                spans: (0..).zip(seen).map(span).collect(),
            }
        })
    }
}

impl fmt::Debug for Table {
    /// The same whether somebody has asked for it or not.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.known().fmt(f)
    }
}

fn standing((seen, info): (&SeenSection, &SectionInfo)) -> Standing {
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

fn span((row, (seen, info)): (u32, (&SeenSection, &SectionInfo))) -> Span {
    let title = match (&info.title, seen.own.title) {
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
