//! Anthropic's Messages, `POST /v1/messages` with the header `anthropic-version: 2023-06-01`.
//!
//! - System messages at the start are the blocks of `system`. Further down the format has none by default, see
//!   [`Options::late_system`].
//! - Turns alternate and the first is the user's; results of tools open the user turn that follows their call.
//! - A text without a visible character is refused by the provider: it is left out beside other pieces, and an error
//!   alone.
//! - Cache points are written as `cache_control`, at most four with the one after the tools. Lifetimes up to 5 minutes
//!   are `5m`, longer ones `1h`; one of an hour after one of 5 minutes is written as 5 minutes.
//! - A thought travels with its [`Signature`](crate::message::Content::Signature); a resource is a text document whose title is
//!   the address and whose `context` is the media type.
//!
//! ```
//! use prompt_core::message::CachePoint;
//! use prompt_core::Message;
//! use prompt_core::wire::anthropic;
//!
//! let messages = [Message::system("Be brief.").cached(CachePoint::one_hour()), Message::user("Hello")];
//! let body = anthropic::request(&messages, &[], &anthropic::Options::new("claude-sonnet-4-6", 1024))?;
//! assert_eq!(body["system"][0]["cache_control"]["ttl"], "1h");
//! # Ok::<(), prompt_core::wire::WireError>(())
//! ```

mod decode;
mod encode;
mod options;

pub use decode::{messages, tool_calls};
pub use encode::{request, tool_results};
pub use options::Options;

const FORMAT: &str = "anthropic";
