//! Shared parts of the example programs.
#![forbid(unsafe_code)]

pub mod documentation;
#[cfg(feature = "live")]
pub mod live;
pub mod verification;
