#![doc = include_str!("../README.md")]
#![forbid(unsafe_code)]
#![cfg_attr(docsrs, feature(doc_cfg))]

#[cfg(feature = "answer")]
pub mod answer;
pub mod conversation;
pub mod guide;
mod telemetry;
#[cfg(feature = "testing")]
pub mod testing;
#[cfg(feature = "answer")]
pub mod tools;
pub mod wire;

pub use conversation::Conversation;
#[cfg(feature = "answer")]
pub use tools::Tools;
