//! Trees of nodes: walked, focused, rendered.

mod focus;
mod properties;
mod spacing;
mod walking;
