//! Trees of nodes: walked, focused, rendered.

mod allocations;
mod asked;
mod files;
mod focus;
mod found;
mod keys;
mod own_prompt;
mod page;
mod parity;
mod properties;
mod reworded;
mod run_time;
mod schema;
mod slips;
mod spacing;
mod straight;
mod straight_built;
mod tester;
mod walking;
mod wordings;
