//! The text of a node as a list.

mod cases;
mod laws;
