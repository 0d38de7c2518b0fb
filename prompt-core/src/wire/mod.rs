//! Messages and tools in the JSON of the providers, and back.
//!
//! One module per format, each behind its feature: `openai_chat` and `openai_responses` (feature `openai`),
//! `anthropic`, `gemini`, `ollama`, `mcp`. Each has `request` (the body to send), `tool_calls` and `messages` (what came
//! back), and `tool_results` (the answer to calls). No client crate is involved: the result is a
//! [`serde_json::Value`] with a stable order of keys, so equal input gives equal bytes.
//!
//! # One line per client
//!
//! | client | line |
//! |---|---|
//! | async-openai | `let request: CreateChatCompletionRequest = serde_json::from_value(body)?;` (likewise `CreateResponse`), or the body itself to a `_byot` method |
//! | misanthropic | `let prompt: misanthropic::Prompt = serde_json::from_value(body)?;` |
//! | rmcp | `let result: GetPromptResult = serde_json::from_value(mcp::prompts_get(..)?)?;` |
//! | any HTTP client | `client.post(url).json(&body)`, then `tool_calls(&reply)` on the JSON that comes back |
//!
//! # What every format does
//!
//! - Tool results are placed where the provider wants them, even if a later message carried them: as messages right
//!   after the call, or at the start of the next user turn.
//! - Neighbours of one role stay separate, or are merged under [`Alternation::Strict`]; nothing is dropped. Formats
//!   with one string for several texts join them with a blank line. An empty text beside other pieces is left out.
//! - At most four cache points are written: the first and the last three. A lifetime that a provider does not offer
//!   becomes the one it offers that comes closest; formats without cache markers ignore the points.
//! - What a format cannot express is a [`WireError`] that names the message.

#[cfg(feature = "anthropic")]
pub mod anthropic;
#[cfg(any(feature = "gemini", feature = "ollama"))]
mod call_ids;
mod error;
#[cfg(feature = "gemini")]
pub mod gemini;
#[cfg(feature = "mcp")]
pub mod mcp;
#[cfg(feature = "ollama")]
pub mod ollama;
#[cfg(feature = "openai")]
pub mod openai_chat;
#[cfg(feature = "openai")]
mod openai_parts;
#[cfg(feature = "openai")]
pub mod openai_responses;
// Shared by all formats: with only some of them, parts of these lie idle.
#[cfg_attr(
    not(all(
        feature = "openai",
        feature = "anthropic",
        feature = "gemini",
        feature = "ollama"
    )),
    allow(dead_code)
)]
mod reader;
#[cfg_attr(
    not(all(
        feature = "openai",
        feature = "anthropic",
        feature = "gemini",
        feature = "ollama"
    )),
    allow(dead_code)
)]
mod tools;
#[cfg_attr(
    not(all(
        feature = "openai",
        feature = "anthropic",
        feature = "gemini",
        feature = "ollama"
    )),
    allow(dead_code)
)]
mod turn;

use crate::message::Content;

pub use error::WireError;
pub use tools::ToolChoice;
pub use turn::{Alternation, LateSystem};

/// The user text put in front of a conversation that the model would open, where a provider wants the user first.
/// Reading such a request leaves it out again.
pub const OPENING: &str = "(continued)";

/// The role under which system messages are sent.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum SystemRole {
    /// `system`.
    #[default]
    System,
    /// `developer`, its name for reasoning models.
    Developer,
    /// `user`, for models that know no system role.
    User,
}

/// What a piece is called in [`WireError::Unsupported`].
fn describe(piece: &Content) -> &'static str {
    match piece {
        Content::Text { .. } => "a text here",
        Content::Image { .. } => "an image here",
        Content::Resource { .. } => "a resource; send its content as text",
        Content::ToolCall { .. } => "a tool call",
        Content::ToolResult { .. } => "a tool result",
        Content::Thought { .. } => "a thought; see `Message::without_reasoning`",
        Content::Signature { .. } => "a signature; see `Message::without_reasoning`",
        Content::Native { .. } => "a piece of another provider; see `Message::without_reasoning`",
    }
}
