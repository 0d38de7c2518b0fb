//! The grammar of prompt text.
//!
//! The same grammar runs at compile time, inside `#[derive(PromptNode)]`, and at run time, for prompt files and dynamic
//! trees. [`parse`] turns a text into [`Elements`], a nested list that a derive emits as it is and a renderer walks, and
//! reports every [`Problem`] of it in one pass; [`Tables`] number the names that the texts of a node use. What else there
//! is to know about text (names, tags, code, lines) stands here once, for compile time and run time.
//!
//! Nothing here panics, and everything is linear in the length of the text.
//!
//! ```
//! use prompt_syntax::{Context, Options, Place, Tables, parse};
//!
//! let text = "You review {language} code.\n\n## Rules\n\n{PROMPT_SUBTREE}\n\nReply with {\"score\": 1}.";
//! let options = Options { names: &["language"], ..Options::new(Place::Node) };
//!
//! let parsed = parse(text, &options);
//! assert!(parsed.problems.is_empty());
//! assert_eq!(parsed.elements.len(), 4);
//! assert_eq!(parsed.elements.to_markdown(), text);
//!
//! let mut tables = Tables::new(&[]);
//! let numbered = tables.text(parsed.elements, &Context::default());
//! assert_eq!((tables.values()[0].name.as_str(), numbered.base, numbered.end), ("language", 2, 3));
//!
//! let problems = parse("## Rules\n\nsee {PROMPT_SUBTREE}, {langauge}", &options).problems;
//! let facts: Vec<_> = problems.iter().map(|problem| (problem.code.as_str(), problem.line, problem.column)).collect();
//! assert_eq!(facts, [("slot_not_alone", 3, 5), ("unknown_variable", 3, 23)]);
//! ```
#![no_std]
#![forbid(unsafe_code)]
#![cfg_attr(docsrs, feature(doc_cfg))]

extern crate alloc;

mod blocks;
pub mod book;
mod brace;
mod branches;
mod build;
mod check;
mod code;
mod code_span;
mod condition;
#[cfg(feature = "serde")]
mod data;
mod element;
mod elements;
mod findings;
mod front_matter;
#[doc(hidden)]
pub mod holding;
#[doc(hidden)]
pub mod info;
mod inline;
mod inline_text;
mod known;
mod lines;
#[doc(hidden)]
pub mod lower;
mod name;
mod nearest;
mod nest;
mod options;
mod parse;
mod problem;
mod scan;
mod slips;
mod source;
#[doc(hidden)]
pub mod spec;
mod structure;
mod tables;
mod tags;
mod text_lines;
mod token;
mod uses;
#[doc(hidden)]
pub mod wording;
mod words;

pub use brace::is_identifier;
pub use branches::{Each, Form, If, List, Part, Str};
pub use code::Code;
pub use code_span::{CodeKind, CodeRange, code};
pub use element::{Element, Margins, Metadata, Target};
pub use elements::{ElementCounts, Elements};
pub use front_matter::{FrontMatter, NoFrontMatter, front_matter};
pub use inline_text::{Inline, InlineText, Special};
pub use lines::{columns, list_marker};
pub use name::{
    KEY_RULE, TAG_RULE, is_key, is_tag, is_tag_byte, key_case, snake_case, tag_lints, title_case,
};
pub use nearest::nearest;
pub use options::{MAX_TEXT, Options, Place, Specs};
pub use parse::{Parsed, parse, parse_free};
pub use problem::{LineCounter, Problem, Span};
pub use tables::{Context, Loop, Origin, Tables, Text, Used};
pub use tags::{Tag, TagEnd, TagInside, TagKind, TagRest, Tags, loose_tag_at, tag_at, tags};
pub use token::{ITEM_NAMES, LoopName};
pub use uses::{InLoop, Use, UseKind};
pub use words::TagPlace;

/// The README's program is compiled and run.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
