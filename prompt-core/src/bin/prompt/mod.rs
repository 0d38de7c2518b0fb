//! The command for prompt files, as functions from arguments to an [`Outcome`](run::Outcome), so that a test runs what the
//! terminal runs.

pub mod arguments;
mod files;
pub mod run;
pub mod source;
pub mod watch;
