//! Messages and tools: what prompts and requests share.

pub mod message;
pub mod tool;
