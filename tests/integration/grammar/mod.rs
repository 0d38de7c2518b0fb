//! What the grammar reads, refuses and lowers.

mod laws;
mod lowering;
mod rules;
