//! Shared parts of the example programs.

#[cfg(feature = "live")]
pub mod live;
