//! Token counters, and what a budget keeps.

mod properties;
mod rules;
mod tokens;
