//! A model that plays a script, for the tests of programs: no network, no key, the same bytes in every run. Feature
//! `testing`, and the feature of at least one model's format.
//!
//! A [`Script`] is written beforehand: what the model says, calls and opens, and what goes wrong on the way. It takes the
//! bodies of requests and gives back the bodies of answers, whole or as a stream, in the format of any provider.
//!
//! | step of a script | methods |
//! |---|---|
//! | the model speaks, calls a tool, opens sections | [`says`](Script::says), [`calls`](Script::calls), [`opens`](Script::opens) |
//! | the same message goes on | [`and_calls`](Script::and_calls), [`and_opens`](Script::and_opens) |
//! | it ends for another reason, or breaks off | [`and_stops`](Script::and_stops), [`and_hangs_up`](Script::and_hangs_up) |
//! | the provider answers with an error | [`fails`](Script::fails), [`limited`](Script::limited) |
//!
//! [`reply`](Script::reply), [`respond`](Script::respond) and [`stream`](Script::stream) play the next step in a provider's
//! format, [`message`](Script::message) without one; [`requests`](Script::requests) and [`left`](Script::left) are what came
//! and what is still to come.
//!
//! ```
//! # #[cfg(feature = "anthropic")] {
//! use prompt_core::Message;
//! use prompt_agent::testing::Script;
//! use prompt_agent::wire::{Provider, RequestOptions, StopReason};
//! use serde_json::json;
//! use std::time::Duration;
//!
//! let mut script = Script::new()
//!     .limited(Duration::from_secs(2))
//!     .says("Let me look.").and_calls("look_up", json!({ "word": "fathom" }))
//!     .calls("look_up", r#"{ "word": "fa"#)
//!     .says("A fathom is six fe").and_stops(StopReason::Length);
//!
//! let provider = Provider::Anthropic;
//! let body = provider.request(&[Message::user("What is a fathom?")], &[], &RequestOptions::new("a-model"))?;
//! let busy = script.respond(provider, &body);
//! assert_eq!((busy.status(), busy.retry_after()), (429, Some(Duration::from_secs(2))));
//! let reply = provider.reply(&script.reply(provider, &body))?;
//! assert_eq!(reply.message.tool_calls().next().map(|call| call.name), Some("look_up".into()));
//! assert_eq!(script.requests().len(), 2);
//! # }
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

// Shared by all formats: with only some of them, parts of these lie idle.
#[cfg_attr(
    not(all(
        feature = "openai",
        feature = "anthropic",
        feature = "gemini",
        feature = "ollama"
    )),
    allow(dead_code, unused_imports, unused_mut, unused_variables)
)]
mod formats;
mod response;
mod script;

pub use response::Response;
pub use script::Script;
