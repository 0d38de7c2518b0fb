//! What a prompt is called and what it needs to be told, for those who offer it before it is rendered: a node comes in, its
//! names and the values that its texts print go out. The MCP server's list of prompts is made of it.

use super::builder::PromptNode;
use crate::node::NodeInfo;
use prompt_syntax::{Element, Inline, InlineText, Text, holding};
use std::collections::BTreeSet;

/// A prompt as its callers see it.
///
/// ```
/// use prompt_core::{PromptNode, prompt::Signature};
///
/// /// You review {language} code.
/// #[derive(PromptNode)]
/// struct CodeReview {
///     language: &'static str,
/// }
///
/// let node = CodeReview { language: "Rust" };
/// let signature = Signature::of(&node);
/// assert_eq!((signature.name.as_str(), signature.values[0].name), ("code_review", "language"));
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Signature<'a> {
    /// The key of its container, or the type's name in snake case.
    pub name: String,
    /// The words of its title.
    pub title: Option<String>,
    /// Its description.
    pub description: Option<String>,
    /// The fields that its texts print.
    pub values: Vec<Argument<'a>>,
}

/// A field that a text of the prompt prints.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Argument<'a> {
    /// The name of the field.
    pub name: &'a str,
    /// Its doc comment.
    pub description: Option<&'a str>,
    /// An `Option`, or a value with a default.
    pub optional: bool,
}

impl<'a> Signature<'a> {
    /// What a node says of itself. A text, or a list, says nothing.
    pub fn of<N: PromptNode + ?Sized>(node: &'a N) -> Self {
        let embedded = node.embedded();
        let node = embedded.content.node();
        let info = node.map_or(NodeInfo::EMPTY, |node| node.info());
        let container = &info.container;
        let name = container.key.as_deref();
        Self {
            name: name.map_or_else(|| prompt_syntax::key_case(&info.name), str::to_owned),
            title: container.title.as_ref().and_then(words_of),
            description: container.description.as_deref().map(str::to_owned),
            values: printed_fields(info),
        }
    }
}

fn printed_fields(info: &NodeInfo) -> Vec<Argument<'_>> {
    let printed = printed_values(info);
    let mut seen = BTreeSet::new();
    let mut fields = Vec::new();
    for (index, variable) in (0..).zip(info.variables.iter()) {
        let name = variable.source.split(':').next().unwrap_or_default();
        let is_field = !name.contains('.')
            && variable.item_of.is_none()
            && !matches!(name, "" | "index" | "item")
            && printed.contains(&index);
        if is_field && seen.insert(name) {
            fields.push(Argument {
                name,
                description: variable.description.as_deref(),
                optional: variable.optional,
            });
        }
    }
    fields
}

/// The words of a text without its values and conditions; `None` where there are none.
fn words_of(text: &Text) -> Option<String> {
    let pieces = text.elements.iter().flat_map(Element::inline_texts);
    let words: String = pieces
        .flat_map(InlineText::iter)
        .filter_map(|piece| match piece {
            Inline::Literal(words) | Inline::Escaped(words) => Some(words.as_ref()),
            _ => None,
        })
        .collect();
    (!words.is_empty()).then_some(words)
}

/// The numbers of the values that the texts of a node print; attributes and keys of items have values too.
fn printed_values(info: &NodeInfo) -> BTreeSet<u16> {
    let sections = info.sections.iter();
    let texts = sections.flat_map(|section| [Some(&section.intro), section.summary.as_ref()]);
    let places = texts
        .flatten()
        .chain([&info.text])
        .flat_map(holding::places);
    let values = places.filter(|place| place.table == holding::Table::Value);
    values.map(|place| place.index).collect()
}
