//! Prompts as Rust types.
#![forbid(unsafe_code)]

pub mod compaction;
mod message;
mod tokens;
mod tool;

pub use compaction::{
    Compact, CompactForm, Compacted, CompactionConfig, CompactionConfigBuilder, CompactionError, CompactionReport,
    Compactor, CostModel, CustomExtractor, Extractor, Finding, History, Item, Kind, Policy, RECAP_STUB, RecapForm,
    Simulation, Trigger, simulate,
};
pub use message::{CachePoint, Content, ImageSource, Message, Role};
pub use prompt_syntax::Code;
pub use tokens::TokenCounter;
pub use tool::{ToolCall, ToolResult, ToolSpec, ToolSpecError};
