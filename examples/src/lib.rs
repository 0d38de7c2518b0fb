//! Shared pieces of the examples.
#![forbid(unsafe_code)]

pub mod prompt_file;
pub mod report;
pub mod verification;
