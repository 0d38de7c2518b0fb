//! What a walk knows of a tree that was visited before: its rows, and the forms in which they are to be printed.

use super::contexts::Contexts;
use crate::errors::PromptError;
use crate::layout::{Look, RowId, Sourced, Words};
use crate::node::Form;
use crate::print::rows::{Row, Rows};

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
    pub(super) places: &'v [RowId],
    pub(super) titles: &'v [Result<Words, PromptError>],
    pub(super) contexts: &'v Contexts,
    pub(super) playing: Playing<'v>,
}

impl<'k> Again<'_, 'k> {
    /// The row with this index in a row, or in the root.
    pub(super) fn row(&self, parent: Option<RowId>, index: usize) -> Option<RowId> {
        let index = u32::try_from(index).ok()?;
        row_at(self.rows, self.places, parent, index)
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

/// The row at a place, of rows by their places.
pub(super) fn row_at(
    rows: &Rows<'_>,
    places: &[RowId],
    parent: Option<RowId>,
    index: u32,
) -> Option<RowId> {
    let key = |id: &RowId| place_of(rows.row(*id));
    let found = places.binary_search_by_key(&(parent, index), key);
    found.ok().map(|at| places[at])
}

pub(super) fn place_of(row: &Row<'_>) -> (Option<RowId>, u32) {
    (row.parent, row.step.index())
}
