//! Google's Gemini, `POST /v1beta/models/{model}:generateContent`. The model stands in the address, not in the body;
//! streaming is another address.
//!
//! - System messages at the start are the `systemInstruction`, joined by blank lines. Further down there is no system
//!   role: see [`Options::late_system`].
//! - Turns alternate and the first is the user's; results of tools open the user turn that follows their call. A result
//!   is `{"result": text}`, or `{"error": text}` for a tool that failed.
//! - A call has no id on this wire unless [`Options::call_ids`] asks for it. Calls read without one are `call_1`,
//!   `call_2`, .. in order, and their responses are matched by name and order.
//! - A `thoughtSignature` becomes a [`Content::Signature`](crate::message::Content::Signature) after its piece, and goes back on
//!   the part it came with. It only fits the model that wrote it.
//! - Cache points are ignored: the provider caches the prefix by itself.
//!
//! ```
//! use prompt_core::Message;
//! use prompt_core::wire::gemini;
//!
//! let messages = [Message::system("Be brief."), Message::user("Hello")];
//! let body = gemini::request(&messages, &[], &gemini::Options::new())?;
//! assert_eq!(body["systemInstruction"]["parts"][0]["text"], "Be brief.");
//! # Ok::<(), prompt_core::wire::WireError>(())
//! ```

mod decode;
mod encode;
mod options;

pub use decode::{messages, tool_calls};
pub use encode::{request, tool_results};
pub use options::Options;

const FORMAT: &str = "gemini";
