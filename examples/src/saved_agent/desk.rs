//! The desk that the agent works at: its prompt, what it answers, what passengers ask, and the model, which is a script.

use prompt_agent::testing::Script;
use prompt_agent::wire::StopReason;
use prompt_core::{PromptNode, ToolSpec};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::json;
use std::time::Duration;

/// You answer the letters of a ferry line. Read the rules before you refund.
#[derive(Debug, PromptNode)]
#[prompt(tools = self.tools.clone())]
pub(super) struct Desk {
    tools: Vec<ToolSpec>,

    /// A ferry that comes more than an hour late is refunded in full.
    #[section(visibility = "summary", summary = "When a fare is refunded.")]
    rules: (),
}

impl Desk {
    pub(super) fn new(tools: &[ToolSpec]) -> Self {
        Self {
            tools: tools.to_vec(),
            rules: (),
        }
    }
}

/// What the desk decides.
#[derive(Debug, PartialEq, Deserialize, JsonSchema)]
pub struct Resolution {
    /// Why.
    pub category: Category,
    /// What the passenger reads.
    pub reply: String,
}

/// What a letter is about.
#[derive(Debug, PartialEq, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Category {
    /// A ferry was late.
    Delay,
    /// Nothing that can be settled by letter.
    Other,
}

/// Refunds a fare.
#[derive(Deserialize, JsonSchema)]
pub(super) struct Refund {
    /// The number on the ticket.
    pub(super) ticket: u32,
    /// In euros.
    pub(super) amount: f64,
}

/// What passengers ask, one letter after the other.
pub(super) const LETTERS: [&str; 2] = [
    "My ferry was two hours late. Ticket 7, 40 euros.",
    "And the dog? It has no ticket.",
];

/// The model after this many answers, with all that goes wrong before the next. A real one remembers nothing either.
pub(super) fn model(answers: usize) -> Script {
    let mut script = Script::new()
        .limited(Duration::ZERO)
        .opens(["rules"])
        .says("{\"category\": \"del")
        .and_hangs_up()
        .calls("refund", "{\"ticket\": 7, \"am")
        .calls("refund", json!({ "ticket": 7, "amount": 40 }))
        .and_calls("reserve", json!({}))
        .says(r#"{"category": "late", "reply": "We refund it."}"#)
        .says(r#"{"category": "delay", "reply": "We ref"#)
        .and_stops(StopReason::Length)
        .says("```json\n{\"category\": \"Delay\", \"reply\": \"We refund it.\"}\n```\nrecap - 40 euros refunded")
        .fails(503, "Overloaded.")
        .says(r#"{"category": "other", "reply": "Dogs go free."}"#);
    let mut said = 0;
    while said < answers {
        said += usize::from(script.message().is_ok());
    }
    script
}
