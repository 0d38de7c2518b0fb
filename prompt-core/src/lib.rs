//! Prompts as Rust types.
#![forbid(unsafe_code)]

mod message;
mod tokens;
mod tool;
pub mod xml;

pub use message::{CachePoint, Content, ImageSource, Message, Role};
pub use prompt_syntax::Code;
#[cfg(feature = "tiktoken")]
pub use tokens::O200k;
pub use tokens::{EstimatedTokens, TokenCounter};
pub use tool::{ToolCall, ToolResult, ToolSpec, ToolSpecError};
