//! A conversation from its log alone.

use super::told::Told;
use super::{Asked, Conversation, calls_of, opening};
use prompt_core::compaction::{CompactionConfig, History};
use prompt_core::disclosure::{Delivery, DisclosureState};
use prompt_core::message::{Message, Role, Verdict};
use prompt_core::tool::{ToolCall, ToolResult};
use std::collections::{HashMap, HashSet};

impl Conversation {
    /// The conversation of which this is the whole log, with the default configuration: see
    /// [`replay_with`](Self::replay_with).
    pub fn replay(log: impl IntoIterator<Item = Message>) -> Self {
        Self::replay_with(CompactionConfig::without_recaps(), log)
    }

    /// The conversation of which this is the whole log, without the system text. What is open is what the answers to
    /// `open_sections` say was opened; so follow the rounds of this turn, and the delivery: a result that carries the text of
    /// a section is one of [`Delivery::Append`], and where its message was not made by a conversation it opens what its call
    /// names. A [`counter`](Self::counter) that is set next counts from the first message on.
    ///
    /// Tries are the messages of this turn that are marked as refusals: [`retry`](Self::retry) with words of the program's own
    /// is a question like any other. Not in a log are name, limits, overrides, and the tokens that were opened; what the
    /// program closed is open again. Results of a last message whose calls are not all answered are taken as
    /// [results](Self::push_results) so far.
    pub fn replay_with(config: CompactionConfig, log: impl IntoIterator<Item = Message>) -> Self {
        let mut log: Vec<Message> = log.into_iter().collect();
        let results = open_results(&mut log);
        let (disclosure, tries) = told(&log);
        let is_question = |message: &Message| {
            message.role == Role::User && message.verdict() != Some(Verdict::Refused)
        };
        let asked = log
            .iter()
            .enumerate()
            .filter(|(_, message)| is_question(message));
        let asked = asked.map(|(at, _)| Asked {
            at,
            ..Asked::default()
        });
        let mut conversation = Self {
            disclosure,
            tries,
            asked: asked.collect(),
            history: History::from_log(config, log),
            ..Self::default()
        };
        let open = conversation.open_calls();
        let open: HashSet<&str> = open.iter().map(|call| call.id.as_str()).collect();
        let is_open = |result: &ToolResult| open.contains(result.id.as_str());
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
    let results: Vec<ToolResult> = behind.iter().flat_map(Message::tool_results).collect();
    let only_results = behind.iter().all(|message| message.role == Role::Tool);
    if !only_results || results.len() >= calls.len() {
        return Vec::new();
    }
    // Of calls with one id the first.
    let by_id: HashMap<&str, &ToolCall> = calls
        .iter()
        .rev()
        .map(|call| (call.id.as_str(), call))
        .collect();
    let of = |mut result: ToolResult| {
        result.name.clone_from(&by_id.get(result.id.as_str())?.name);
        Some(result)
    };
    let results = results.into_iter().filter_map(of).collect();
    log.truncate(last + 1);
    results
}

/// What a log tells of the sections that were asked for, and how often an answer was refused since the user spoke.
pub(super) fn told(log: &[Message]) -> (DisclosureState, usize) {
    let (mut state, mut tries) = (DisclosureState::default(), 0);
    // The calls of `open_sections` of the last message of the model that wait for a result.
    let mut waiting: Vec<ToolCall> = Vec::new();
    let mut is_counted = false;
    for message in log {
        let is_refusal = message.verdict() == Some(Verdict::Refused);
        tries += usize::from(is_refusal);
        match message.role {
            Role::User if !is_refusal => (state.rounds, tries) = (0, 0),
            Role::Assistant => {
                waiting = opening(calls_of(message));
                is_counted = false;
            }
            _ => {}
        }
        let told = Told::read(&mut waiting, message);
        state.rounds += usize::from(told.is_round && !is_counted);
        is_counted |= told.is_round;
        for path in told.opened {
            state.opened.open(path);
        }
        if told.is_delivered {
            state.delivery = Delivery::Append;
        }
    }
    (state, tries)
}
