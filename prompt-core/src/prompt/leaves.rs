//! Working through a tree: each leaf is something the model is to produce, in declaration order.

use super::builder::{Prompt, PromptNode};
use crate::document::{Document, SectionId};
use crate::errors::PromptError;
use crate::node::Collected;
use serde::Serialize;
use std::{collections::HashSet, fmt};

/// A section without subsections.
///
/// ```
/// use prompt_core::tree::Collected;
/// use prompt_core::DynamicNode;
/// use prompt_core::PromptNode;
///
/// let memo = DynamicNode::builder("memo")
///     .section(DynamicNode::builder("subject"))
///     .section(DynamicNode::builder("body"))
///     .build()?;
/// let mut collected = Collected::default();
/// while let Some(leaf) = memo.prompt().next(&collected)? {
///     let prompt = memo.prompt().collected(&collected).focus(&leaf).render()?;
///     assert!(prompt.as_str().ends_with(&leaf.title));
///     collected.insert(leaf, "an answer");
/// }
/// assert_eq!(collected.len(), 2);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct Leaf {
    /// Dotted path.
    pub path: String,
    /// Its title.
    pub title: String,
}

impl<N: PromptNode + ?Sized> Prompt<'_, N> {
    /// The first leaf that has not been collected yet. A leaf counts as collected if it has a text, also an empty one;
    /// a text for a section with subsections does not stand for them. Each call asks the whole tree: where nothing in it
    /// depends on the answers, going through [`walk`](Self::walk) once costs less.
    ///
    /// # Errors
    /// When the key of a list item is no legal key, or two items have the same.
    pub fn next(&self, collected: &Collected) -> Result<Option<Leaf>, PromptError> {
        let document = self.document()?;
        let index = document.index();
        let found: HashSet<SectionId> = collected
            .iter()
            .filter_map(|(path, _)| index.find(path))
            .collect();
        let leaf = leaves(&document).find(|id| !found.contains(id));
        leaf.map(|id| leaf_at(&document, id)).transpose()
    }

    /// All leaves, in declaration order.
    ///
    /// # Errors
    /// When the key of a list item is no legal key, or two items have the same.
    pub fn walk(&self) -> Result<Vec<Leaf>, PromptError> {
        let document = self.document()?;
        leaves(&document).map(|id| leaf_at(&document, id)).collect()
    }
}

/// The sections with nothing below them, in order.
fn leaves(document: &Document<'_>) -> impl Iterator<Item = SectionId> {
    let leaves = document
        .iter()
        .filter(|(id, section)| section.end == id + 1);
    leaves.map(|(id, _)| id)
}

fn leaf_at(document: &Document<'_>, id: SectionId) -> Result<Leaf, PromptError> {
    let title = document.section(id).title;
    if let Some(fault) = document.title_fault(title) {
        return Err(fault.clone());
    }
    Ok(Leaf {
        path: document.path(Some(id)),
        title: document.title(title).into_owned(),
    })
}

impl fmt::Display for Leaf {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.path)
    }
}

impl AsRef<str> for Leaf {
    fn as_ref(&self) -> &str {
        &self.path
    }
}

impl From<Leaf> for String {
    fn from(leaf: Leaf) -> Self {
        leaf.path
    }
}

impl From<&Leaf> for String {
    fn from(leaf: &Leaf) -> Self {
        leaf.path.clone()
    }
}

impl PartialEq<str> for Leaf {
    fn eq(&self, path: &str) -> bool {
        self.path == path
    }
}

impl PartialEq<&str> for Leaf {
    fn eq(&self, path: &&str) -> bool {
        self.path == *path
    }
}
