//! Nodes: what can be part of a prompt. A value tells what it is to the prompt around it ([`Embedded`]); a node with a
//! text of its own shows its static description and answers questions about it ([`Describe`]). Each question is put at
//! most once for each rendering.

pub(crate) mod attribute;
pub(crate) mod coded;
pub(crate) mod condition;
pub(crate) mod depth;
pub(crate) mod describe;
mod description;
mod embedded;
pub(crate) mod extent;
mod flow;
mod output;
mod plain;
mod prefix;
mod seen;
pub(crate) mod sequence;
pub(crate) mod tools;
pub(crate) mod value;

pub(crate) use description::{
    Attribute, AttributeSource, ConditionInfo, Said, Tags, ValueTreatment, tables,
};
pub use description::{
    Container, Hang, Heading, Items, Location, Markup, NodeInfo, Policy, Priority, SectionInfo,
    SectionKeys, Title, Variable,
};
pub(crate) use embedded::{Content, Entry, Printed};
pub use embedded::{Embedded, Section};
pub(crate) use extent::{Extent, Flows, extent, tagged};
pub(crate) use flow::{Failed, section::Child};
pub use flow::{
    Flow, Flowed,
    section::{Head, Own},
};
pub use output::Output;
pub(crate) use output::{Answers, TAG, holds, trim_blank_lines};
pub use plain::{AtOnce, Plain};
pub(crate) use prefix::Prefix;
pub(crate) use seen::{Listed, Seen, SeenSection};

use crate::diagnostics::Diagnostic;
pub(crate) use crate::text::Str;
pub use crate::text::Text;
pub use crate::xml::Guarding;

use crate::tool::ToolSpec;
use std::fmt;

/// No text is indented further.
pub(crate) const DEEPEST_COLUMN: usize = 1 << 16;

/// What a node with a text of its own answers. A derive writes it; users never see it, so that a new question is no
/// breaking change.
///
/// Each question is asked at most once in a rendering, but for `info`, which is the same every time, and for
/// `variable` and `condition`, which are asked where they stand in the texts.
pub trait Describe {
    /// The static description; for an enum, that of the active variant.
    fn info(&self) -> &NodeInfo;

    /// Writes the variable with this index in [`NodeInfo::variables`].
    ///
    /// # Errors
    /// What the value's own `Display` returns.
    fn variable(&self, index: usize, output: &mut Output<'_>) -> fmt::Result {
        let _ = (index, output);
        Ok(())
    }

    /// Prints the node's own text, if nothing but literal text, fixed headings and plain variables stand in it, and says
    /// whether it did.
    ///
    /// # Errors
    /// The index of the first variable that could not be printed.
    fn print(&self, output: Plain<'_>) -> AtOnce {
        let _ = output;
        Ok(false)
    }

    /// Whether the condition with this index in [`NodeInfo::conditions`] holds, for the item (from 0) that an item
    /// template is about.
    fn condition(&self, index: usize, item: usize) -> bool {
        let _ = (index, item);
        false
    }

    /// The section with this index in [`NodeInfo::sections`].
    fn section(&self, index: usize) -> Section<'_> {
        let _ = index;
        Section::hidden()
    }

    /// What looks like a slip in its texts, where that was not found at compile time.
    fn hints(&self) -> &[Diagnostic] {
        &[]
    }

    /// The tools of the section with this index, or of the node itself for `None`. Only asked where the description
    /// says that there are any.
    fn tools(&self, section: Option<usize>) -> Vec<ToolSpec> {
        let _ = section;
        Vec::new()
    }
}
