//! What is remembered of the sections of a prompt once its document is gone: by this calls of the model are judged.

use super::forms::View;
use crate::document::{Document, SectionId, all_paths, is_in_focus, path_of};
use crate::node::{Form, Location, Policy};
use std::ops::Range;

/// The sections of a prompt, in the order of their declaration.
#[derive(Clone, Debug, Default)]
pub(crate) struct Table {
    pub(crate) rows: Vec<Row>,
    keys: String,
}

/// A section as it stands in a prompt.
#[derive(Clone, Debug)]
pub(crate) struct Row {
    pub(crate) parent: Option<SectionId>,
    /// One past the last section inside it.
    pub(crate) end: SectionId,
    key: Range<usize>,
    pub(crate) form: Form,
    pub(crate) is_openable: bool,
    pub(crate) is_in_focus: bool,
    /// Whether a budget shows less of it than was asked for.
    pub(crate) is_cut: bool,
    /// Whether it was appended to the conversation.
    pub(crate) is_delivered: bool,
    pub(crate) policy: Policy,
    pub(crate) location: Option<Location>,
}

impl Table {
    /// The sections in the forms in which they are shown, and in which they were meant to be.
    pub(crate) fn of(
        document: &Document<'_>,
        view: &View<'_>,
        forms: &[Form],
        meant: &[Form],
    ) -> Self {
        let count = document.sections.len();
        let paths = view.focus.as_ref().map(|_| document.paths());
        let mut table = Self {
            rows: Vec::with_capacity(count),
            keys: String::with_capacity(count * 8),
        };
        for (at, section) in document.sections.iter().enumerate() {
            let focus = view.focus.as_deref();
            let is_in_focus = paths
                .as_ref()
                .is_none_or(|paths| is_in_focus(&paths[at], focus));
            let start = table.keys.len();
            table.keys.push_str(&section.key);
            table.rows.push(Row {
                parent: section.parent,
                end: section.end,
                key: start..table.keys.len(),
                form: forms[at],
                is_openable: is_in_focus && section.is_openable(),
                is_in_focus,
                is_cut: forms[at] != meant[at],
                is_delivered: false,
                policy: section.policy(),
                location: section.info.location.map(Into::into),
            });
        }
        table
    }

    pub(crate) fn row(&self, id: SectionId) -> &Row {
        &self.rows[id as usize]
    }

    pub(crate) fn keys(&self) -> impl Iterator<Item = (Option<SectionId>, &str)> {
        self.rows.iter().map(|row| self.key(row))
    }

    fn key(&self, row: &Row) -> (Option<SectionId>, &str) {
        (row.parent, &self.keys[row.key.clone()])
    }

    pub(crate) fn path(&self, id: SectionId) -> String {
        path_of(id, |id| self.key(self.row(id)))
    }

    pub(crate) fn paths(&self) -> Vec<String> {
        all_paths(self.keys())
    }

    pub(crate) fn is_below(&self, inner: SectionId, outer: SectionId) -> bool {
        outer < inner && inner < self.row(outer).end
    }
}
