//! Nodes: what can be part of a prompt. A value tells what it is to the prompt around it ([`Embedded`]); a node with a
//! text of its own shows its static description ([`Node`]) and answers what its texts ask ([`Scope`]). Each question is
//! put at most once for each rendering.

pub(crate) mod attribute;
mod collected;
pub(crate) mod condition;
pub(crate) mod depth;
pub(crate) mod each;
pub mod elements;
mod embedded;
mod markdown;
mod output;
pub(crate) mod reworded;
pub(crate) mod sequence;
pub(crate) mod spec;
pub(crate) mod summarised;
mod template;
pub(crate) mod tools;
pub(crate) mod types;
mod visibility;
pub(crate) mod write;

pub use collected::{Collected, ContextForm};
pub use markdown::Markdown;
pub(crate) use markdown::{aligned, ends_in_fence};
pub use template::Template;
pub(crate) use visibility::Form;
pub use visibility::{Overrides, Visibility};

pub(crate) use each::At;
pub use each::Body;
pub(crate) use embedded::{Content, Entry};
pub use embedded::{Embedded, Section};
pub use output::Output;
pub(crate) use output::{Mark, MarkPlace, has_byte, without_blank_ends};
pub use prompt_syntax::Text;
pub(crate) use prompt_syntax::info::{
    Attribute, AttributeSource, ConditionInfo, Cut, Hint, ValueTreatment, has_slot, has_words,
};
pub use prompt_syntax::info::{
    Container, Guarding, Hang, Heading, Items, Markup, NodeInfo, Policy, Priority, Said,
    SectionInfo, SectionKeys, Title, Variable,
};
pub(crate) use reworded::NodeRef;

use crate::errors::PromptError;

use crate::messages::tool::ToolSpec;
use std::fmt;
pub(crate) use types::HasType;

/// A place in the source code.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize)]
pub struct Location {
    /// As `file!()` gives it.
    pub file: &'static str,
    /// From 1.
    pub line: u32,
}

impl From<prompt_syntax::info::Location> for Location {
    fn from(declared: prompt_syntax::info::Location) -> Self {
        let prompt_syntax::info::Location { file, line } = declared;
        Self { file, line }
    }
}

impl From<prompt_syntax::info::Visibility> for Visibility {
    fn from(declared: prompt_syntax::info::Visibility) -> Self {
        match declared {
            prompt_syntax::info::Visibility::Full => Self::Full,
            prompt_syntax::info::Visibility::Summary => Self::Summary,
        }
    }
}

/// Why the variable with this index of a node printed nothing; the place is not known here.
pub(crate) fn failed(info: &NodeInfo, index: usize) -> PromptError {
    let variable = info.variables.get(index);
    let name = variable.map_or_else(String::new, |variable| variable.source.to_string());
    let path = String::new();
    match variable {
        Some(variable) if variable.missing => PromptError::MissingValue { path, name },
        _ => PromptError::FailedValue { path, name },
    }
}

/// No text is indented further.
pub(crate) const DEEPEST_COLUMN: usize = 1 << 16;

/// What a list of elements asks: of a node, or of one item of a loop with everything around it. Values and conditions
/// are asked where they stand in the texts.
pub trait Scope {
    /// Writes the value with this number.
    ///
    /// # Errors
    /// What the value's own `Display` returns.
    fn value(&self, index: usize, output: &mut Output<'_>) -> fmt::Result {
        let _ = (index, output);
        Ok(())
    }

    /// Whether the condition with this number holds.
    fn ask(&self, index: usize) -> bool {
        let _ = index;
        false
    }

    /// Hands the items of the loop with this number to `body`, in order, each as a scope that knows everything around it
    /// too.
    ///
    /// # Errors
    /// What `body` returns.
    fn each(&self, index: usize, body: &mut Body<'_>) -> fmt::Result {
        let _ = (index, body);
        Ok(())
    }
}

/// A node with a text of its own. A derive writes it; users never see it, so that a new question is no breaking change.
pub trait Node: Scope + HasType {
    /// The static description; for an enum, that of the active variant.
    fn info(&self) -> &NodeInfo;

    /// The section with this index in [`NodeInfo::sections`].
    fn section(&self, index: usize) -> Section<'_> {
        let _ = index;
        Section::hidden()
    }

    /// The tools of the section with this index, or of the node itself for `None`. Only asked where the description
    /// says that there are any.
    fn tools(&self, section: Option<usize>) -> Vec<ToolSpec> {
        let _ = section;
        Vec::new()
    }
}
