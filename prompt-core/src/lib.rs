//! Prompts as Rust types.
#![forbid(unsafe_code)]

#[doc(hidden)]
#[path = "private.rs"]
pub mod __private;
mod assembly;
mod budget;
mod collected;
pub mod compaction;
mod conversation;
mod diagnostics;
mod disclosure;
mod dynamic;
mod element;
mod error;
mod leaves;
mod lint;
mod markdown;
mod message;
mod node;
mod preview;
mod render;
mod rendered;
mod telemetry;
mod template;
mod tokens;
mod tool;
mod tree;
mod visibility;
#[cfg(any(feature = "openai", feature = "anthropic", feature = "gemini", feature = "ollama", feature = "mcp"))]
pub mod wire;
pub mod xml;

pub use assembly::{
    AdapterContext, AdapterFactory, AdapterInstruction, Assembled, Assembler, AssemblyError, Capabilities,
    GlobalRegistry, PromptConfig, PromptTask, Provenance, Registry, RegistryBuilder, TaskText, TextSource,
    UnknownEntry, UnknownTask,
};
pub use budget::{Budget, BudgetReport, BudgetedSection, Outcome, Policy, Reason};
pub use collected::{Collected, ContextForm};
pub use compaction::{
    Compact, CompactForm, Compacted, CompactionConfig, CompactionConfigBuilder, CompactionError, CompactionReport,
    Compactor, CostModel, CustomExtractor, Extractor, Finding, History, HistoryPolicy, Item, Kind, RECAP_STUB,
    RecapForm, Simulation, Trigger, simulate,
};
pub use diagnostics::{Diagnostic, Diagnostics};
pub use disclosure::{
    Delivery, Disclosure, DisclosureError, DisclosureState, ToolError, ToolFault, ToolInvoked, ToolOutcome,
    ToolValidationError, TurnPlan, VisibilityExpansionRequired,
};
pub use dynamic::{DynamicNode, DynamicNodeBuilder};
pub use element::{Element, ElementCounts, Elements, Inline, InlineText, Metadata, elements};
pub use error::PromptError;
pub use leaves::Leaf;
pub use lint::Lint;
pub use markdown::Markdown;
pub use message::{CachePlan, CachePoint, Content, ImageSource, Message, Role};
pub use node::{
    Attribute, Embedded, Guarding, ItemInfo, List, Location, NodeInfo, Output, Priority, PromptNode, Section,
    SectionInfo, Text, Title, Variable,
};
pub use preview::Preview;
pub use prompt_syntax::{Code, Mark, MarkKind, Target};
pub use render::{HeadingOverflow, Numbering, Prompt, Style};
pub use rendered::{RenderedPrompt, RenderedSection};
pub use template::Template;
#[cfg(feature = "tiktoken")]
pub use tokens::O200k;
pub use tokens::{EstimatedTokens, TokenCounter};
pub use tool::{ToolCall, ToolResult, ToolSpec, ToolSpecError};
pub use visibility::{Overrides, Visibility};
#[cfg(any(feature = "openai", feature = "anthropic", feature = "gemini", feature = "ollama", feature = "mcp"))]
pub use wire::WireError;

#[cfg(feature = "derive")]
pub use prompt_macros::{PromptNode, PromptTask};
