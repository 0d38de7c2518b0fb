//! Working through a tree: each leaf is something the model is to produce, in declaration order.

use crate::collected::Collected;
use crate::error::PromptError;
use crate::render::Prompt;
use crate::tree;
use serde::Serialize;
use std::fmt;

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

impl Prompt<'_> {
    /// The first leaf that has not been collected yet. A leaf counts as collected if it has a text, also an empty one;
    /// a text for a section with subsections does not stand for them. Each call goes through the tree up to that leaf:
    /// where nothing in the tree depends on the answers, going through [`walk`](Self::walk) once costs less.
    ///
    /// # Errors
    /// When the key of a list item cannot be read.
    pub fn next(&self, collected: &Collected) -> Result<Option<Leaf>, PromptError> {
        let mut next = None;
        self.leaves(
            |path| collected.get(path).is_none(),
            |leaf| {
                next = Some(leaf);
                tree::Flow::Stop
            },
        )?;
        Ok(next)
    }

    /// All leaves, in declaration order.
    ///
    /// # Errors
    /// When the key of a list item cannot be read.
    pub fn walk(&self) -> Result<Vec<Leaf>, PromptError> {
        let mut leaves = Vec::new();
        self.leaves(
            |_| true,
            |leaf| {
                leaves.push(leaf);
                tree::Flow::Into
            },
        )?;
        Ok(leaves)
    }

    fn leaves(
        &self,
        wanted: impl Fn(&str) -> bool,
        mut found: impl FnMut(Leaf) -> tree::Flow,
    ) -> Result<(), PromptError> {
        tree::visit(self.root, |section| {
            if !section.is_leaf() || !wanted(section.path) {
                return Ok(tree::Flow::Into);
            }
            Ok(found(Leaf {
                path: section.path.to_owned(),
                title: section.title()?,
            }))
        })
    }
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
