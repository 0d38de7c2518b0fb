//! `OpenAI`'s Chat Completions, `POST /v1/chat/completions`, which many other servers speak too.
//!
//! - Texts go before the tool calls of their message; the format cannot interleave them.
//! - [`is_error`](crate::tool::ToolResult::is_error) has no place here: the text of the result has to say it.
//! - Cache points are written only on demand, see [`Options::breakpoints`].
//!
//! ```
//! use prompt_core::Message;
//! use prompt_core::wire::openai_chat;
//!
//! let options = openai_chat::Options::new("gpt-5.6");
//! let body = openai_chat::request(&[Message::user("Hello")], &[], &options)?;
//! assert_eq!(body.to_string(), r#"{"model":"gpt-5.6","messages":[{"role":"user","content":"Hello"}]}"#);
//! # Ok::<(), prompt_core::wire::WireError>(())
//! ```

mod decode;
mod encode;
mod options;

pub use decode::{messages, tool_calls};
pub use encode::{request, tool_results};
pub use options::Options;

const FORMAT: &str = "openai_chat";
