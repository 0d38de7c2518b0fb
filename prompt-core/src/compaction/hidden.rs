//! Answers that were refused, with the messages that refuse them: in no view, once there is another answer.

use std::collections::BTreeSet;

/// Positions in the log that no view shows.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Hidden {
    /// For good.
    for_good: BTreeSet<usize>,
    /// The tries of the open exchange, ascending.
    tries: Vec<usize>,
    /// Whether another answer follows the tries, so that they are hidden. Should it be refused, too, the next request
    /// needs all of them: they come back.
    are_aside: bool,
}

impl Hidden {
    pub(super) fn contains(&self, at: usize) -> bool {
        let is_try = || self.are_aside && self.tries.binary_search(&at).is_ok();
        self.for_good.contains(&at) || is_try()
    }

    pub(super) fn is_empty(&self) -> bool {
        self.for_good.is_empty() && self.aside().is_empty()
    }

    /// Those from a position on.
    pub(super) fn behind(&self, from: usize) -> impl Iterator<Item = usize> {
        let aside = self.aside().iter().filter(move |at| **at >= from);
        self.for_good.range(from..).chain(aside).copied()
    }

    /// The tries that are hidden for now.
    fn aside(&self) -> &[usize] {
        if self.are_aside { &self.tries } else { &[] }
    }

    /// The tries of the open exchange, hidden or not.
    pub(super) fn tries(&self) -> &[usize] {
        &self.tries
    }

    /// What is hidden stays so: whether there were tries among it.
    pub(super) fn confirm(&mut self) -> bool {
        let had_any = self.are_aside;
        if had_any {
            self.for_good.extend(self.tries.drain(..));
            self.are_aside = false;
        }
        had_any
    }

    /// An answer and the message that refuses it: whether the tries before come back.
    pub(super) fn refuse(&mut self, answer: usize, refusal: usize) -> bool {
        self.tries.extend([answer, refusal]);
        std::mem::take(&mut self.are_aside)
    }

    /// Another answer follows the tries: whether they go.
    pub(super) fn set_aside(&mut self) -> bool {
        self.are_aside = !self.tries.is_empty();
        self.are_aside
    }
}
