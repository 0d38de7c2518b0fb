//! The grammar of prompt text.
//!
//! The same grammar runs at compile time, inside `#[derive(PromptNode)]`, and at run time, for prompt files and dynamic
//! trees. [`parse`] turns a text into [`Elements`] and reports every [`Problem`] of it in one pass; a [`Lowering`] turns
//! the texts of a node into literals plus tables of [`Mark`]s, which is what a derive emits and what a renderer walks;
//! [`raise`] makes elements of them again. What else there is to know about text (names, tags, code, lines) stands here
//! once, for compile time and run time.
//!
//! Nothing here panics, and everything is linear in the length of the text.
//!
//! ```
//! use prompt_syntax::{Options, Place, lower, parse};
//!
//! let text = "You review {language} code.\n\n## Rules\n\n{PROMPT_SUBTREE}\n\nReply with {\"score\": 1}.";
//! let options = Options { names: &["language"], ..Options::new(Place::Node) };
//!
//! let parsed = parse(text, &options);
//! assert!(parsed.problems.is_empty());
//! assert_eq!(parsed.elements.len(), 4);
//! assert_eq!(parsed.elements.to_markdown(), text);
//!
//! let lowered = lower(&parsed.elements, &[]);
//! assert_eq!(lowered.literal, "You review  code.\n\n## Rules\n\n\n\nReply with {\"score\": 1}.");
//! assert_eq!((lowered.base, lowered.end), (2, 3));
//!
//! let problems = parse("## Rules\n\nsee {PROMPT_SUBTREE}, {langauge}", &options).problems;
//! let facts: Vec<_> = problems.iter().map(|problem| (problem.code.as_str(), problem.line, problem.column)).collect();
//! assert_eq!(facts, [("slot_not_alone", 3, 5), ("unknown_variable", 3, 23)]);
//! ```
#![no_std]
#![forbid(unsafe_code)]
#![cfg_attr(docsrs, feature(doc_cfg))]

extern crate alloc;

pub mod book;
mod brace;
mod check;
mod code;
mod code_span;
mod condition;
mod element;
mod elements;
mod gaps;
mod inline;
mod inline_text;
mod known;
mod lines;
mod lower;
mod mark;
mod name;
mod nearest;
mod options;
mod parse;
mod problem;
mod raise;
mod scan;
mod source;
mod structure;
mod tags;
#[cfg(feature = "serde")]
mod written;

pub use code::Code;
pub use code_span::{CodeKind, CodeRange, code};
pub use element::{Element, Metadata};
pub use elements::{ElementCounts, Elements};
pub use inline_text::{Inline, InlineText};
pub use lines::{columns, list_marker};
pub use lower::{Lowering, MAX_TEXT, lower};
pub use mark::{
    Condition, ConditionForm, Lowered, LoweredText, Mark, MarkKind, Special, Target, Variable,
};
pub use name::{is_key, is_tag, is_tag_byte, key_case, snake_case, tag_lints, title_case};
pub use nearest::nearest;
pub use options::{Options, Place, Specs};
pub use parse::{Parsed, Use, UseKind, parse, parse_free};
pub use problem::{Problem, Span};
pub use raise::{Tables, raise};
pub use tags::{Attribute, PLACEHOLDER, Tag, TagKind, Tags, tag_at, tags};

/// The README's program is compiled and run.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
