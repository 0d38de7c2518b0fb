//! What compaction did, counted: nothing goes in silence.

use super::{Compact, Compacted, Kind};
use crate::tokens::TokenCounter;
use serde::Serialize;
use std::fmt;

/// What compaction did to a log. Serialisable, for logs and dashboards; printed as one line.
///
/// ```
/// use prompt_core::Message;
/// use prompt_core::compaction::{CompactionConfig, Compactor};
/// # fn main() -> Result<(), prompt_core::compaction::CompactionError> {
/// let log = [
///     Message::user("How many boats came in since the morning, and under which flags do they sail?"),
///     Message::assistant("Three, all of them under sail.\nrecap - three boats"),
///     Message::user("And out?"),
/// ];
/// let compactor = Compactor::new(CompactionConfig::builder().min_preserved(0).batch_size(1).build()?);
/// let report = compactor.compact(&log).report(&|text: &str| text.split_whitespace().count());
/// assert_eq!(report.to_string(), "3 of 3 messages and 11 of 27 tokens (41 %), frontier at 2");
/// # Ok(()) }
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct CompactionReport {
    /// Messages of the log.
    pub messages_before: usize,
    /// Messages of the view.
    pub messages_after: usize,
    /// Tokens of the log.
    pub tokens_before: usize,
    /// Tokens of the view.
    pub tokens_after: usize,
    /// The position in the log before which everything is compacted; 0 if nothing is.
    pub frontier: usize,
    /// Positions of the compacted answers that are shown in full because they have no recap; ascending.
    pub recaps_missing: Vec<usize>,
    /// Positions of the answers before the frontier whose exchanges stay in full, ascending: a call waits for its result, a
    /// tool message asks to stay, the answer is more than text, or the batch would not be shorter.
    pub kept: Vec<usize>,
    /// Positions of the messages whose results of tools are [cleared](super::ClearToolResults) in the view; ascending.
    pub results_cleared: Vec<usize>,
}

impl<M: Compact> Compacted<'_, M> {
    /// What compaction did, counted: looks at the whole log. With the feature `tracing` it is logged, too.
    pub fn report(&self, counter: &dyn TokenCounter) -> CompactionReport {
        let head = self.state();
        let mut recaps_missing = head.recaps_missing.clone();
        recaps_missing.sort_unstable();
        let is_kept_answer = |at: &usize| {
            self.log()[*at].kind() == Kind::Answer && recaps_missing.binary_search(at).is_err()
        };
        let kept = head.full.iter().copied().filter(is_kept_answer).collect();
        let tokens = self.log().iter().map(|message| message.tokens(counter));
        let report = CompactionReport {
            messages_before: self.log().len(),
            messages_after: self.len(),
            tokens_before: tokens.fold(0, usize::saturating_add),
            tokens_after: self.tokens(counter),
            frontier: self.frontier(),
            kept,
            recaps_missing,
            results_cleared: head.cleared.keys().copied().collect(),
        };
        #[cfg(feature = "tracing")]
        tracing::info!(
            target: "prompt_core::compaction",
            messages_before = report.messages_before,
            messages_after = report.messages_after,
            tokens_before = report.tokens_before,
            tokens_after = report.tokens_after,
            ratio = report.ratio(),
            frontier = report.frontier,
            recaps_missing = report.recaps_missing.len(),
            kept = report.kept.len(),
            results_cleared = report.results_cleared.len(),
            "compaction report"
        );
        report
    }
}

impl CompactionReport {
    /// Tokens of the view per token of the log: 1.0 if nothing changed.
    #[expect(
        clippy::cast_precision_loss,
        reason = "counts of tokens are far below 2^53"
    )]
    pub fn ratio(&self) -> f64 {
        match self.tokens_before {
            0 => 1.0,
            before => self.tokens_after as f64 / before as f64,
        }
    }
}

impl fmt::Display for CompactionReport {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "{} of {} messages and {} of {} tokens ({:.0} %), frontier at {}",
            self.messages_after,
            self.messages_before,
            self.tokens_after,
            self.tokens_before,
            100.0 * self.ratio(),
            self.frontier
        )?;
        if !self.recaps_missing.is_empty() {
            write!(f, "; {} answers without a recap", self.recaps_missing.len())?;
        }
        if !self.kept.is_empty() {
            write!(f, "; {} exchanges stay in full", self.kept.len())?;
        }
        if !self.results_cleared.is_empty() {
            let messages = self.results_cleared.len();
            write!(f, "; the results of {messages} messages are cleared")?;
        }
        Ok(())
    }
}
