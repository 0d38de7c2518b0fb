//! What replaces the messages before the frontier.

use super::Compact;
use super::clearable::CallsOf;
use super::hidden::Hidden;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

/// The user message in front of recaps, in the [`Exchange`](super::RecapForm::Exchange) form.
pub const RECAP_STUB: &str = "Recap our conversation so far.";

/// The compacted part of a view, by positions in the log: messages that stay, and between them the texts of those
/// that went. It changes only when the frontier moves, and then at its end, but for exchanges that were passed while they
/// waited for a result and now go.
///
/// Order of time holds by construction: a text is filed under a position, and is shown between the messages that stay
/// before and behind that position. Between two neighbours that stay, texts keep the order in which they came, so that
/// what was sent does not move: see [`Head::insert`].
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Head {
    /// Messages at the start that nothing touches: the system part, or an old view.
    pub(super) lead: usize,
    /// Messages before this position are compacted; 0 as long as none are.
    pub(super) frontier: usize,
    /// Positions of the messages between lead and frontier that stay.
    pub(super) full: BTreeSet<usize>,
    /// The texts of the others: by a position, and by the number of the move that brought it.
    #[serde(with = "listed")]
    pub(super) recaps: BTreeMap<(usize, usize), String>,
    /// Moves of the frontier that brought blocks (`Exchange`), so far. A recap in place (`Assistant`) has the number 0.
    pub(super) moves: usize,
    /// Runs of blocks in the view: each has a stub in front. Follows from the others.
    #[serde(skip)]
    pub(super) stubs: usize,
    /// Positions of messages whose results are cleared, where the view shows them. What the results answer is found again in
    /// the log when a stored history is read.
    #[serde(
        default,
        with = "positions",
        skip_serializing_if = "BTreeMap::is_empty"
    )]
    pub(super) cleared: BTreeMap<usize, CallsOf>,
    /// Positions of messages that refuse an answer which was compacted by then: it was not given anew in its exchange.
    #[serde(default, skip_serializing_if = "BTreeSet::is_empty")]
    pub(super) refused_late: BTreeSet<usize>,
    /// Positions of the compacted answers that have no recap.
    pub(super) recaps_missing: Vec<usize>,
    /// Refused answers, and the messages that refuse them, before an accepted one: in no view. Found again in the log when
    /// a stored history is read.
    #[serde(skip)]
    pub(super) hidden: Hidden,
    /// How far the start of the log is understood.
    pub(super) opening: Opening,
}

/// How far the start of a log is read that nothing touches: messages of other kinds, and what an earlier compaction in
/// the form `Exchange` left there.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum Opening {
    /// Between two exchanges; all so far look as if an earlier compaction had left them.
    #[default]
    Between,
    /// The same, and the last message may be a stub: it is one if an answer follows.
    Stub,
    /// In an exchange behind such ones.
    Within,
    /// There is an exchange that looks otherwise, and the view is the log so far: should recaps come, all before them was
    /// left by an earlier compaction all the same.
    Begun,
    /// Something was compacted: what comes is new.
    Over,
}

/// The place of a text: behind one message that stays and before the next.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Gap {
    pub(super) behind: Option<usize>,
    pub(super) before: Option<usize>,
}

/// A part of a head, in the order of the view.
#[derive(Clone, Copy)]
pub(super) enum ViewPart<'h> {
    Full(usize),
    Stub,
    /// The position of the message that it replaces, where it is one, and its text.
    Recap(Option<usize>, &'h str),
}

impl Head {
    /// Positions shown as the untouched start.
    pub(super) fn lead_range(&self) -> Range<usize> {
        0..self.lead.min(self.frontier)
    }

    /// The parts between lead and frontier. A stub comes before each run of blocks.
    pub(super) fn shown(&self) -> impl Iterator<Item = ViewPart<'_>> {
        let mut full = self.full.iter().copied().peekable();
        let mut recaps = self.recaps.iter().peekable();
        let mut has_stub = false;
        std::iter::from_fn(move || {
            let next = recaps.peek().map(|(key, _)| **key);
            let next_full = full.peek().copied();
            let comes_first = |(at, _): &(usize, usize)| next_full.is_none_or(|full| *at < full);
            match next.filter(comes_first) {
                Some((_, 1..)) if !has_stub => {
                    has_stub = true;
                    Some(ViewPart::Stub)
                }
                Some((at, number)) => {
                    let (_, text) = recaps.next()?;
                    Some(ViewPart::Recap((number == 0).then_some(at), text))
                }
                None => {
                    has_stub = false;
                    full.next().map(ViewPart::Full)
                }
            }
        })
    }

    /// Messages shown before the tail; the blocks behind a stub are one.
    pub(super) fn len(&self) -> usize {
        let first = self.recaps.first_key_value();
        let in_place = first.is_some_and(|((_, number), _)| *number == 0);
        let texts = if in_place {
            self.recaps.len()
        } else {
            2 * self.stubs
        };
        self.lead_range().len() + self.full.len() + texts
    }

    /// Counts what follows from the rest.
    pub(super) fn count_stubs(&mut self) {
        let is_stub = |shown: &ViewPart<'_>| matches!(shown, ViewPart::Stub);
        self.stubs = self.shown().filter(is_stub).count();
    }

    /// The last text in a gap, and the move that brought it.
    pub(super) fn last_in(&self, gap: Gap) -> Option<(usize, usize)> {
        let from = gap.behind.map_or((0, 0), |at| (at, usize::MAX));
        let to = gap.before.map_or((usize::MAX, usize::MAX), |at| (at, 0));
        self.recaps.range(from..to).next_back().map(|(key, _)| *key)
    }

    /// The gap at a position that does not stay.
    pub(super) fn gap(&self, at: usize) -> Gap {
        Gap {
            behind: self.full.range(..at).next_back().copied(),
            before: self.full.range(at + 1..).next().copied(),
        }
    }

    /// Adds the text for the message at `at` to the block of this move in its gap, or begins that block behind those that
    /// are there: what was sent stays as it is. Gives the block.
    pub(super) fn insert(&mut self, at: usize, text: &str) -> (usize, usize) {
        let last = self.last_in(self.gap(at));
        if let Some(key) = last.filter(|(_, number)| *number == self.moves)
            && let Some(block) = self.recaps.get_mut(&key)
        {
            block.push('\n');
            block.push_str(text);
            return key;
        }
        // Not before the last block of the gap, and still in the gap: both positions are.
        let key = (last.map_or(at, |(last, _)| last.max(at)), self.moves);
        self.recaps.insert(key, text.to_owned());
        self.stubs += usize::from(last.is_none());
        key
    }

    /// The message at `at` goes: two runs of blocks around it become one.
    pub(super) fn remove(&mut self, at: usize) {
        self.cleared.remove(&at);
        let gap = self.gap(at);
        let here = Some(at);
        let halves = [
            Gap {
                before: here,
                ..gap
            },
            Gap {
                behind: here,
                ..gap
            },
        ];
        let has_block = |half: &Gap| self.last_in(*half).is_some_and(|(_, number)| number > 0);
        let joins = halves.iter().all(has_block);
        if self.full.remove(&at) && joins {
            self.stubs -= 1;
        }
    }

    /// Why a stored head cannot belong to a log of `len` messages, if it cannot.
    pub(super) fn fault(&self, len: usize) -> Option<&'static str> {
        let within = |position: usize| (self.lead..self.frontier).contains(&position);
        let is_shown = |at: &usize| !within(*at) || self.full.contains(at);
        let is_empty = self.full.is_empty() && self.recaps.is_empty();
        if self.frontier > len {
            Some("the frontier is behind the end of the log")
        } else if self.lead > len {
            Some("the system part is longer than the log")
        } else if self.frontier > 0 && self.lead > self.frontier {
            Some("the frontier is within the system part")
        } else if self.frontier == 0 && !is_empty {
            Some("there are recaps, but no frontier")
        } else if self.moves > self.frontier {
            Some("it has moved more often than there are messages before it")
        } else if !self.full.iter().all(|at| within(*at)) {
            Some("the entries are not messages before the frontier")
        } else if !self
            .recaps
            .keys()
            .all(|(at, number)| within(*at) && *number <= self.moves && !self.full.contains(at))
        {
            Some("the recaps do not stand for messages before the frontier")
        } else if !self.cleared.keys().all(is_shown) {
            Some("results are cleared of messages that the view does not show")
        } else if self.refused_late.last().is_some_and(|at| *at >= len) {
            Some("an answer was refused behind the end of the log")
        } else if !self.recaps_missing.iter().all(|at| within(*at)) {
            Some("the answers without a recap are not before the frontier")
        } else {
            None
        }
    }
}

/// The positions alone.
mod positions {
    use super::{BTreeMap, CallsOf, Deserialize, Deserializer, Serializer};

    pub(super) fn serialize<S: Serializer>(
        cleared: &BTreeMap<usize, CallsOf>,
        serializer: S,
    ) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(cleared.keys())
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(
        deserializer: D,
    ) -> Result<BTreeMap<usize, CallsOf>, D::Error> {
        let positions = Vec::<usize>::deserialize(deserializer)?;
        Ok(positions
            .into_iter()
            .map(|at| (at, CallsOf::new()))
            .collect())
    }
}

/// Recaps as a list: position, number of the move, text.
mod listed {
    use super::{BTreeMap, Deserialize, Deserializer, Serializer};
    use serde::de::Error as _;

    pub(super) fn serialize<S: Serializer>(
        recaps: &BTreeMap<(usize, usize), String>,
        serializer: S,
    ) -> Result<S::Ok, S::Error> {
        let list = recaps.iter();
        serializer.collect_seq(list.map(|((at, number), text)| (at, number, text)))
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(
        deserializer: D,
    ) -> Result<BTreeMap<(usize, usize), String>, D::Error> {
        let mut recaps = BTreeMap::new();
        for (at, number, text) in Vec::<(usize, usize, String)>::deserialize(deserializer)? {
            let key = (at, number);
            if recaps
                .last_key_value()
                .is_some_and(|(last, _)| *last >= key)
            {
                return Err(D::Error::custom(
                    "history: the stored frontier does not fit: its recaps are not in order",
                ));
            }
            recaps.insert(key, text);
        }
        Ok(recaps)
    }
}

/// Whether a message is the stub that an earlier compaction put in front of its recaps.
pub(super) fn is_stub<M: Compact>(message: &M) -> bool {
    message.plain_text().is_some_and(|text| text == RECAP_STUB)
}
