//! What stands for the messages before the frontier.

use super::{Compact, Kind};
use serde::{Deserialize, Serialize};
use std::ops::Range;

/// The user message in front of the recaps, in the [`Exchange`](super::RecapForm::Exchange) form.
pub const RECAP_STUB: &str = "Recap our conversation so far.";

/// The compacted part of a view, by positions in the log. All of it only grows at its end.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(super) struct Shape {
    /// Messages at the start that nothing touches: the system part.
    pub(super) lead: usize,
    /// Messages before this position are compacted; 0 as long as none are.
    pub(super) frontier: usize,
    /// The text blocks of the one assistant message with recaps (`Exchange`).
    pub(super) blocks: Vec<String>,
    /// What stands between lead or recaps and the frontier.
    pub(super) entries: Vec<Entry>,
    /// Positions of the compacted answers that stand in full because they have no recap.
    pub(super) recaps_missing: Vec<usize>,
}

/// One message before the frontier; stored as its position or its text.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(untagged)]
pub(super) enum Entry {
    /// The message at this position of the log.
    Full(usize),
    /// The recap of a message (`Assistant`).
    Recap(String),
}

impl Shape {
    /// Where the next batch starts.
    pub(super) fn next_start(&self) -> usize {
        self.frontier.max(self.lead)
    }

    /// Positions shown as the untouched start.
    pub(super) fn lead_range(&self) -> Range<usize> {
        0..self.lead.min(self.frontier)
    }

    /// Stub and recaps: messages in front of the entries.
    pub(super) fn front_len(&self) -> usize {
        if self.blocks.is_empty() { 0 } else { 2 }
    }

    /// Messages shown before the tail.
    pub(super) fn head_len(&self) -> usize {
        self.lead_range().len() + self.front_len() + self.entries.len()
    }

    /// Why a stored shape cannot belong to a log of `len` messages, if it cannot.
    pub(super) fn fault(&self, len: usize) -> Option<&'static str> {
        let kept = || self.entries.iter().filter_map(Entry::position);
        let within = |position: usize| (self.lead..self.frontier).contains(&position);
        if self.frontier > len {
            Some("the frontier is behind the end of the log")
        } else if self.frontier > 0 && self.lead >= self.frontier {
            Some("the frontier is within the system part")
        } else if self.frontier == 0 && (!self.entries.is_empty() || !self.blocks.is_empty()) {
            Some("there are recaps, but no frontier")
        } else if !kept().all(within) || !kept().is_sorted_by(|one, next| one < next) {
            Some("the entries are not messages before the frontier, in order")
        } else if !self.recaps_missing.iter().copied().all(within) {
            Some("the answers without a recap are not before the frontier")
        } else {
            None
        }
    }
}

impl Entry {
    /// Where the message stands in the log, if it is one of the log's.
    pub(super) fn position(&self) -> Option<usize> {
        match self {
            Self::Full(position) => Some(*position),
            Self::Recap(_) => None,
        }
    }
}

/// Finds the lead: messages of other kinds at the start of a log, and stubs with their recaps that an earlier
/// compaction left there.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Opening {
    /// All messages so far belong to the lead.
    #[default]
    Lead,
    /// The last message may be a stub: it is one if an answer follows.
    Stub,
    /// The conversation has begun.
    Over,
}

impl Opening {
    /// Reads the next message; whether it belongs to the lead.
    pub(super) fn read<M: Compact>(&mut self, message: &M, kind: &Kind) -> bool {
        let (next, belongs) = match (*self, kind) {
            (Self::Lead, Kind::Other) | (Self::Stub, Kind::Answer) => (Self::Lead, true),
            (Self::Lead, Kind::Question) if is_stub(message) => (Self::Stub, false),
            _ => (Self::Over, false),
        };
        *self = next;
        belongs
    }
}

fn is_stub<M: Compact>(message: &M) -> bool {
    message.plain_text().is_some_and(|text| text == RECAP_STUB)
}
