//! The grammar of prompt text.
//!
//! The same grammar runs at compile time, inside `#[derive(PromptNode)]`, and at run time, for prompt files and dynamic
//! trees. [`parse`] turns a text into [`Block`]s and reports every [`Problem`] of it in one pass; [`lower`] turns the
//! blocks into one literal text plus a table of [`Mark`]s, which is what a derive emits and what a renderer walks.
//!
//! Nothing here panics, and everything is linear in the length of the text.
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
