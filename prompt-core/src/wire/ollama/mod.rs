//! Ollama, `POST /api/chat`.
//!
//! - A message is one string: several texts are joined by a blank line, images stand beside it in base64. Texts go
//!   before the tool calls of their message.
//! - Calls have no ids: results are matched by the name of the tool and by order. Calls read are `call_1`, `call_2`, ..
//!   unless the server gives ids; [`Options::call_ids`] writes them.
//! - [`is_error`](crate::tool::ToolResult::is_error) has no place here: the text of the result has to say it.
//! - Cache points are ignored: the server keeps the prefix by itself.
//!
//! ```
//! use prompt_core::Message;
//! use prompt_core::wire::ollama;
//!
//! let body = ollama::request(&[Message::user("Hello")], &[], &ollama::Options::new("qwen3"))?;
//! let expected = r#"{"model":"qwen3","messages":[{"role":"user","content":"Hello"}],"stream":false}"#;
//! assert_eq!(body.to_string(), expected);
//! # Ok::<(), prompt_core::wire::WireError>(())
//! ```

mod decode;
mod encode;
mod options;

pub use decode::{messages, tool_calls};
pub use encode::{request, tool_results};
pub use options::Options;

const FORMAT: &str = "ollama";
