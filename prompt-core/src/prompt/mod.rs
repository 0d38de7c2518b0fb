//! A prompt that is about to be rendered: a node and how to print it; and what comes out.

mod builder;
mod impls;
mod leaves;
pub mod lint;
mod listed_tool;
mod messages;
mod preview;
mod rendered;
mod review;
mod signature;
mod skill;
mod tags;

pub use crate::document::Document;
pub use crate::node::Location;
pub use crate::page::{HeadingOverflow, Numbering, Wording};
pub use builder::{Prompt, PromptNode};
pub use leaves::Leaf;
pub use preview::{
    AbsentReason, Preview, PreviewAbsent, PreviewForm, PreviewRow, PreviewText, PreviewValue,
};
pub(crate) use rendered::Options;
pub use rendered::{RenderedPrompt, RenderedSection};
pub use signature::{Argument, Signature};
pub use skill::{Skill, SkillError};

/// Room for a short prompt, in bytes: longer ones grow from there.
const USUAL: usize = 1024;
