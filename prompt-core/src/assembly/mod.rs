//! Assembly: one call's messages, joined from three sources that know nothing of each other.
//!
//! In come the task's own texts, what the adapter of an interface adds for this task (a [`Registry`]), and what the
//! user adds (a [`PromptConfig`]); out come [`Message`](crate::message::Message)s that fit the
//! [`Capabilities`] of the interface, and a record of who wrote which bytes. The pattern follows the public project
//! karenina.

mod assembled;
mod assembler;
mod config;
mod error;
mod registry;
pub(crate) mod task;

pub use assembled::{Assembled, Provenance, TextSource};
pub use assembler::{Assembler, Capabilities, TaskText};
pub use config::PromptConfig;
pub use error::AssemblyError;
pub use registry::{AdapterContext, AdapterInstruction, Registry, RegistryBuilder};
pub use task::PromptTask;
