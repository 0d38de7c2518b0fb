//! Which sections the answer to calls of `open_sections` has opened: it says so itself, or its message is marked with them.

use super::NOTHING_OPENED;
use prompt_core::message::{Content, Message};
use prompt_core::tool::{NOW_SHOWN, ToolCall};
use serde_json::Value;
use std::collections::BTreeSet;

/// What a message says about calls of `open_sections`.
#[derive(Default)]
pub(super) struct Told {
    /// The calls were judged: a round of the model.
    pub(super) is_round: bool,
    /// The paths of the sections that were opened.
    pub(super) opened: Vec<String>,
    /// Whether a text of theirs stands in the message.
    pub(super) is_delivered: bool,
}

impl Told {
    /// Reads the results of these calls of `open_sections` in a message; those that have one are taken out.
    pub(super) fn read(waiting: &mut Vec<ToolCall>, message: &Message) -> Self {
        let mut told = Self::default();
        let mut named: Vec<String> = Vec::new();
        let mut unsaid = 0;
        for piece in &message.content {
            let Content::ToolResult {
                id,
                content,
                is_error,
            } = piece
            else {
                continue;
            };
            let Some(at) = waiting.iter().position(|call| call.id == *id) else {
                continue;
            };
            let call = waiting.remove(at);
            told.is_round |= content != NOTHING_OPENED;
            if *is_error {
                continue;
            }
            told.is_delivered |= message.delivers_text(id);
            named.extend(keys(&call.arguments).map(str::to_owned));
            let (opened, more) = said(content).unwrap_or_default();
            told.opened.extend(opened);
            unsaid += more;
        }
        if let Some(marked) = message.opened() {
            told.opened = marked;
        } else if told.is_delivered {
            told.opened = named;
        } else if unsaid > 0 {
            let said: BTreeSet<String> = told.opened.iter().cloned().collect();
            let more = named.into_iter().filter(|key| !said.contains(key));
            told.opened.extend(more.take(unsaid));
        }
        told
    }
}

/// The message of the results of these calls, which have opened these sections: marked with them where its words name others.
/// (A text of a section names none, and a notice only the first of many.)
pub(super) fn telling(calls: &[ToolCall], message: Message, opened: &[String]) -> Message {
    let mut waiting = super::opening(calls.to_vec());
    let mut said = Told::read(&mut waiting, &message).opened;
    let mut wanted = opened.to_vec();
    said.sort_unstable();
    said.dedup();
    wanted.sort_unstable();
    if said == wanted {
        message
    } else {
        message.marked_opened(opened)
    }
}

/// The keys that a notice names, if the text is one, and of how many more it speaks.
fn said(text: &str) -> Option<(Vec<String>, usize)> {
    let mut rest = text.strip_prefix(NOW_SHOWN)?;
    let mut keys = Vec::new();
    while let Some((key, behind)) = rest.strip_prefix('\'').and_then(|key| key.split_once('\'')) {
        keys.push(key.to_owned());
        rest = behind.strip_prefix(", ").unwrap_or(behind);
    }
    let more = rest
        .strip_prefix(" and ")
        .and_then(|more| more.split_once(' '));
    let more = more.and_then(|(more, _)| more.parse().ok());
    Some((keys, more.unwrap_or_default()))
}

fn keys(arguments: &Value) -> impl Iterator<Item = &str> {
    let keys = match arguments.get("section_keys") {
        Some(Value::Array(keys)) => keys.as_slice(),
        Some(key) => std::slice::from_ref(key),
        None => &[],
    };
    keys.iter().filter_map(Value::as_str)
}
