//! Prompts as Rust types.
#![forbid(unsafe_code)]

mod message;
mod tokens;
mod tool;
#[cfg(any(feature = "openai", feature = "anthropic", feature = "gemini", feature = "ollama", feature = "mcp"))]
pub mod wire;

pub use message::{CachePlan, CachePoint, Content, ImageSource, Message, Role};
pub use prompt_syntax::Code;
pub use tokens::TokenCounter;
pub use tool::{ToolCall, ToolResult, ToolSpec, ToolSpecError};
#[cfg(any(feature = "openai", feature = "anthropic", feature = "gemini", feature = "ollama", feature = "mcp"))]
pub use wire::WireError;
