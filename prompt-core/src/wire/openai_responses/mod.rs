//! `OpenAI`'s Responses, `POST /v1/responses`.
//!
//! - System messages at the start travel as `instructions`; with breakpoints on they are input messages, because
//!   `instructions` is a plain string. System messages further down are always input messages.
//! - A message of the model is one item per text and per call.
//! - [`is_error`](crate::tool::ToolResult::is_error) has no place here: the text of the result has to say it.
//! - Items this library has no word for (reasoning, calls of hosted tools) are kept as
//!   [`Content::Native`](crate::message::Content::Native) and sent back unchanged.
//!
//! ```
//! use prompt_core::Message;
//! use prompt_core::wire::openai_responses;
//!
//! let options = openai_responses::Options::new("gpt-5.6");
//! let body = openai_responses::request(&[Message::system("Be brief."), Message::user("Hello")], &[], &options)?;
//! assert_eq!(body["instructions"], "Be brief.");
//! assert_eq!(body["input"][0]["content"][0]["text"], "Hello");
//! # Ok::<(), prompt_core::wire::WireError>(())
//! ```

mod decode;
mod encode;
mod options;

pub use decode::{messages, tool_calls};
pub use encode::{request, tool_results};
pub use options::Options;

const FORMAT: &str = "openai_responses";
