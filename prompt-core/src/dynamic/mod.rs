//! Nodes that are built or loaded at run time: the same texts, rules and output as a derived type.

mod build;
mod builder;
mod check;
mod deep;
mod format;
mod node;
mod spec;
mod written;

pub use builder::DynamicNodeBuilder;
pub use node::DynamicNode;

/// Levels of nesting that JSON and TOML carry; deeper trees go through the builder. (Parsers limit nesting too:
/// `serde_json` at 128 brackets, of which a level takes two.)
pub(crate) const MAX_DEPTH: usize = 60;
