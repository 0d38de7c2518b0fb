//! What stands for the messages before the frontier.

use super::Compact;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

/// The user message in front of the recaps, in the [`Exchange`](super::RecapForm::Exchange) form.
pub const RECAP_STUB: &str = "Recap our conversation so far.";

/// The compacted part of a view, by positions in the log. It changes only when the frontier moves, and then at its end,
/// but for exchanges that were passed while they waited for a result and now go.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(super) struct Head {
    /// Messages at the start that nothing touches: the system part.
    pub(super) lead: usize,
    /// Messages before this position are compacted; 0 as long as none are.
    pub(super) frontier: usize,
    /// The text blocks of the one assistant message with recaps (`Exchange`).
    pub(super) blocks: Vec<String>,
    /// What stands between lead or recaps and the frontier, by the position of the message.
    #[serde(with = "listed")]
    pub(super) entries: BTreeMap<usize, Entry>,
    /// Positions of the compacted answers that stand in full because they have no recap.
    pub(super) recaps_missing: Vec<usize>,
    /// Answers of the exchanges that stay in full, and why.
    #[serde(default)]
    pub(super) kept: BTreeMap<usize, Kept>,
    /// Refused answers, and the messages that refuse them, before an accepted one: in no view. Found again in the log when
    /// a stored history is read.
    #[serde(skip)]
    pub(super) hidden: BTreeSet<usize>,
}

/// One message before the frontier.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Entry {
    /// The message itself.
    Full,
    /// Its recap (`Assistant`).
    Recap(String),
}

/// Why an exchange before the frontier stays in full.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum Kept {
    /// A call has no result, or the result stands after the frontier, or so it is with an exchange tied to this one.
    /// Once all of it is before the frontier, it is compacted.
    Waiting,
    /// A call or result asks to stay by its [`CompactForm`](super::CompactForm), as calls of `open_sections` do.
    Wanted,
    /// The answer has no recap, and is more than text.
    NotText,
    /// The compact form of its batch is not shorter.
    NotShorter,
}

impl Head {
    /// Positions shown as the untouched start.
    pub(super) fn lead_range(&self) -> Range<usize> {
        0..self.lead.min(self.frontier)
    }

    /// Messages shown before the tail; stub and recaps are one each.
    pub(super) fn len(&self) -> usize {
        let front = if self.blocks.is_empty() { 0 } else { 2 };
        self.lead_range().len() + front + self.entries.len()
    }

    /// Why a stored head cannot belong to a log of `len` messages, if it cannot.
    pub(super) fn fault(&self, len: usize) -> Option<&'static str> {
        let within = |position: &usize| (self.lead..self.frontier).contains(position);
        if self.frontier > len {
            Some("the frontier is behind the end of the log")
        } else if self.frontier > 0 && self.lead >= self.frontier {
            Some("the frontier is within the system part")
        } else if self.frontier == 0 && (!self.entries.is_empty() || !self.blocks.is_empty()) {
            Some("there are recaps, but no frontier")
        } else if !self.entries.keys().all(within) {
            Some("the entries are not messages before the frontier")
        } else if !self
            .recaps_missing
            .iter()
            .chain(self.kept.keys())
            .all(within)
        {
            Some("the answers without a recap are not before the frontier")
        } else {
            None
        }
    }
}

/// Entries as a list: a position, or a position and the text that stands there.
mod listed {
    use super::{BTreeMap, Deserialize, Deserializer, Entry, Serialize, Serializer};
    use serde::de::Error as _;

    #[derive(Serialize, Deserialize)]
    #[serde(untagged)]
    enum Listed<T> {
        Full(usize),
        Recap(usize, T),
    }

    pub(super) fn serialize<S: Serializer>(
        entries: &BTreeMap<usize, Entry>,
        serializer: S,
    ) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(entries.iter().map(|(&position, entry)| match entry {
            Entry::Full => Listed::Full(position),
            Entry::Recap(text) => Listed::Recap(position, text),
        }))
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(
        deserializer: D,
    ) -> Result<BTreeMap<usize, Entry>, D::Error> {
        let mut entries = BTreeMap::new();
        for listed in Vec::<Listed<String>>::deserialize(deserializer)? {
            let (position, entry) = match listed {
                Listed::Full(position) => (position, Entry::Full),
                Listed::Recap(position, text) => (position, Entry::Recap(text)),
            };
            if entries
                .last_key_value()
                .is_some_and(|(&last, _)| last >= position)
            {
                return Err(D::Error::custom(
                    "history: the stored frontier does not fit: its entries are not in order",
                ));
            }
            entries.insert(position, entry);
        }
        Ok(entries)
    }
}

/// Whether a message is the stub that an earlier compaction put in front of its recaps.
pub(super) fn is_stub<M: Compact>(message: &M) -> bool {
    message.plain_text().is_some_and(|text| text == RECAP_STUB)
}
