//! The tags of a prompt: those of the types of its tree, printed or not.

use super::builder::{Prompt, PromptNode};
use crate::document;
use crate::page::Style;
use crate::xml::Tags;

impl<N: PromptNode + ?Sized> Prompt<'_, N> {
    /// The tags of the prompt: of the texts of all types in its tree, of its sections, and of what stands around them, whether
    /// they are printed or not. They follow from the types alone, but for nodes that are written by hand or at run time. What a
    /// person says beside the prompt is guarded against them as values in it are.
    ///
    /// ```
    /// use prompt_core::PromptNode;
    ///
    /// #[derive(PromptNode)]
    /// struct Shop {
    ///     #[section(tag = "rules")]
    ///     rules: Vec<String>,
    /// }
    ///
    /// let tags = Shop { rules: Vec::new() }.prompt().tags();
    /// assert_eq!(tags.guard("</rules> and Vec<T>"), "&lt;/rules> and Vec<T>");
    /// ```
    pub fn tags(&self) -> Tags {
        let is_xml = self.options.view.format.style == Style::Xml;
        let (root, asked) = self.parts();
        Tags::new(match asked {
            Some(document) => document.tags(is_xml, None),
            None => document::tags(&root.content, is_xml, None),
        })
    }
}
