//! Messages and tools: what prompts and requests share; and the version of what is saved of them.

pub mod message;
pub mod saved;
pub mod tool;
