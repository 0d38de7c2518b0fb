//! Elements: the one form of a prompt text. The grammar reads a text into them, a derive writes them as a static list,
//! and they are what is printed.
//!
//! ```
//! use prompt_core::elements::{self, Element, Elements, InlineText};
//!
//! let list = [Element::title(2, InlineText::literal("Signals")), Element::slot("PROMPT_SUBTREE", 3)];
//! let text: Elements = list.into_iter().collect();
//! assert_eq!(text, elements::parse("## Signals\n\n{PROMPT_SUBTREE}")?);
//! # Ok::<(), prompt_core::Diagnostics>(())
//! ```

pub use prompt_syntax::{Each, Element, Elements, If, Inline, InlineText};

use crate::errors::diagnostics::{Diagnostic, Diagnostics};
use crate::node::{Content, Embedded};
use prompt_syntax::{Metadata, Options, Place, Specs};

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
        Content::Node(node) => node.info().text.elements.iter().cloned().collect(),
        Content::Markdown(markdown) => markdown.text().elements.iter().cloned().collect(),
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
    let (mut faults, mut lints) = (Diagnostics::none(), Diagnostics::none());
    for problem in parsed.problems {
        // A list of elements, or a template, is whole; a prompt may end in an open fence.
        let list = if problem.code.is_lint() && problem.code != prompt_syntax::Code::UnclosedFence {
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
