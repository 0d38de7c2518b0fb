//! Nodes that are built or loaded at run time: the same texts, rules and output as a derived type; and derived types with
//! another wording.

mod attributes;
mod build;
mod builder;
mod check;
mod course;
mod deep;
mod file;
mod load;
mod node;
mod path;
mod reworded;
mod spec;
mod straight;
mod template;
mod value;
mod written;

pub use crate::node::{Guarding, Priority};
pub use builder::DynamicNodeBuilder;
pub use node::DynamicNode;
pub use reworded::{Reworded, with_text};

/// Levels of nesting that JSON and TOML carry; deeper trees go through the builder. (Parsers limit nesting too:
/// `serde_json` at 128 brackets, of which a level takes two.)
pub(crate) const MAX_DEPTH: usize = 60;
