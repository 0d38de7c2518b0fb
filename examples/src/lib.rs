//! Shared parts of the example programs.
#![forbid(unsafe_code)]

#[cfg(feature = "live")]
pub mod live;
pub mod verification;
