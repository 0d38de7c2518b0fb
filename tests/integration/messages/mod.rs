//! A rendered prompt as messages, with cache points.

mod cache_plan;
mod examples;
mod json;
mod laws;
mod spliced;
mod start_end;
