//! The tokens of a view, kept up to date while messages come and the frontier moves: each message is counted once.

use super::shape::Entry;
use super::{Compact, Compacted};
use crate::tokens::TokenCounter;
use std::collections::VecDeque;
use std::ops::Range;

/// The tokens of a view.
#[derive(Clone, Debug, Default)]
pub(super) struct Tally {
    /// Tokens of each message from `first` on.
    tail: VecDeque<usize>,
    first: usize,
    /// Tokens of the whole view.
    view: usize,
}

impl Tally {
    /// Counts a view from scratch.
    pub(super) fn of<M: Compact>(view: &Compacted<'_, M>, counter: &dyn TokenCounter) -> Self {
        let tail: VecDeque<usize> = view
            .tail()
            .iter()
            .map(|message| message.tokens(counter))
            .collect();
        let tokens = view.head().tokens(counter) + tail.iter().sum::<usize>();
        Self {
            tail,
            first: view.frontier(),
            view: tokens,
        }
    }

    /// Tokens of the whole view.
    pub(super) fn view(&self) -> usize {
        self.view
    }

    /// A message came to the end of the view.
    pub(super) fn push(&mut self, tokens: usize) {
        self.tail.push_back(tokens);
        self.view += tokens;
    }

    /// Text came into the view that is no message.
    pub(super) fn add(&mut self, tokens: usize) {
        self.view += tokens;
    }

    /// Text of that sort went.
    pub(super) fn remove(&mut self, tokens: usize) {
        self.view = self.view.saturating_sub(tokens);
    }

    /// The messages of `batch` are now behind the frontier, and `entries` is what stands there of them.
    pub(super) fn settle(
        &mut self,
        batch: Range<usize>,
        entries: &[Entry],
        counter: &dyn TokenCounter,
    ) {
        let mut kept = entries.iter().filter_map(Entry::position).peekable();
        while self.first < batch.end {
            let Some(tokens) = self.tail.pop_front() else {
                break;
            };
            if batch.contains(&self.first) && kept.next_if_eq(&self.first).is_none() {
                self.remove(tokens);
            }
            self.first += 1;
        }
        for entry in entries {
            if let Entry::Recap(text) = entry {
                self.add(counter.count(text));
            }
        }
    }
}
