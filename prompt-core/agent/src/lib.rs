#![doc = include_str!("../README.md")]
#![forbid(unsafe_code)]
#![cfg_attr(docsrs, feature(doc_cfg))]

#[cfg(feature = "answer")]
pub mod answer;
pub mod conversation;
pub mod guide;
mod telemetry;
#[cfg(all(
    feature = "testing",
    any(
        feature = "openai",
        feature = "anthropic",
        feature = "gemini",
        feature = "ollama"
    )
))]
pub mod testing;
#[cfg(any(
    feature = "openai",
    feature = "anthropic",
    feature = "gemini",
    feature = "ollama",
    feature = "mcp"
))]
pub mod wire;

pub use conversation::Conversation;
