//! What a person implements: a type that can be rendered as a prompt.

use super::Prompt;
use crate::node::Embedded;

/// A type that can be rendered as a prompt, or embedded in one as a section.
///
/// `#[derive(PromptNode)]` writes the implementation. Text types, `()`, `Markdown`, `Option`, `Box`, `Arc`, references,
/// lists and maps implement it too. By hand it is one method that says what a value is to the prompt around it.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be a section of a prompt",
    label = "not a prompt node",
    note = "a type of your own becomes one with `#[derive(PromptNode)]`; others are `()`, text, `Markdown`, and `Option`, `Box` or lists of nodes; print numbers and the like as variables: without `#[section]`",
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

    /// A prompt of this node: set options on it, then render it.
    fn prompt(&self) -> Prompt<'_, Self>
    where
        Self: Sized,
    {
        Prompt::new(self)
    }
}
