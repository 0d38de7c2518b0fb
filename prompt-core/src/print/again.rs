//! What a walk knows of a tree that was visited before: its rows, and the forms in which they are to be printed.

use super::contexts::{Contexts, place};
use crate::errors::PromptError;
use crate::layout::{Look, RowId, Sourced, Words};
use crate::node::Form;
use crate::print::rows::Rows;

/// How a tree is printed.
#[derive(Clone, Copy)]
pub(crate) struct Playing<'p> {
    pub(crate) look: &'p Look,
    /// The form of each row.
    pub(crate) forms: &'p [Form],
    /// The forms by which texts are told whether a section prints something.
    pub(crate) asked: &'p [Form],
    /// Whether values decided what is shown: a budget did.
    pub(crate) is_reduced: bool,
    /// Whether the short forms are wanted of sections that are shown in full.
    pub(crate) with_summaries: bool,
    pub(crate) with_sources: bool,
}

impl<'p> Playing<'p> {
    pub(crate) fn new(look: &'p Look, forms: &'p [Form]) -> Self {
        Self {
            look,
            forms,
            asked: forms,
            is_reduced: false,
            with_summaries: false,
            with_sources: false,
        }
    }
}

/// A short form in the place of a section that is shown in full; nothing in it is guarded.
pub(crate) struct Short {
    pub(crate) row: RowId,
    pub(crate) text: String,
    pub(crate) sources: Vec<Sourced>,
}

/// What a walk knows of a tree that was visited before.
#[derive(Clone)]
pub(super) struct Again<'v, 'k> {
    pub(super) rows: &'v Rows<'k>,
    pub(super) places: &'v Places,
    pub(super) titles: &'v [Result<Words, PromptError>],
    pub(super) contexts: &'v Contexts,
    pub(super) playing: Playing<'v>,
}

impl<'k> Again<'_, 'k> {
    /// The row with this index in a row, or in the root.
    pub(super) fn row(&self, parent: Option<RowId>, index: usize) -> Option<RowId> {
        self.places.row(parent, index)
    }

    pub(super) fn form(&self, row: RowId) -> Form {
        self.playing.forms[row as usize]
    }

    /// Whether a section of the node at a row prints something.
    pub(super) fn is_shown(&self, node: Option<RowId>, index: usize) -> bool {
        self.row(node, index).is_some_and(|row| {
            self.playing.asked[row as usize] != Form::Gone || self.rows.row(row).leads_to_focus
        })
    }

    /// The keys of the sections directly below a row that are not hidden.
    pub(super) fn keys(&self, row: Option<RowId>) -> Vec<(usize, &'k str)> {
        let shown = self
            .rows
            .children(row)
            .filter(|(_, row)| row.form != Form::Gone);
        shown
            .map(|(_, row)| (row.step.index() as usize, row.info.key.as_ref()))
            .collect()
    }
}

/// The rows of each row, and of the root, by their numbers in it: what is declared and not there has none.
pub(super) struct Places {
    /// Where those of the root, and of each row, begin among all.
    starts: Vec<usize>,
    rows: Vec<Option<RowId>>,
}

impl Places {
    pub(super) fn of(rows: &Rows<'_>) -> Self {
        let mut starts = vec![0; rows.len() as usize + 2];
        for (_, row) in rows.iter() {
            let end = &mut starts[place(row.parent) + 1];
            *end = row.step.index() as usize + 1;
        }
        for at in 1..starts.len() {
            starts[at] += starts[at - 1];
        }
        let count = starts.last().copied().unwrap_or_default();
        let mut places = vec![None; count];
        for (id, row) in rows.iter() {
            places[starts[place(row.parent)] + row.step.index() as usize] = Some(id);
        }
        Self {
            starts,
            rows: places,
        }
    }

    /// The row with this number in a row, or in the root.
    pub(super) fn row(&self, parent: Option<RowId>, index: usize) -> Option<RowId> {
        let at = place(parent);
        let rows = &self.rows[self.starts[at]..self.starts[at + 1]];
        rows.get(index).copied().flatten()
    }
}
