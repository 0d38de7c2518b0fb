//! A conversation from its log alone.

use super::{Conversation, calls_of};
use prompt_core::compaction::{CompactionConfig, History};
use prompt_core::disclosure::{Delivery, DisclosureState};
use prompt_core::message::{Content, Message, Role};
use prompt_core::tool::{OPEN_SECTIONS, ToolCall, ToolResult};
use serde_json::Value;

impl Conversation {
    /// The conversation of which this is the whole log, with the default configuration: see
    /// [`replay_with`](Self::replay_with).
    pub fn replay(log: impl IntoIterator<Item = Message>) -> Self {
        Self::replay_with(CompactionConfig::default(), log)
    }

    /// The conversation of which this is the whole log, without the system text. What is open follows from the calls of
    /// `open_sections` that were not refused; so do the rounds of this turn, and the delivery: a result that carries the
    /// text of a section is one of [`Delivery::Append`]. Not in a log are name, limits, overrides, and the tokens that were
    /// opened; what the program closed is open again. Results of a last message whose calls are not all answered are taken
    /// as [answers](Self::answer) so far.
    pub fn replay_with(config: CompactionConfig, log: impl IntoIterator<Item = Message>) -> Self {
        let mut log: Vec<Message> = log.into_iter().collect();
        let results = open_results(&mut log);
        let mut conversation = Self {
            disclosure: opened(&log),
            history: History::from_log(config, log),
            ..Self::default()
        };
        let open = conversation.open_calls();
        let is_open = |result: &ToolResult| open.iter().any(|call| call.id == result.id);
        conversation.results = results.into_iter().filter(is_open).collect();
        conversation
    }
}

/// Takes the results behind the last message of the model off the log, if they are not all.
fn open_results(log: &mut Vec<Message>) -> Vec<ToolResult> {
    let is_reply = |message: &Message| message.role == Role::Assistant;
    let Some(last) = log.iter().rposition(is_reply) else {
        return Vec::new();
    };
    let (calls, behind) = (calls_of(&log[last]), &log[last + 1..]);
    let results = behind.iter().flat_map(|message| &message.content);
    let results: Vec<(&str, &str, bool)> = results.filter_map(result).collect();
    let only_results = behind.iter().all(|message| message.role == Role::Tool);
    if !only_results || results.len() >= calls.len() {
        return Vec::new();
    }
    let of = |(id, content, is_error)| {
        let call = calls.iter().find(|call| call.id == id)?;
        let result = ToolResult::ok(call, content);
        Some(ToolResult { is_error, ..result })
    };
    let results = results.into_iter().filter_map(of).collect();
    log.truncate(last + 1);
    results
}

/// Id and text of a result, and whether the tool failed.
fn result(piece: &Content) -> Option<(&str, &str, bool)> {
    match piece {
        Content::ToolResult {
            id,
            content,
            is_error,
        } => Some((id, content, *is_error)),
        _ => None,
    }
}

/// What the calls of a log have opened.
fn opened(log: &[Message]) -> DisclosureState {
    let mut state = DisclosureState::default();
    // The calls of the last message of the model that wait for a result.
    let mut waiting: Vec<ToolCall> = Vec::new();
    for message in log {
        match message.role {
            Role::User => state.rounds = 0,
            Role::Assistant => {
                waiting = calls_of(message);
                waiting.retain(|call| call.name == OPEN_SECTIONS);
                state.rounds += usize::from(!waiting.is_empty());
            }
            Role::Tool | Role::System => {}
        }
        for (id, _, is_error) in message.content.iter().filter_map(result) {
            let Some(at) = waiting.iter().position(|call| call.id == id) else {
                continue;
            };
            let call = waiting.remove(at);
            if is_error {
                continue;
            }
            for path in keys(&call.arguments) {
                state.opened.open(path);
            }
            if message.delivers_text(id) {
                state.delivery = Delivery::Append;
            }
        }
    }
    state
}

fn keys(arguments: &Value) -> Vec<&str> {
    match arguments.get("section_keys") {
        Some(Value::String(key)) => vec![key],
        Some(Value::Array(keys)) => keys.iter().filter_map(Value::as_str).collect(),
        _ => Vec::new(),
    }
}
