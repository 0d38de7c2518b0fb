//! Trees of nodes: walked, focused, rendered.

mod asked;
mod files;
mod focus;
mod properties;
mod spacing;
mod walking;
