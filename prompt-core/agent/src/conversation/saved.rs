//! A saved conversation: what is read is checked before anything goes on with it.

use super::{Asked, Limits, settle::Settled, take_one};
use prompt_core::compaction::History;
use prompt_core::disclosure::DisclosureState;
use prompt_core::saved::Version;
use prompt_core::tool::{OPEN_SECTIONS, ToolResult};
use serde::{Deserialize, Serialize, Serializer};
use std::sync::OnceLock;

/// A conversation as it is saved.
#[derive(Deserialize)]
#[serde(deny_unknown_fields, expecting = "a conversation")]
pub(super) struct Conversation {
    version: Version,
    name: Option<String>,
    history: History,
    disclosure: DisclosureState,
    limits: Limits,
    #[serde(default)]
    results: Vec<ToolResult>,
    tries: usize,
    #[serde(default)]
    asked: Vec<Asked>,
    #[serde(default)]
    renamed: Vec<(String, String)>,
    #[serde(default)]
    unguarded: bool,
    #[serde(default)]
    uncached: bool,
    settled: Option<Settled>,
}

impl TryFrom<Conversation> for super::Conversation {
    type Error = &'static str;

    /// What is kept of an answer belongs to calls of the last message.
    fn try_from(saved: Conversation) -> Result<Self, Self::Error> {
        let conversation = Self {
            version: saved.version,
            name: saved.name,
            history: saved.history,
            disclosure: saved.disclosure,
            limits: saved.limits,
            results: saved.results,
            tries: saved.tries,
            asked: saved.asked,
            unguarded: saved.unguarded,
            uncached: saved.uncached,
            ids: None,
            renamed: saved.renamed,
            open: None,
            settled: saved.settled.map_or_else(OnceLock::new, OnceLock::from),
        };
        let log = conversation.history.log();
        let mut before = None;
        let is_in_order = |asked: &Asked| before.replace(asked.at) < Some(asked.at);
        if !conversation.asked.iter().all(is_in_order) || before >= Some(log.len()) {
            return Err("conversation: a question is not in the log");
        }
        let had_calls = |asked: &Asked| {
            let last = asked.at.checked_sub(1).and_then(|last| log.get(last));
            let calls = last.map(super::calls_of).unwrap_or_default();
            let mut ids = super::counted(calls.into_iter().map(|call| call.id));
            let mut results = asked.results.iter();
            results.all(|result| take_one(&mut ids, &result.id))
        };
        if !conversation.asked.iter().all(had_calls) {
            return Err("conversation: a result answers no call before its question");
        }
        let calls = conversation.calls();
        let mut ids = super::counted(calls.iter().map(|call| call.id.clone()));
        let settled = conversation.settled.get();
        if settled.is_some() && !calls.iter().any(|call| call.name == OPEN_SECTIONS) {
            return Err(
                "conversation: the last message asks for no sections, and there is an answer to it",
            );
        }
        let results = settled.into_iter().flat_map(|settled| &settled.results);
        let mut results = conversation.results.iter().chain(results);
        if results.all(|result| take_one(&mut ids, &result.id)) {
            Ok(conversation)
        } else {
            Err("conversation: a result answers no call of the last message")
        }
    }
}

pub(super) fn is_none(settled: &OnceLock<Settled>) -> bool {
    settled.get().is_none()
}

pub(super) fn settled<S: Serializer>(
    settled: &OnceLock<Settled>,
    serializer: S,
) -> Result<S::Ok, S::Error> {
    settled.get().serialize(serializer)
}
