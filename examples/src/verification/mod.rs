//! A verification pipeline: a model answers a question, and other calls parse the answer, look for refusals, grade it
//! by rubrics and judge the evidence. Twenty-four kinds of call, seven interfaces, one assembly for all of them.
//!
//! The pipeline, its tasks and which adapter adds something where follow the public project karenina; every text is our
//! own.

mod adapters;
mod task;
mod texts;

pub use adapters::{INTERFACES, registry};
pub use task::VerificationTask;
pub use texts::{Exchange, task_texts};
