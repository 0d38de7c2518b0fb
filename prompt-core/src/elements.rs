//! Elements: the readable form of a prompt text. The grammar reads a text into them; a derive keeps texts in a compact
//! form (one literal and a table of places), and the list is made from that on demand, without parsing anything again.
//!
//! ```
//! use prompt_core::elements::{self, Element, Elements, InlineText};
//!
//! const LIST: &[Element] = &[Element::title(2, InlineText::literal("Signals")), Element::slot("PROMPT_SUBTREE", 3)];
//! const TEXT: Elements = Elements::new(LIST);
//! assert_eq!(TEXT, elements::parse("## Signals\n\n{PROMPT_SUBTREE}")?);
//! # Ok::<(), prompt_core::Diagnostics>(())
//! ```

pub use prompt_syntax::{
    ConditionForm, Element, ElementCounts, Elements, Inline, InlineText, Metadata,
};

use crate::diagnostics::{Diagnostic, Diagnostics};
use crate::node::{Content, Embedded, NodeInfo, Text};
use prompt_syntax::{Options, Place, Specs, Tables};
use std::borrow::Cow;

/// Reads a text by the grammar of derived prompts. Every name in braces is a variable; in code, and after `$`, the names
/// that the text uses elsewhere are.
///
/// # Errors
/// Every fault of the text at once. Rules about headings that `allow` could switch off are no faults here.
pub fn parse(source: &str) -> Result<Elements, Diagnostics> {
    read(source).map(|reading| reading.elements)
}

/// The elements of a node's own text; of a `Markdown` value or a text, its elements. What has no text of its own (a
/// list, `()`) has none. Give it [`PromptNode::embedded`](crate::PromptNode::embedded).
///
/// ```
/// use prompt_core::{Markdown, PromptNode, elements};
///
/// let notes = Markdown::from("# Steam\n\nLast of all.");
/// assert_eq!(elements::of(notes.embedded()).to_markdown(), "# Steam\n\nLast of all.");
/// ```
#[must_use]
pub fn of(node: Embedded<'_>) -> Elements {
    match node.content {
        Content::Node(node) => raise(&node.info().text, node.info()),
        Content::Markdown(markdown) => raise(markdown.text(), NodeInfo::EMPTY),
        Content::Text(text) if !text.is_empty() => {
            let text = InlineText::from(text.into_owned());
            Elements::from_iter([Element::Text {
                text,
                metadata: Metadata::default(),
            }])
        }
        _ => Elements::default(),
    }
}

/// The elements of a text of this node: its own, an introduction, a summary, a title.
pub(crate) fn raise(text: &Text, node: &NodeInfo) -> Elements {
    prompt_syntax::raise(&text.literal, &text.marks, node)
}

impl Tables for NodeInfo {
    fn variable(&self, index: u16) -> Inline {
        let variable = self.variables.get(usize::from(index));
        Inline::variable_of(variable.map_or(&Cow::Borrowed(""), |variable| &variable.source))
    }

    fn condition(&self, index: u16) -> (Cow<'static, str>, Cow<'static, str>) {
        let condition = self.conditions.get(usize::from(index));
        let Some(source) = condition.map(|condition| &condition.source) else {
            return Default::default();
        };
        match source.split_once('.') {
            None => (source.clone(), Cow::Borrowed("")),
            Some((name, path)) => (name.to_owned().into(), path.to_owned().into()),
        }
    }

    fn section(&self, index: u16) -> Cow<'static, str> {
        let section = self.sections.get(usize::from(index));
        section.map_or(Cow::Borrowed(""), |section| section.field.clone())
    }
}

/// What was read.
pub(crate) struct Reading {
    pub(crate) elements: Elements,
    /// What may be meant as it is: heading rules.
    pub(crate) lints: Diagnostics,
}

/// Reads a text in which every name is a variable.
pub(crate) fn read(source: &str) -> Result<Reading, Diagnostics> {
    let options = Options {
        specs: Specs::Runtime,
        ..Options::new(Place::Free)
    };
    let parsed = prompt_syntax::parse_free(source, &options);
    let (mut faults, mut lints) = (Diagnostics::default(), Diagnostics::default());
    for problem in parsed.problems {
        let list = if problem.code.is_lint() {
            &mut lints
        } else {
            &mut faults
        };
        list.push(Diagnostic::of_text(problem, "", ""));
    }
    faults.or(Reading {
        elements: parsed.elements,
        lints,
    })
}
