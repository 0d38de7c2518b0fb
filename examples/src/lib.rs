//! Shared parts of the example programs.
#![forbid(unsafe_code)]

pub mod agent_prompt;
#[cfg(feature = "live")]
pub mod live;
pub mod verification;
