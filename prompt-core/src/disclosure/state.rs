//! What is kept of a conversation with progressive disclosure, and how opened sections reach the model.

use crate::visibility::Overrides;
use serde::{Deserialize, Serialize};

/// How opened sections reach the model.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Delivery {
    /// The prompt is rendered anew with the sections open. The cached prefix ends at the first of them.
    #[default]
    Rerender,
    /// System text and tools never change, so that all of them stay cached: the tools of all openable sections are in
    /// the list from the first rendering on, and the opened text travels in the result of the call, at its own heading
    /// level.
    Append,
}

/// What is kept of a conversation: serialise it, and [`Disclosure::restore`](crate::disclosure::Disclosure::restore) it later over an
/// equal node with equal options, and the same bytes are rendered.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
#[non_exhaustive]
pub struct DisclosureState {
    /// How opened sections reach the model.
    pub delivery: Delivery,
    /// The caller's overrides: they win over what is declared.
    pub overrides: Overrides,
    /// The sections that the model opened, in order: they win over the caller's overrides.
    pub opened: Overrides,
    /// Turns so far in which sections were asked for.
    pub rounds: usize,
    /// Tokens so far of the sections that were opened.
    pub opened_tokens: usize,
}
