//! Prompts as Rust types: a struct with doc comments is the prompt, and the compiler checks it.
//!
//! ```
//! use prompt_core::PromptNode;
//!
//! /// You review {language} code.
//! #[derive(PromptNode)]
//! struct Reviewer {
//!     language: String,
//!
//!     /// Read the diff twice before the first comment.
//!     #[section]
//!     method: (),
//! }
//!
//! let reviewer = Reviewer { language: "Rust".into(), method: () };
//! assert_eq!(
//!     reviewer.prompt().to_string(),
//!     "You review Rust code.\n\n# Method\n\nRead the diff twice before the first comment."
//! );
//! ```
//!
//! Where to look:
//!
//! | for | see |
//! |---|---|
//! | the attributes of the derive | [`macro@PromptNode`] |
//! | options and output | [`Prompt`], [`RenderedPrompt`] |
//! | prompts at run time | [`DynamicNode`], [`Template`], [`Markdown`] |
//! | the text as a list | [`Elements`] |
//! | summaries and `open_sections` | [`Overrides`], [`Disclosure`] |
//! | token limits | [`Budget`], [`TokenCounter`] |
//! | tags in text | [`mod@xml`] |
//! | one leaf at a time | [`Prompt::focus`], [`Prompt::next`], [`Collected`] |
//! | messages and providers | [`Message`], [`CachePlan`], `wire` (with a provider's feature) |
//! | instructions from several sources | [`Assembler`] |
//! | long histories | [`History`], [`Compactor`], [`mod@compaction`] |
//! | every diagnostic | [`Code`] |
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
#[cfg(any(
    feature = "openai",
    feature = "anthropic",
    feature = "gemini",
    feature = "ollama",
    feature = "mcp"
))]
pub mod wire;
pub mod xml;

pub use assembly::{
    AdapterContext, AdapterFactory, AdapterInstruction, Assembled, Assembler, AssemblyError,
    Capabilities, GlobalRegistry, PromptConfig, PromptTask, Provenance, Registry, RegistryBuilder,
    TaskText, TextSource, UnknownEntry, UnknownTask,
};
pub use budget::{Budget, BudgetReport, BudgetedSection, Outcome, Policy, Reason};
pub use collected::{Collected, ContextForm};
pub use compaction::{
    Compact, CompactForm, Compacted, CompactionConfig, CompactionConfigBuilder, CompactionError,
    CompactionReport, Compactor, CostModel, CustomExtractor, Extractor, Finding, History,
    HistoryPolicy, Item, Kind, RECAP_STUB, RecapForm, Simulation, Trigger, simulate,
};
pub use diagnostics::{Diagnostic, Diagnostics};
pub use disclosure::{
    Delivery, Disclosure, DisclosureError, DisclosureState, ToolError, ToolFault, ToolInvoked,
    ToolOutcome, ToolValidationError, TurnPlan, VisibilityExpansionRequired,
};
pub use dynamic::{DynamicNode, DynamicNodeBuilder};
pub use element::{Element, ElementCounts, Elements, Inline, InlineText, Metadata, elements};
pub use error::PromptError;
pub use leaves::Leaf;
pub use lint::Lint;
pub use markdown::Markdown;
pub use message::{CachePlan, CachePoint, Content, ImageSource, Message, Role};
pub use node::{
    Attribute, Embedded, Guarding, ItemInfo, List, Location, NodeInfo, Output, Priority,
    PromptNode, Section, SectionInfo, Text, Title, Variable,
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
#[cfg(any(
    feature = "openai",
    feature = "anthropic",
    feature = "gemini",
    feature = "ollama",
    feature = "mcp"
))]
pub use wire::WireError;

#[cfg(feature = "derive")]
pub use prompt_macros::{PromptNode, PromptTask};
