//! The grammar of prompt text.
//!
//! The same grammar runs at compile time, inside `#[derive(PromptNode)]`, and at run time, for prompt files and dynamic
//! trees. [`parse`] turns a text into [`Block`]s and reports every [`Problem`] of it in one pass; [`lower`] turns the
//! blocks into one literal text plus a table of [`Mark`]s, which is what a derive emits and what a renderer walks.
//!
//! Nothing here panics, and everything is linear in the length of the text.
//!
//! ```
//! use prompt_syntax::{Options, Place, blocks_source, lower, parse};
//!
//! let text = "You review {language} code.\n\n## Rules\n\n{PROMPT_SUBTREE}\n\nReply with {\"score\": 1}.";
//! let options = Options { names: &["language"], ..Options::new(Place::Node) };
//!
//! let parsed = parse(text, &options);
//! assert!(parsed.problems.is_empty());
//! assert_eq!(parsed.blocks.len(), 4);
//! assert_eq!(blocks_source(&parsed.blocks), text);
//!
//! let lowered = lower(&parsed.blocks);
//! assert_eq!(lowered.literal, "You review  code.\n\n## Rules\n\n\n\nReply with {\"score\": 1}.");
//! assert_eq!((lowered.base, lowered.end), (2, 3));
//!
//! let problems = parse("## Rules\n\nsee {PROMPT_SUBTREE}, {langauge}", &options).problems;
//! let facts: Vec<_> = problems.iter().map(|problem| (problem.code.as_str(), problem.line, problem.column)).collect();
//! assert_eq!(facts, [("slot_not_alone", 3, 5), ("unknown_variable", 3, 23)]);
//! ```
#![no_std]
#![forbid(unsafe_code)]

extern crate alloc;

mod backticks;
mod block;
mod brace;
mod check;
mod code;
mod gaps;
mod inline;
mod known;
mod lines;
mod lower;
mod mark;
mod name;
mod naming;
mod options;
mod parse;
mod print;
mod problem;
mod scan;
mod source;
mod structure;
mod tags;

pub use block::{Block, BlockKind, Inline, Span, Variable};
pub use code::Code;
pub use lower::lower;
pub use mark::{Lowered, Mark, MarkKind, Target};
pub use name::{is_key, is_tag, key_case, nearest, title_case};
pub use naming::tag_lints;
pub use options::{Options, Place, Specs};
pub use parse::{Parsed, parse};
pub use print::{blocks_source, inline_source};
pub use problem::Problem;
