//! Working through a tree, one leaf at a time: what has been collected so far, and what comes next.

pub use crate::collected::{Collected, ContextForm};
pub use crate::prompt::Leaf;
