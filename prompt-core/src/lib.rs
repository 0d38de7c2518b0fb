//! Prompts as Rust types.
#![forbid(unsafe_code)]

mod assembly;
mod message;
mod tokens;
mod tool;

pub use assembly::{
    AdapterContext, AdapterFactory, AdapterInstruction, Assembled, Assembler, AssemblyError, Capabilities,
    GlobalRegistry, PromptConfig, PromptTask, Provenance, Registry, RegistryBuilder, TaskText, TextSource,
    UnknownEntry, UnknownTask,
};
pub use message::{CachePoint, Content, ImageSource, Message, Role};
#[cfg(feature = "derive")]
pub use prompt_macros::PromptTask;
pub use prompt_syntax::Code;
pub use tokens::TokenCounter;
pub use tool::{ToolCall, ToolResult, ToolSpec, ToolSpecError};
