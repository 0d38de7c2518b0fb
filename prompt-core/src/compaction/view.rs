//! The view: what is sent instead of the log.

use super::clearable::cleared;
use super::head::{Head, RECAP_STUB, ViewPart};
use super::{ClearToolResults, Compact, Compactor};
use crate::messages::message::{Content, Message};
use crate::tokens::TokenCounter;
use std::borrow::Cow;
use std::ops::Range;

/// A compacted conversation. Borrows every message that stays, and is read as [`items`](Self::items), or turned into
/// [`messages`](Compacted::messages).
#[derive(Clone, Debug)]
pub struct Compacted<'a, M> {
    log: &'a [M],
    head: Cow<'a, Head>,
    clear: Cow<'a, ClearToolResults>,
}

/// One part of a view.
#[derive(Debug, PartialEq)]
pub enum Item<'a, M> {
    /// A message of the log, as it is.
    Full(&'a M),
    /// A message of the log whose results of tools are [cleared](ClearToolResults).
    Cleared {
        /// The message of the log.
        original: &'a M,
        /// What is shown of it.
        shown: M,
    },
    /// The user message in front of a run of recaps, in the `Exchange` form: one run, or several with what stays between
    /// them.
    Stub(&'static str),
    /// A recap. In the `Exchange` form the recaps of one batch, as a text block of the assistant message after the stub; in
    /// the `Assistant` form an assistant message of its own.
    Recap(Cow<'a, str>),
}

impl<'a, M> Compacted<'a, M> {
    pub(super) fn borrowed(log: &'a [M], head: &'a Head, rules: &'a Compactor) -> Self {
        let rule = rules.config().clear_tool_results();
        Self {
            log,
            head: Cow::Borrowed(head),
            clear: rule.map_or_else(Cow::default, Cow::Borrowed),
        }
    }

    pub(super) fn owned(log: &'a [M], head: Head, rules: &Compactor) -> Self {
        let rule = rules.config().clear_tool_results();
        Self {
            log,
            head: Cow::Owned(head),
            clear: Cow::Owned(rule.cloned().unwrap_or_default()),
        }
    }

    pub(super) fn state(&self) -> &Head {
        &self.head
    }

    /// The whole log that the view was made from.
    pub fn log(&self) -> &'a [M] {
        self.log
    }

    /// The position in the log before which everything is compacted; 0 if nothing is.
    pub fn frontier(&self) -> usize {
        self.head.frontier
    }

    /// The messages of the log after the frontier, as they were. Answers that were refused, and then given anew, are among
    /// them, and not in the view; and results that the view shows cleared.
    pub fn tail(&self) -> &'a [M] {
        &self.log[self.head.frontier..]
    }

    /// Messages of the view; a stub and the recaps behind it are one each.
    pub fn len(&self) -> usize {
        let hidden = self.head.hidden.behind(self.head.frontier);
        self.head.len() + self.tail().len() - hidden.count()
    }

    /// Whether the view has no messages.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The parts of the view by their positions in the log.
    pub(super) fn shown(&self) -> impl Iterator<Item = ViewPart<'_>> {
        let head = &*self.head;
        let full = |range: Range<usize>| {
            let shown = range.filter(|at| !head.hidden.contains(*at));
            shown.map(ViewPart::Full)
        };
        let tail = full(head.frontier..self.log.len());
        full(head.lead_range()).chain(head.shown()).chain(tail)
    }

    /// Where a cache point pays: after the system part, at the frontier (or behind the last message whose results are cleared,
    /// where that comes after it), and at the end; ascending, as positions in the view of the message that the point follows.
    ///
    /// ```
    /// use prompt_core::compaction::CompactionConfig;
    /// use prompt_core::compaction::Compactor;
    /// use prompt_core::Message;
    /// # fn main() -> Result<(), prompt_core::compaction::CompactionError> {
    /// let log = [
    ///     Message::system("You count the boats."),
    ///     Message::user("How many boats came in since the morning?"),
    ///     Message::assistant("Three, all of them under sail.\nrecap - three boats"),
    ///     Message::user("And out?"),
    /// ];
    /// let config = CompactionConfig::builder().min_preserved(0).batch_size(1).build()?;
    /// let compactor = Compactor::new(config);
    /// let compacted = compactor.compact(&log);
    /// // system | stub, recaps | question
    /// assert_eq!(compacted.cache_points(), [0, 2, 3]);
    /// # Ok(()) }
    /// ```
    pub fn cache_points(&self) -> Vec<usize> {
        let lengths = [self.head.lead, self.settled(), self.len()];
        let mut points: Vec<usize> = lengths
            .iter()
            .filter_map(|length| length.checked_sub(1))
            .collect();
        points.sort_unstable();
        points.dedup();
        points
    }

    /// Messages of the view that only a move of the frontier changes, or refused tries that go.
    fn settled(&self) -> usize {
        let (head, frontier) = (&self.head, self.head.frontier);
        let last = head.cleared.last_key_value();
        let end = last.map_or(frontier, |(last, _)| last + 1);
        let tail = (frontier..end).filter(|at| !head.hidden.contains(*at));
        head.len() + tail.count()
    }
}

impl<M: Compact> Compacted<'_, M> {
    /// The parts of the view, in order.
    pub fn items(&self) -> impl Iterator<Item = Item<'_, M>> {
        self.shown().map(|shown| self.item(shown))
    }

    pub(super) fn item<'s>(&'s self, shown: ViewPart<'s>) -> Item<'s, M> {
        match shown {
            ViewPart::Full(at) => self.message(at),
            ViewPart::Stub => Item::Stub(RECAP_STUB),
            ViewPart::Recap(_, text) => Item::Recap(Cow::Borrowed(text)),
        }
    }

    /// The message of the log at a position, as the view shows it.
    fn message(&self, at: usize) -> Item<'_, M> {
        let original = &self.log[at];
        let calls = self.head.cleared.get(&at);
        match calls.and_then(|calls| cleared(self.log, at, calls, &self.clear)) {
            Some(shown) => Item::Cleared { original, shown },
            None => Item::Full(original),
        }
    }

    /// Tokens of the view.
    pub fn tokens(&self, counter: &dyn TokenCounter) -> usize {
        let tokens = self.items().map(|item| item.tokens(counter));
        tokens.fold(0, usize::saturating_add)
    }
}

impl<M: Compact> Item<'_, M> {
    /// Tokens of this part.
    pub fn tokens(&self, counter: &dyn TokenCounter) -> usize {
        match self {
            Self::Full(message) => message.tokens(counter),
            Self::Cleared { shown, .. } => shown.tokens(counter),
            Self::Stub(text) => counter.count(text),
            Self::Recap(text) => counter.count(text),
        }
    }
}

impl Compacted<'_, Message> {
    /// The view as messages, ready for a provider. What stays is cloned here and nowhere else.
    pub fn messages(&self) -> Vec<Message> {
        let mut messages: Vec<Message> = Vec::new();
        // The recaps behind a stub are the blocks of one message.
        let mut has_stub = false;
        for item in self.items() {
            match item {
                Item::Full(message) => {
                    messages.push(message.clone());
                    has_stub = false;
                }
                Item::Cleared { shown, .. } => {
                    messages.push(shown);
                    has_stub = false;
                }
                Item::Stub(text) => {
                    messages.extend([Message::user(text), Message::calls([])]);
                    has_stub = true;
                }
                Item::Recap(text) => match messages.last_mut().filter(|_| has_stub) {
                    Some(recaps) => recaps.content.push(Content::text(text)),
                    None => messages.push(Message::assistant(text)),
                },
            }
        }
        messages
    }
}

#[cfg(feature = "tracing")]
impl<M> Compacted<'_, M> {
    /// Tells that a view was made anew: on every `Compactor::compact`, and when the frontier of a `History` moved or results
    /// were cleared. Tokens are not counted for it.
    pub(super) fn trace(&self) {
        tracing::debug!(
            target: "prompt_core::compaction",
            messages_before = self.log.len(),
            messages_after = self.len(),
            frontier = self.head.frontier,
            recaps_missing = self.head.recaps_missing.len(),
            results_cleared = self.head.cleared.len(),
            "history compacted"
        );
    }
}

#[cfg(not(feature = "tracing"))]
impl<M> Compacted<'_, M> {
    #[allow(clippy::unused_self, reason = "the same call as with the feature")]
    pub(super) fn trace(&self) {}
}
