//! What has been collected: which node prints it, under which titles.

use super::view::{View, is_in_focus};
use crate::errors::PromptError;
use crate::layout::RowId;
use crate::node::{Collected, ContextForm};
use crate::node::{NodeInfo, has_slot};
use crate::print::rows::{Rows, path::nearest};
use prompt_syntax::Target;

/// One collected text.
pub(super) struct Collection {
    /// The sections from the node that prints it to the one it was collected for.
    pub(super) titles: Vec<RowId>,
    pub(super) text: String,
    /// Whether the text is a value, and not a reference.
    pub(super) is_value: bool,
}

/// The collected texts in declaration order, by the place of the node that prints them: the root stands before all rows.
#[derive(Default)]
pub(super) struct Contexts {
    pub(super) by_owner: Vec<Vec<Collection>>,
}

pub(super) type Owner = Option<RowId>;

pub(super) fn place(owner: Owner) -> usize {
    owner.map_or(0, |row| row as usize + 1)
}

impl Contexts {
    /// Each text is printed by the deepest node above it (on the way to the focus, if there is one) whose text has the
    /// slot; what no node prints is left out.
    ///
    /// # Errors
    /// The first path that is not in the tree, with the nearest one that is.
    pub(super) fn of(
        rows: &Rows<'_>,
        collected: &Collected,
        view: &View<'_>,
    ) -> Result<Self, PromptError> {
        let index = rows.index();
        let mut found: Vec<(RowId, &str, &str)> = Vec::with_capacity(collected.len());
        for (path, text) in collected.iter() {
            let id = index.find(path).ok_or_else(|| PromptError::UnknownPath {
                path: path.to_owned(),
                nearest: nearest(rows, path),
            })?;
            found.push((id, path, text));
        }
        found.sort_unstable_by_key(|(id, ..)| *id);
        let owners = owners(rows, view.focus.as_deref());
        let mut by_owner = Vec::new();
        by_owner.resize_with(owners.len(), Vec::new);
        for (id, path, text) in found {
            let Some(owner) = owners[place(rows.row(id).parent)] else {
                continue;
            };
            let mut titles: Vec<RowId> = std::iter::once(id)
                .chain(rows.around(id))
                .take_while(|id| Some(*id) != owner)
                .collect();
            titles.reverse();
            let is_value = view.context_form == ContextForm::Value;
            let text = match view.context_form {
                ContextForm::Value => text.to_owned(),
                ContextForm::Reference => format!("{{{path}}}"),
            };
            by_owner[place(owner)].push(Collection {
                titles,
                text,
                is_value,
            });
        }
        Ok(Self { by_owner })
    }
}

/// Who prints what is collected directly below each row, and below the root (first): that node, or the next one above it
/// that has the slot. Nodes off the way to the focus print nothing.
///
/// Parents stand before their children, so one pass that passes the owner down is enough.
fn owners(rows: &Rows<'_>, focus: Option<&str>) -> Vec<Option<Owner>> {
    let prints_collected = |info: &NodeInfo| has_slot(&info.text, Target::Collected);
    let mut owners: Vec<Option<Owner>> = Vec::with_capacity(rows.len() as usize + 1);
    let root = rows.root.is_some_and(|root| prints_collected(root.info()));
    owners.push(root.then_some(None));
    let paths = focus.map(|_| rows.paths());
    for (id, row) in rows.iter() {
        let inherited = owners[place(row.parent)];
        let leads = match (&paths, focus) {
            (Some(paths), Some(focus)) => {
                let path = &paths[id as usize];
                is_in_focus(path, Some(focus)) && focus.len() >= path.len()
            }
            _ => true,
        };
        let own = row.child().is_some_and(prints_collected) && leads;
        owners.push(if own { Some(Some(id)) } else { inherited });
    }
    owners
}
