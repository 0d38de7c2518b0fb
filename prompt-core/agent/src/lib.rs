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
pub mod wire;

pub use conversation::Conversation;
