//! Trees of nodes: walked, focused, rendered.

mod asked;
mod files;
mod focus;
mod page;
mod keys;
mod properties;
mod spacing;
mod walking;
