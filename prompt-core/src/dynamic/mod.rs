//! Nodes that are built or loaded at run time: the same texts, rules and output as a derived type; and derived types with
//! another wording.
//!
//! A file is read as values with places (`file`, `json`, `toml`, `given`), and these become a tree of nodes with the keys
//! of the book (`read`, `keys`; a `builder` makes the same). `build` checks it by the `rules` and describes each node: its
//! `texts` and the `forms` of values are read by the `parser` and get numbers for what they use. While a node prints,
//! `scope` says what those numbers stand for, among the values that are `bound` (`serializer`). All that is wrong is
//! collected as `fault`s, each with its place in the tree and in the file.

mod answers;
mod bound;
mod build;
mod builder;
mod fault;
mod file;
mod forms;
mod given;
mod json;
mod keys;
mod load;
mod names;
mod node;
mod parser;
mod read;
mod rewording;
mod rules;
mod schema;
mod scope;
mod serializer;
mod skeleton;
mod texts;
#[cfg(feature = "toml")]
mod toml;
mod wording;
mod words;

pub use builder::DynamicNodeBuilder;
pub use node::DynamicNode;
pub use schema::json_schema;
pub use wording::{Wordings, with_text};

/// Levels of sections in a tree: all that goes through one does so by recursion.
pub(crate) const MAX_DEPTH: usize = 128;

/// Levels of sections that JSON and TOML carry; deeper trees go through the builder. (Parsers limit nesting too:
/// `serde_json` at 128 brackets, of which a level takes two, `toml` at 80 tables.)
pub(crate) const MAX_FILE_DEPTH: usize = 60;
