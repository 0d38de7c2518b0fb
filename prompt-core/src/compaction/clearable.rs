//! Which results of tools may be cleared: those behind the frontier that are shown in full, the last ones aside.

use super::calls::{Calls, Tie};
use super::{ClearToolResults, Compact, Kind};
use std::collections::{HashMap, VecDeque};

/// Of each result of a message, in their order: the position of the message with its call, if there is one.
pub(super) type CallsOf = Vec<Option<usize>>;

/// Which message each result of a log answers.
#[derive(Clone, Debug, Default)]
pub(super) struct Answered(Calls);

impl Answered {
    /// Reads the message at `at`, which comes after all read before.
    pub(super) fn read(&mut self, at: usize, kind: &Kind) -> CallsOf {
        let mut ties = self
            .0
            .read(at, kind)
            .into_iter()
            .filter_map(|tie| match tie {
                Tie::Result { id, call } => Some((id, call)),
                Tie::Call => None,
            });
        let mut next = ties.next();
        let mut of = |id: &String| {
            let (_, call) = next.filter(|(answered, _)| answered == id)?;
            next = ties.next();
            Some(call)
        };
        kind.results().iter().map(&mut of).collect()
    }
}

/// A message of the log with its results cleared, if any of them may be.
pub(super) fn cleared<M: Compact>(
    log: &[M],
    at: usize,
    calls: &CallsOf,
    rule: &ClearToolResults,
) -> Option<M> {
    let message = log.get(at)?;
    if message.verdict().is_some() {
        return None;
    }
    let kind = message.kind();
    let of: HashMap<&str, usize> = kind
        .results()
        .iter()
        .zip(calls)
        .filter_map(|(id, call)| Some((id.as_str(), (*call)?)))
        .collect();
    message.clear_results(rule, &|id| log.get(*of.get(id)?))
}

/// A message with results that are shown in full.
#[derive(Clone, Debug)]
pub(super) struct Results {
    /// Its position in the log.
    pub(super) at: usize,
    /// What they answer; so many there are.
    pub(super) calls: CallsOf,
    /// Tokens that clearing them gains; 0 where they stay.
    pub(super) gain: usize,
}

/// The results behind the frontier that are shown in full, in order.
#[derive(Clone, Debug, Default)]
pub(super) struct Clearable {
    /// Those that may be cleared, and what that gains in all.
    due: VecDeque<Results>,
    gain: usize,
    /// The last ones, which stay, and how many results they have.
    kept: VecDeque<Results>,
    count: usize,
}

impl Clearable {
    /// The next message with results.
    pub(super) fn push(&mut self, results: Results) {
        self.count += results.calls.len();
        self.kept.push_back(results);
    }

    /// Whatever is before this position, to which the model has replied, and not among the last `keep` results may be cleared.
    pub(super) fn release(&mut self, replied: usize, keep: usize) {
        let may_go = |count: usize, oldest: &Results| {
            oldest.at < replied && count - oldest.calls.len() >= keep
        };
        while self
            .kept
            .front()
            .is_some_and(|oldest| may_go(self.count, oldest))
            && let Some(oldest) = self.kept.pop_front()
        {
            self.count -= oldest.calls.len();
            if oldest.gain > 0 {
                self.gain = self.gain.saturating_add(oldest.gain);
                self.due.push_back(oldest);
            }
        }
    }

    /// What is before this position stays, or is gone.
    pub(super) fn forget(&mut self, before: usize) {
        let is_before = |oldest: &&Results| oldest.at < before;
        while let Some(oldest) = self.due.front().filter(is_before) {
            self.gain = self.gain.saturating_sub(oldest.gain);
            self.due.pop_front();
        }
        while let Some(oldest) = self.kept.front().filter(is_before) {
            self.count -= oldest.calls.len();
            self.kept.pop_front();
        }
    }

    /// Takes what may be cleared, if it gains enough.
    pub(super) fn take(&mut self, at_least: usize) -> VecDeque<Results> {
        if self.gain < at_least {
            return VecDeque::new();
        }
        self.gain = 0;
        std::mem::take(&mut self.due)
    }
}
