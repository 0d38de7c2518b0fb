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

mod block;
mod code;
mod mark;
mod nearest;
mod options;
mod problem;

pub use block::{Block, BlockKind, Inline, Span, Variable};
pub use code::Code;
pub use mark::{Lowered, Mark, MarkKind, Target};
pub use nearest::nearest;
pub use options::{Options, Place, Specs};
pub use problem::Problem;
/// Parsed
pub struct Parsed {
    /// b
    pub blocks: alloc::vec::Vec<Block>,
    /// p
    pub problems: alloc::vec::Vec<Problem>,
}
/// stub
pub fn parse(_: &str, _: &Options<'_>) -> Parsed {
    Parsed { blocks: alloc::vec::Vec::new(), problems: alloc::vec::Vec::new() }
}
/// stub
pub fn lower(_: &[Block]) -> Lowered {
    Lowered::default()
}
/// stub
pub fn inline_source(_: &[Inline]) -> alloc::string::String {
    alloc::string::String::new()
}
/// stub
pub fn is_key(_: &str) -> bool {
    true
}
