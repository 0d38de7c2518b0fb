//! What is remembered of the sections of a prompt once its document is gone: by this calls of the model are judged.

use super::forms::View;
use crate::document::{Document, SectionId, all_paths, is_in_focus, path_of};
use crate::messages::tool::ToolSpec;
use crate::node::{Form, Location, Policy};
use crate::page::{ToolKeys, Wording};
use std::ops::Range;

/// At most so many keys stand in a schema, which is sent with every request.
const MOST_LISTED: usize = 32;

/// The sections of a prompt, in the order of their declaration.
#[derive(Clone, Debug, Default)]
pub(crate) struct Table {
    pub(crate) rows: Vec<Row>,
    keys: String,
    /// At most so many tokens of keys are named in an answer.
    pub(crate) most_listed: usize,
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
    /// Whether the text shows its key for sure where it is closed, or of a list whose items are opened one by one that of
    /// its items. Nothing, where the wording says it.
    is_named: Option<bool>,
    /// Whether it is a line of its list where it is closed.
    pub(crate) is_cataloguable: bool,
    /// Whether its items are such lines.
    pub(crate) is_catalogue: bool,
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
            most_listed: view.bound.map_or(usize::MAX, |bound| bound.most_listed),
        };
        for (at, section) in document.sections.iter().enumerate() {
            let focus = view.focus.as_deref();
            let is_in_focus = paths
                .as_ref()
                .is_none_or(|paths| is_in_focus(&paths[at], focus));
            let is_cataloguable = document.is_cataloguable(section);
            let start = table.keys.len();
            table.keys.push_str(&section.key);
            table.rows.push(Row {
                parent: section.parent,
                end: section.end,
                key: start..table.keys.len(),
                form: forms[at],
                is_openable: is_in_focus && section.is_openable(),
                is_named: if view.may_drop(section) {
                    Some(false)
                } else {
                    let suffix = document.shared(section).suffix;
                    suffix.map(|suffix| document.names_key(suffix))
                },
                is_cataloguable,
                is_catalogue: false,
                is_in_focus,
                is_cut: forms[at] != meant[at],
                is_delivered: false,
                policy: section.policy(),
                location: section.info.location.map(Into::into),
            });
            if let Some(list) = section.parent.filter(|_| is_cataloguable) {
                table.rows[list as usize].is_catalogue |= is_in_focus;
            }
        }
        table
    }

    /// The keys that the schema of `open_sections` names: those that the text may not show, if they are few. In the order of
    /// the tree, and the same whatever is open.
    pub(crate) fn tool_keys(&self, wording: &Wording) -> ToolKeys {
        let names_key = wording.names_key();
        let rows = || (0..).zip(&self.rows);
        let more = rows().filter(|(_, row)| {
            let is_single = row.is_openable && !row.is_cataloguable;
            (is_single || row.is_catalogue) && !row.is_named.unwrap_or(names_key)
        });
        let more: Vec<SectionId> = more.map(|(id, _)| id).collect();
        if more.is_empty() || more.len() > MOST_LISTED {
            return ToolKeys::Shown;
        }
        let paths = |ids: Vec<SectionId>| ids.into_iter().map(|id| self.path(id)).collect();
        let all = rows().filter(|(_, row)| row.is_openable);
        let all: Vec<SectionId> = all.map(|(id, _)| id).collect();
        if all.len() > MOST_LISTED || self.rows.iter().any(|row| row.is_catalogue) {
            ToolKeys::More(paths(more))
        } else {
            ToolKeys::All(paths(all))
        }
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

/// The tool with which the model asks for sections, if there are any.
pub(crate) fn open_tool(document: &Document<'_>, view: &View<'_>) -> Option<ToolSpec> {
    let forms = document.forms();
    let table = Table::of(document, view, &forms, &forms);
    let is_there = table.rows.iter().any(|row| row.is_openable);
    let wording = &view.format.wording;
    is_there.then(|| wording.open_sections(table.tool_keys(wording)))
}
