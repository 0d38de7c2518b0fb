//! Nodes: what can be part of a prompt. A value tells what it is to the prompt around it ([`Embedded`]); a node with a
//! text of its own shows its static description ([`Node`]) and answers what its texts ask ([`Scope`]). Each question is
//! put at most once for each rendering.

pub(crate) mod attribute;
mod collected;
pub(crate) mod condition;
pub(crate) mod depth;
pub(crate) mod describe;
mod description;
pub(crate) mod each;
pub mod elements;
mod embedded;
mod markdown;
mod output;
pub(crate) mod reworded;
pub(crate) mod sequence;
pub(crate) mod summarised;
mod template;
pub(crate) mod tools;
pub(crate) mod types;
mod visibility;
pub(crate) mod write;

pub use collected::{Collected, ContextForm};
pub use markdown::Markdown;
pub(crate) use markdown::aligned;
pub use template::Template;
pub(crate) use visibility::Form;
pub use visibility::{Overrides, Visibility};

pub(crate) use description::{
    Attribute, AttributeSource, ConditionInfo, Hint, LoopInfo, ValueTreatment, has_slot, has_words,
    tables,
};
pub use description::{
    Container, Hang, Heading, Items, Location, Markup, NodeInfo, Policy, Priority, Said,
    SectionInfo, SectionKeys, Title, Variable,
};
pub(crate) use each::At;
pub use each::Body;
pub(crate) use embedded::{Content, Entry};
pub use embedded::{Embedded, Section};
pub(crate) use output::Headings;
pub use output::Output;
pub(crate) use output::{Answers, trim_blank_lines};
pub use prompt_syntax::Text;
pub(crate) use reworded::NodeRef;

pub use crate::xml::Guarding;
pub(crate) use prompt_syntax::Str;

use crate::messages::tool::ToolSpec;
use std::fmt;
pub(crate) use types::{HasType, TypeInfo};

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

    /// Whether the condition with this number holds, for the item (from 0) that an item template is about.
    fn ask(&self, index: usize, item: usize) -> bool {
        let _ = (index, item);
        false
    }

    /// Hands the items of the loop with this number to `body`, in order, each as a scope that knows everything around it
    /// too; `item` as in [`Scope::ask`].
    ///
    /// # Errors
    /// What `body` returns.
    fn each(&self, index: usize, item: usize, body: &mut Body<'_>) -> fmt::Result {
        let _ = (index, item, body);
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
