//! Which results of tools may be cleared: those behind the frontier that are shown in full, the last ones aside.

use super::{ClearToolResults, Compact};
use std::collections::VecDeque;

/// The message at `at` with its results cleared, if any of them may be.
pub(super) fn cleared<M: Compact>(log: &[M], at: usize, rule: &ClearToolResults) -> Option<M> {
    let message = log.get(at)?;
    if message.verdict().is_some() {
        return None;
    }
    let call = |id: &str| {
        let makes = |message: &&M| message.kind().calls().iter().any(|call| call == id);
        log[..at].iter().rev().find(makes)
    };
    message.clear_results(rule, &call)
}

/// A message with results that are shown in full.
#[derive(Clone, Copy, Debug)]
pub(super) struct Results {
    /// Its position in the log.
    pub(super) at: usize,
    /// How many it has.
    pub(super) count: usize,
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
        self.count += results.count;
        self.kept.push_back(results);
    }

    /// Whatever is before this position, to which the model has replied, and not among the last `keep` results may be cleared.
    pub(super) fn release(&mut self, replied: usize, keep: usize) {
        while let Some(oldest) = self.kept.front().copied()
            && oldest.at < replied
            && self.count - oldest.count >= keep
        {
            self.count -= oldest.count;
            self.kept.pop_front();
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
            self.count -= oldest.count;
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
