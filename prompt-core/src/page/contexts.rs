//! What is printed at each `{COLLECTED_CONTEXT}`: by the deepest node of the chain above it that has the slot.

use crate::document::{Document, SectionId, is_in_focus};
use crate::errors::PromptError;
use crate::node::{Collected, ContextForm, NodeInfo, has_slot};
use prompt_syntax::Target;

/// A text that was collected, and the sections whose titles stand above it.
pub(super) struct Collection {
    pub(super) titles: Vec<SectionId>,
    pub(super) text: String,
    pub(super) is_value: bool,
}

/// What is printed by each node that has the slot.
#[derive(Default)]
pub(crate) struct Contexts {
    by_owner: Vec<Vec<Collection>>,
}

fn place(owner: Option<SectionId>) -> usize {
    owner.map_or(0, |id| id as usize + 1)
}

impl Contexts {
    /// # Errors
    /// A path that is not in the tree.
    pub(crate) fn of(
        document: &Document<'_>,
        collected: &Collected,
        form: ContextForm,
        focus: Option<&str>,
    ) -> Result<Self, PromptError> {
        let index = document.index();
        let mut found: Vec<(SectionId, &str, &str)> = Vec::with_capacity(collected.len());
        for (path, text) in collected.iter() {
            let id = index.find(path).ok_or_else(|| PromptError::UnknownPath {
                path: path.to_owned(),
                nearest: document.nearest(path),
            })?;
            found.push((id, path, text));
        }
        found.sort_unstable_by_key(|(id, ..)| *id);
        let owners = owners(document, focus);
        let mut by_owner = Vec::new();
        by_owner.resize_with(owners.len(), Vec::new);
        let is_value = form == ContextForm::Value;
        for (id, path, text) in found {
            let Some((owner,)) = owners[place(document.section(id).parent)] else {
                continue;
            };
            let chain = std::iter::once(id).chain(document.around(id));
            let mut titles: Vec<SectionId> = chain.take_while(|id| Some(*id) != owner).collect();
            titles.reverse();
            let text = match form {
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

    /// What is printed by the node in a section, or by the root.
    pub(super) fn own(&self, owner: Option<SectionId>) -> &[Collection] {
        self.by_owner.get(place(owner)).map_or(&[], Vec::as_slice)
    }
}

/// Who prints what is collected below a section: nobody, or the node in a section, or in none.
type Owner = Option<(Option<SectionId>,)>;

/// By which node what is collected below a section is printed, if by any.
fn owners(document: &Document<'_>, focus: Option<&str>) -> Vec<Owner> {
    let has_own = |info: &NodeInfo| has_slot(&info.text, Target::Collected);
    let mut owners = Vec::with_capacity(document.sections.len() + 1);
    let root = document.node.is_some_and(|root| has_own(root.info()));
    owners.push(root.then_some((None,)));
    let paths = focus.map(|_| document.paths());
    for (id, section) in document.iter() {
        let leads = match (&paths, focus) {
            (Some(paths), Some(focus)) => {
                let path = &paths[id as usize];
                is_in_focus(path, Some(focus)) && focus.len() >= path.len()
            }
            _ => true,
        };
        let own = leads && section.child().is_some_and(has_own);
        let inherited = owners[place(section.parent)];
        owners.push(if own { Some((Some(id),)) } else { inherited });
    }
    owners
}
