//! What is shown: what a budget keeps of a prompt, and what the calls of a model open.

pub mod budget;
pub(crate) mod opening;
pub(crate) mod telemetry;
