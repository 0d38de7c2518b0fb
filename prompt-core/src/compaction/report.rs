//! What compaction did: nothing goes uncounted.

use super::cost::number;
use super::{Compact, Compacted, Finding, trace};
use crate::tokens::TokenCounter;
use serde::Serialize;
use std::fmt;

/// What compaction did to a log. Serialisable, for logs and dashboards.
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
    /// Positions of the compacted answers that stand in full because they have no recap.
    pub recaps_missing: Vec<usize>,
    /// What is wrong with the tool traffic of the log.
    pub findings: Vec<Finding>,
}

impl CompactionReport {
    pub(super) fn of<M: Compact>(view: &Compacted<'_, M>, counter: &dyn TokenCounter) -> Self {
        let report = Self {
            messages_before: view.log().len(),
            messages_after: view.len(),
            tokens_before: view
                .log()
                .iter()
                .map(|message| message.tokens(counter))
                .sum(),
            tokens_after: view.tokens(counter),
            frontier: view.frontier(),
            recaps_missing: view.shape().recaps_missing.clone(),
            findings: Finding::in_log(view.log()),
        };
        trace::reported(&report);
        report
    }

    /// Tokens of the view per token of the log: 1.0 if nothing changed.
    pub fn ratio(&self) -> f64 {
        ratio(self.tokens_after as u64, self.tokens_before as u64)
    }
}

/// `part / whole`, and 1.0 of nothing.
pub(super) fn ratio(part: u64, whole: u64) -> f64 {
    if whole > 0 {
        number(part) / number(whole)
    } else {
        1.0
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
        for finding in &self.findings {
            write!(f, "; {finding}")?;
        }
        Ok(())
    }
}
