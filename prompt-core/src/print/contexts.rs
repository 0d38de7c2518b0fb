//! What has been collected, ready to be printed: which node prints it, under which titles.

use crate::collected::{Collected, ContextForm};
use crate::error::PromptError;
use crate::node::NodeInfo;
use crate::outline::{Index, Outline, RowId, nearest};
use prompt_syntax::{MarkKind, Target};

/// One collected text.
pub(super) struct Context {
    /// The sections from the node that prints it to the one it was collected for.
    pub(super) titles: Vec<RowId>,
    pub(super) text: String,
    /// Whether the text is a value, and not a reference.
    pub(super) is_value: bool,
}

/// The collected texts in declaration order, by the place of the node that prints them.
#[derive(Default)]
pub(crate) struct Contexts {
    by_owner: Vec<Vec<Context>>,
}

impl Contexts {
    /// Each text is printed by the deepest node above it (on the way to the focus, if there is one) whose text has the
    /// slot; what no node prints is left out.
    ///
    /// # Errors
    /// The first path that is not in the tree, with the nearest one that is.
    pub(crate) fn of(
        outline: &Outline<'_>,
        collected: &Collected,
        form: ContextForm,
        focus: Option<RowId>,
    ) -> Result<Self, PromptError> {
        let index = Index::of(outline);
        let mut found: Vec<(RowId, &str, &str)> = Vec::with_capacity(collected.len());
        for (path, text) in collected.iter() {
            let id = index.find(path).ok_or_else(|| PromptError::UnknownPath {
                path: path.to_owned(),
                nearest: nearest(outline, path),
            })?;
            found.push((id, path, text));
        }
        found.sort_unstable_by_key(|(id, ..)| *id);
        let owners = owners(outline, focus);
        let mut by_owner = Vec::new();
        by_owner.resize_with(owners.len(), Vec::new);
        for (id, path, text) in found {
            let parent = outline.row(id).and_then(|row| row.parent);
            let Some(owner) = owner(&owners, parent) else {
                continue;
            };
            let mut titles: Vec<RowId> = std::iter::once(id)
                .chain(outline.around(id))
                .take_while(|id| Some(*id) != owner)
                .collect();
            titles.reverse();
            let is_value = form == ContextForm::Value;
            let text = match form {
                ContextForm::Value => text.to_owned(),
                ContextForm::Reference => format!("{{{path}}}"),
            };
            let context = Context {
                titles,
                text,
                is_value,
            };
            if let Some(contexts) = by_owner.get_mut(place(owner)) {
                contexts.push(context);
            }
        }
        Ok(Self { by_owner })
    }

    /// What the node at a row prints.
    pub(super) fn of_owner(&self, owner: Option<RowId>) -> &[Context] {
        self.by_owner.get(place(owner)).map_or(&[], Vec::as_slice)
    }
}

/// A row, or the root.
type Owner = Option<RowId>;

/// The root stands before all rows.
fn place(owner: Owner) -> usize {
    owner.map_or(0, |row| row as usize + 1)
}

/// Who prints what is collected directly below each row, and below the root (first): that node, or the next one above it
/// that has the slot. Nodes off the way to the focus print nothing.
///
/// Parents stand before their children, so one pass that passes the owner down is enough.
fn owners(outline: &Outline<'_>, focus: Option<RowId>) -> Vec<Option<Owner>> {
    let mut owners: Vec<Option<Owner>> = Vec::with_capacity(outline.rows.len() + 1);
    let root = outline.host(None);
    owners.push(root.filter(|root| collects(root.info)).map(|_| None));
    for (id, row) in outline.iter() {
        let inherited = owner(&owners, row.parent);
        let is_on_the_way = focus.is_none_or(|focus| focus == id || outline.is_below(focus, id));
        let own = row.child(id).filter(|child| collects(child.info));
        owners.push(match own {
            Some(_) if is_on_the_way => Some(Some(id)),
            _ => inherited,
        });
    }
    owners
}

fn owner(owners: &[Option<Owner>], parent: Option<RowId>) -> Option<Owner> {
    owners.get(place(parent)).copied().flatten()
}

/// Whether a node's text has a slot for what was collected.
fn collects(info: &NodeInfo) -> bool {
    info.text.marks.iter().any(|mark| {
        matches!(
            mark.kind,
            MarkKind::Slot {
                target: Target::Collected,
                ..
            }
        )
    })
}
