//! Trees of nodes: walked, focused, rendered.

mod asked;
mod focus;
mod properties;
mod spacing;
mod walking;
