//! A prompt that is about to be rendered: a node and how to print it; and what comes out.

mod builder;
mod calls;
mod impls;
mod leaves;
mod listed_tool;
mod messages;
mod rendered;
mod review;
#[cfg(feature = "mcp")]
mod signature;

pub use crate::node::Location;
pub use crate::page::{HeadingOverflow, Numbering, Wording};
pub use crate::preview::{
    AbsentReason, Preview, PreviewAbsent, PreviewForm, PreviewLint, PreviewMessage, PreviewRow,
    PreviewText, PreviewTool, PreviewValue,
};
pub use builder::{Prompt, PromptNode};
pub use leaves::Leaf;
pub(crate) use rendered::{Options, Talk};
pub use rendered::{RenderedPrompt, RenderedSection};
#[cfg(feature = "mcp")]
pub(crate) use signature::Signature;

/// Room for a short prompt, in bytes: longer ones grow from there.
const USUAL: usize = 1024;
