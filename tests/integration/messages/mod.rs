//! A rendered prompt as messages, with cache points.

mod cache_plan;
mod json;
mod spliced;
