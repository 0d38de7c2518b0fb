//! Messages and tools in the JSON of the providers, and back.
//!
//! One module per format, each behind its feature: `openai_chat` and `openai_responses` (feature `openai`),
//! `anthropic`, `gemini`, `ollama`, `mcp`. [`Provider`] serves those of models: [`request`](Provider::request) gives
//! the body to send, [`read`](Provider::read) takes the status, headers and bytes that come back, and
//! [`stream`](Provider::stream) the same piece by piece. The modules have the functions of one format.
//!
//! No client crate is involved, and nothing does I/O: what is sent is JSON whose bytes are equal for equal input.
//! The properties of schemas are in the order of their declaration, lists in the order given, all other keys as they are written.
//!
//! ```
//! # #[cfg(feature = "anthropic")] {
//! use prompt_core::Message;
//! use prompt_agent::wire::{Provider, RequestOptions, StopReason};
//!
//! let provider: Provider = "anthropic".parse()?;
//! let mut messages = vec![Message::user("How deep is it here?")];
//! let body = provider.request(&messages, &[], &RequestOptions::new("claude-sonnet-4-6"))?;
//! // .. send the body, and read what comes back: status, headers, bytes
//! # let (status, headers) = (200, [("content-type", "application/json")]);
//! # let bytes = br#"{ "content": [{ "type": "text", "text": "Two fathoms." }], "stop_reason": "end_turn" }"#;
//! let reply = provider.read(status, headers, bytes)?;
//! assert_eq!(reply.stop, StopReason::End);
//! messages.push(reply.message);
//! # assert_eq!(body["messages"][0]["role"], "user");
//! # }
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # One line per client
//!
//! | client | line |
//! |---|---|
//! | async-openai | the body itself to a `_byot` method |
//! | misanthropic | `let prompt: misanthropic::Prompt = serde_json::from_value(body)?;` |
//! | rmcp | `let result: GetPromptResult = serde_json::from_value(mcp::prompts_get(..)?)?;` |
//! | any HTTP client | `client.post(url).json(&body)`, then `provider.read(status, &headers, &bytes)` on what comes back, or `StreamReader::push_bytes` on each piece of it |
//!
//! # What every format does
//!
//! - Tool results are placed where the provider wants them, even if a later message carried them: as messages right
//!   after the call, or at the start of the next user turn.
//! - Neighbours of one role stay separate, or are merged under [`Alternation::Strict`]; nothing is dropped. Formats
//!   with one string for several texts join them with a blank line. An empty text beside other pieces is left out.
//! - At most four cache points are written: the first and the last three. A lifetime that a provider does not offer
//!   becomes the one it offers that comes closest; formats without cache markers ignore the points.
//! - A failed result says so: in the format's field, or as `Error: ` before its text.
//! - A reply can be appended to the messages, saved, and sent back: every leaf of what the model said is in the next
//!   request to the same provider. What this library has no word for is [`Content::Native`](prompt_core::Content::Native), or
//!   [`Content::Extra`](prompt_core::Content::Extra) behind the piece that it stands beside. To another provider it is left out,
//!   and so are thoughts and signatures; [`Provider::left_out`] says what. A native call is sent as one of ours.
//! - Arguments that are no JSON object, or that have numbers beyond 64 bits, are kept as a string with the text that the
//!   model wrote, and go back unchanged. In formats that take objects only, such numbers are strings, and what is no object
//!   is `{}`. (A provider that sends objects has its numbers read before this library sees them.)
//! - Names of called tools that no provider takes, and ids that this one does not, are data of a model: they are sent with
//!   other characters, in the call and in its result alike. Only a name in the tools of a request is refused.
//! - What a format cannot express is a [`WireError`] that names the message, or the tool and the place in its schema.

// With only some formats, parts of what all share lie idle.
#![cfg_attr(
    not(all(
        feature = "openai",
        feature = "anthropic",
        feature = "gemini",
        feature = "ollama",
        feature = "mcp"
    )),
    allow(dead_code)
)]

mod answer;
#[cfg(feature = "anthropic")]
pub mod anthropic;
mod arguments;
mod dialect;
mod error;
#[cfg(feature = "gemini")]
pub mod gemini;
mod halves;
mod lines;
#[cfg(feature = "mcp")]
pub mod mcp;
mod names;
#[cfg(feature = "ollama")]
pub mod ollama;
#[cfg(feature = "openai")]
mod openai;
#[cfg(feature = "openai")]
pub mod openai_chat;
#[cfg(feature = "openai")]
pub mod openai_responses;
mod options;
mod piece;
mod provider;
mod reply;
mod response;
mod stream;
mod tools;
mod turn;
mod usage;

pub use error::WireError;
pub use options::{Alternation, LateSystem, RequestOptions, SystemRole, ToolChoice};
pub use piece::LeftOut;
pub use provider::Provider;
pub use reply::{Reply, StopReason};
pub use stream::{Delta, StreamReader};
pub use usage::Usage;
