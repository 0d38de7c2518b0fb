//! Assembly: one call's messages, joined from three sources that know nothing of each other.
//!
//! In come the task's own texts, what the adapter of an interface adds for this task (a [`Registry`]), and what the
//! user wants to have said (a [`PromptConfig`]); out come [`Message`](crate::message::Message)s that fit the
//! [`Capabilities`] of the interface, and a record of who wrote which bytes. The pattern follows the public project
//! karenina.

mod assembled;
mod assembler;
mod capabilities;
mod config;
mod context;
mod error;
mod global;
mod joined;
mod registry;
mod task;
mod task_text;

pub use assembled::{Assembled, Provenance, TextSource};
pub use assembler::Assembler;
pub use capabilities::Capabilities;
pub use config::PromptConfig;
pub use context::AdapterContext;
pub use error::{AssemblyError, UnknownEntry};
pub use global::GlobalRegistry;
pub use registry::{AdapterFactory, AdapterInstruction, Registry, RegistryBuilder};
pub use task::{PromptTask, UnknownTask};
pub use task_text::TaskText;
