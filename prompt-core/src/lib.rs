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
//!     reviewer.prompt().text().unwrap(),
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
pub mod assembly;
pub mod budget;
mod collected;
pub mod compaction;
pub mod diagnostics;
pub mod disclosure;
pub mod dynamic;
pub mod elements;
mod error;
pub mod lint;
mod markdown;
pub mod message;
mod node;
mod outline;
mod preview;
mod print;
pub mod prompt;
mod show;
mod telemetry;
mod template;
pub mod tokens;
pub mod tool;
pub mod tree;
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

pub use assembly::{Assembler, PromptTask};
pub use budget::Budget;
pub use compaction::History;
pub use diagnostics::Diagnostics;
pub use disclosure::Disclosure;
pub use dynamic::DynamicNode;
pub use error::PromptError;
pub use markdown::Markdown;
pub use message::{Content, Message, Role};
pub use node::Embedded;
pub use print::Style;
pub use prompt::{Prompt, PromptNode, RenderedPrompt};
pub use prompt_syntax::Code;
pub use template::Template;
pub use tool::{ToolCall, ToolResult, ToolSpec};
pub use visibility::{Overrides, Visibility};

#[cfg(feature = "derive")]
pub use prompt_macros::{PromptNode, PromptTask};
