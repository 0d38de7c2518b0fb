//! Nodes: what can be part of a prompt. A node shows its static description ([`NodeInfo`]), writes its variables and
//! hands out its sections one by one; the renderer does everything else.

pub(crate) mod attribute;
pub(crate) mod condition;
pub(crate) mod depth;
pub(crate) mod describe;
mod impls;
mod info;
mod listed_tool;
mod output;
mod section;
pub(crate) mod sequence;
pub(crate) mod tools;
pub(crate) mod value;

pub use info::{
    Attribute, Guarding, ItemInfo, Location, NodeInfo, Priority, SectionInfo, Text, Title, Variable,
};
pub use output::Output;
pub use section::{Embedded, List, Section};

use crate::render::Prompt;
use crate::tool::ToolSpec;
use prompt_syntax::MarkKind;
use std::fmt;

/// A type that can be rendered as a prompt, or embedded in one as a section.
///
/// `#[derive(PromptNode)]` writes the implementation. Text types, `()`, `Markdown`, `Option`, `Box`, `Arc`, references,
/// lists and maps implement it too. Only [`embedded`](Self::embedded) is required; the other methods describe a node
/// with a text of its own and are never called on anything else.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be a section of a prompt",
    label = "not a prompt node",
    note = "add `#[derive(PromptNode)]` to `{Self}`, or use `()`, text, `Markdown`, or an `Option`, `Box` or list of nodes",
    note = "lists and maps need an order: `Vec`, slices, arrays, `VecDeque`, `BTreeMap`, `BTreeSet`; that of a `HashMap` \
            changes from run to run, and so would the prompt"
)]
pub trait PromptNode {
    /// What this value is to the prompt around it.
    fn embedded(&self) -> Embedded<'_>;

    /// What a list of these is, where it is more than one after the other: a list of tools is grouped by category.
    #[doc(hidden)]
    fn embedded_list(list: &[Self]) -> Option<Embedded<'_>>
    where
        Self: Sized,
    {
        let _ = list;
        None
    }

    /// Whether what is embedded depends on the value by more than the values it prints: whether it is there (`Option`),
    /// or which text it has (enums). It ends the static prefix of a prompt.
    fn varies(&self) -> bool {
        false
    }

    /// The static description; for an enum, that of the active variant.
    fn info(&self) -> &NodeInfo {
        NodeInfo::EMPTY
    }

    /// Writes the variable with this index in [`NodeInfo::variables`].
    ///
    /// # Errors
    /// What the value's own `Display` returns.
    fn variable(&self, index: usize, output: &mut Output<'_>) -> fmt::Result {
        let _ = (index, output);
        Ok(())
    }

    /// Bytes of the variables that the node's own text prints, each as often as it stands there.
    fn length(&self) -> usize {
        let mut bytes = 0;
        for mark in self.info().text.marks.iter() {
            if let MarkKind::Variable(index) | MarkKind::Block(index) = mark.kind {
                // A value that cannot be printed is reported when it is.
                let _ = self.variable(usize::from(index), &mut Output::length(&mut bytes));
            }
        }
        bytes
    }

    /// Whether the guard with this index in [`NodeInfo::guards`] holds.
    fn guard(&self, index: usize) -> bool {
        let _ = index;
        false
    }

    /// The section with this index in [`NodeInfo::sections`].
    fn section(&self, index: usize) -> Section<'_> {
        let _ = index;
        Section::new(Embedded::Absent)
    }

    /// The tools of the section with this index, or of the node itself for `None`. Only asked where the description
    /// says that there are any.
    fn tools(&self, section: Option<usize>) -> Vec<ToolSpec> {
        let _ = section;
        Vec::new()
    }

    /// A prompt of this node: set options on it, then render it.
    fn prompt(&self) -> Prompt<'_>
    where
        Self: Sized,
    {
        Prompt::new(self)
    }
}
