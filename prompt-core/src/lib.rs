//! Prompts as Rust types.
#![forbid(unsafe_code)]

mod markdown;
mod message;
mod node;
#[doc(hidden)]
#[path = "private.rs"]
pub mod __private;
mod tokens;
mod tool;
mod visibility;

pub use markdown::Markdown;
pub use message::{CachePoint, Content, ImageSource, Message, Role};
pub use node::{
    Attribute, Embedded, Guarding, ItemInfo, List, Location, NodeInfo, Output, Priority, PromptNode, Section,
    SectionInfo, Text, Title, Variable,
};
pub use prompt_syntax::{Code, Mark, MarkKind, Target};
pub use tokens::TokenCounter;
pub use tool::{ToolCall, ToolResult, ToolSpec, ToolSpecError};
pub use visibility::Visibility;

#[cfg(feature = "derive")]
pub use prompt_macros::PromptNode;
