//! Prompts as Rust types: a struct with doc comments is the prompt, and the compiler checks it.
//!
//! ```
//! use prompt_core::PromptNode;
//!
//! /// You review {language} code.
//! ///
//! /// {?strict}End with a line that says APPROVE or REJECT.
//! #[derive(PromptNode)]
//! struct Reviewer {
//!     language: String,
//!     strict: bool,
//!
//!     /// Read the diff twice before the first comment.
//!     #[section]
//!     method: (),
//! }
//!
//! let reviewer = Reviewer { language: "Rust".into(), strict: false, method: () };
//! println!("{}", reviewer.prompt().render()?);
//! # assert_eq!(
//! #     reviewer.prompt().text()?,
//! #     "You review Rust code.\n\n# Method\n\nRead the diff twice before the first comment."
//! # );
//! # Ok::<(), prompt_core::PromptError>(())
//! ```
//!
//! prints
//!
//! ```text
//! You review Rust code.
//!
//! # Method
//!
//! Read the diff twice before the first comment.
//! ```
//!
//! and a word that is no field does not compile:
//!
//! ```text
//! error: unknown variable `langage` (column 16) [unknown_variable]
//!        help: a field with a similar name exists: `language`
//!  --> src/main.rs:3:1
//!   |
//! 3 | /// You review {langage} code.
//!   | ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
//! ```
//!
//! New here: [the guide](guide), beginning with [a first prompt](guide::first_prompt). Looking something up: [the
//! language](guide::language) of prompt text, [what you want to do](guide::index) and the key for it, [the
//! attributes](guide::attributes) of the derive, [the codes](guide::codes) of all diagnostics.
//!
//! | for | see | guide |
//! |---|---|---|
//! | a type as a prompt | [`PromptNode`] and its derive | [`first_prompt`](guide::first_prompt), [`real_prompts`](guide::real_prompts) |
//! | prompts made of prompts | [`PromptNode`], [`Markdown`] | [`composing`](guide::composing) |
//! | options and output | [`Prompt`], [`RenderedPrompt`], [`Style`] | [`first_prompt`](guide::first_prompt) |
//! | summaries and `open_sections` | [`Disclosure`], [`Overrides`] | [`disclosure`](guide::disclosure) |
//! | tags, text that you do not trust | [`mod@xml`] | [`user_text`](guide::user_text) |
//! | token limits | [`Budget`], [`tokens`] | [`budgets`](guide::budgets) |
//! | skills: `SKILL.md` files | [`Skill`], [`Markdown::front_matter`] | [`skills`](guide::skills) |
//! | messages, tools | [`Message`], [`ToolSpec`] | [`messages`](guide::messages) |
//! | instructions from several sources | [`Assembler`] | [`messages`](guide::messages) |
//! | long histories | [`History`], [`compaction`] | [`conversations`](guide::conversations) |
//! | prompts at run time | [`DynamicNode`], [`Template`] | [`run_time`](guide::run_time) |
//! | other texts for a type | [`dynamic::Wordings`], [`dynamic::with_text`] | [`wordings`](guide::wordings) |
//! | one leaf at a time | [`Prompt::focus`], [`tree`] | [`composing`](guide::composing) |
//! | tests and reviews of prompts | [`Prompt::preview`], [`Prompt::lint`] | [`testing`](guide::testing) |
//!
//! # Features
//!
//! | feature | adds |
//! |---|---|
//! | `derive` (default) | `#[derive(PromptNode)]`, `#[derive(PromptTask)]` |
//! | `tiktoken` | `tokens::O200k`, exact counts |
//! | `schemars` | `ToolSpec::of::<T>(name)` |
//! | `toml` | `DynamicNode::from_toml`, `PromptConfig::from_toml` |
//! | `yaml` | `Skill::parse`: the front matter of `SKILL.md` files |
//! | `elements` | lists of elements as serde data |
//! | `tracing` | spans with the attribute names of the OpenTelemetry GenAI conventions |
//!
//! Two crates stand on it: `prompt-agent` for everything that talks with a model (requests and
//! replies of each provider, typed answers, a conversation that is saved as one value), and
//! `prompt-review` for those who read prompts (pages of prompts and of what changed in them, and
//! the command `prompt` for prompt files).
//!
//! No async runtime, no client crate, no `unsafe` code. MSRV 1.88.
#![forbid(unsafe_code)]
#![cfg_attr(docsrs, feature(doc_cfg))]

#[doc(hidden)]
#[path = "private.rs"]
pub mod __private;
pub mod assembly;
pub mod compaction;
pub mod disclosure;
mod document;
pub mod dynamic;
mod errors;
pub mod guide;
mod messages;
mod node;
mod page;
pub mod prompt;
mod select;
pub mod tokens;
pub mod xml;

/// Working through a tree, one leaf at a time: what has been collected so far, and what comes next.
pub mod tree {
    pub use crate::node::{Collected, ContextForm};
    pub use crate::prompt::Leaf;
}

pub use errors::diagnostics;
#[doc(hidden)]
pub use messages::saved;
pub use messages::{message, tool};
pub use node::elements;
pub use prompt::lint;
pub use select::budget;

pub use assembly::{Assembler, PromptTask};
pub use budget::Budget;
pub use compaction::History;
pub use diagnostics::Diagnostics;
pub use disclosure::Disclosure;
pub use dynamic::DynamicNode;
pub use errors::PromptError;
pub use message::{Content, Message, Role};
pub use node::{Embedded, Markdown, Overrides, Template, Visibility};
pub use page::Style;
pub use prompt::{Prompt, PromptNode, RenderedPrompt, Skill, SkillError};
pub use prompt_syntax::Code;
pub use tool::{ToolCall, ToolResult, ToolSpec};

#[cfg(feature = "derive")]
pub use prompt_macros::{PromptNode, PromptTask};
