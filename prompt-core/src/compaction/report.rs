//! What compaction did, and what is wrong with the tool traffic of a log: nothing goes uncounted.

use super::calls::{Calls, Tie};
use super::{Compact, Compacted, KeepReason, Kind};
use crate::tokens::TokenCounter;
use prompt_syntax::Code;
use serde::Serialize;
use std::fmt;

/// What compaction did to a log. Serialisable, for logs and dashboards. Printed as one line, and with `{:#}` as a small
/// table of what was saved.
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
/// assert_eq!(
///     format!("{report:#}"),
///     "|          | before |  after | saved |\n\
///      |----------|-------:|-------:|------:|\n\
///      | messages |      3 |      3 |   0 % |\n\
///      | tokens   |     27 |     11 |  59 % |\n"
/// );
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
    /// Positions of the compacted answers that stand in full because they have no recap; ascending.
    pub recaps_missing: Vec<usize>,
    /// What is wrong with the tool traffic of the log, and what stays before the frontier.
    pub findings: Vec<Finding>,
}

impl<M: Compact> Compacted<'_, M> {
    /// What compaction did, counted: looks at the whole log. With the feature `tracing` it is logged, too.
    pub fn report(&self, counter: &dyn TokenCounter) -> CompactionReport {
        let head = self.state();
        let mut recaps_missing = head.recaps_missing.clone();
        recaps_missing.sort_unstable();
        let kept = head.kept.iter();
        let mut findings = Finding::in_log(self.log());
        findings.extend(kept.map(|(&message, &reason)| Finding::Kept { message, reason }));
        sort(&mut findings);
        let tokens = self.log().iter().map(|message| message.tokens(counter));
        let report = CompactionReport {
            messages_before: self.log().len(),
            messages_after: self.len(),
            tokens_before: tokens.fold(0, usize::saturating_add),
            tokens_after: self.tokens(counter),
            frontier: self.frontier(),
            recaps_missing,
            findings,
        };
        report.trace();
        report
    }
}

impl CompactionReport {
    /// Tokens of the view per token of the log: 1.0 if nothing changed.
    pub fn ratio(&self) -> f64 {
        ratio(self.tokens_after as u64, self.tokens_before as u64)
    }

    #[cfg(feature = "tracing")]
    fn trace(&self) {
        tracing::info!(
            target: "prompt_core::compaction",
            messages_before = self.messages_before,
            messages_after = self.messages_after,
            tokens_before = self.tokens_before,
            tokens_after = self.tokens_after,
            ratio = self.ratio(),
            frontier = self.frontier,
            recaps_missing = self.recaps_missing.len(),
            findings = self.findings.len(),
            "compaction report"
        );
        for finding in &self.findings {
            let (code, position) = (finding.code().as_str(), finding.message());
            if finding.is_fault() {
                tracing::warn!(target: "prompt_core::compaction", code, position, "{finding}");
            } else {
                tracing::debug!(target: "prompt_core::compaction", code, position, "{finding}");
            }
        }
    }

    #[cfg(not(feature = "tracing"))]
    #[allow(clippy::unused_self, reason = "the same call as with the feature")]
    fn trace(&self) {}
}

/// `part / whole`, and 1.0 of nothing.
fn ratio(part: u64, whole: u64) -> f64 {
    if whole > 0 {
        number(part) / number(whole)
    } else {
        1.0
    }
}

/// A count as a number to calculate with.
#[expect(
    clippy::cast_precision_loss,
    reason = "counts of tokens are far below 2^53"
)]
fn number(count: u64) -> f64 {
    count as f64
}

impl fmt::Display for CompactionReport {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if f.alternate() {
            return self.table(f);
        }
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

impl CompactionReport {
    fn table(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let widest = self.messages_before.max(self.tokens_before);
        let width = widest.to_string().len().max("before".len());
        writeln!(
            f,
            "| {:8} | {:>width$} | {:>width$} | saved |",
            "", "before", "after"
        )?;
        writeln!(f, "|{0:->10}|{0:->1$}:|{0:->1$}:|------:|", "", width + 1)?;
        for (name, before, after) in [
            ("messages", self.messages_before, self.messages_after),
            ("tokens", self.tokens_before, self.tokens_after),
        ] {
            let saved = 100.0 * (1.0 - ratio(after as u64, before as u64));
            writeln!(
                f,
                "| {name:8} | {before:>width$} | {after:>width$} | {saved:>3.0} % |"
            )?;
        }
        Ok(())
    }
}

/// A fault in the tool traffic of a log, or what of it stays before the frontier; with the position of the message.
/// Compaction never makes faults worse; a provider may refuse them all the same.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(tag = "code", rename_all = "snake_case")]
#[non_exhaustive]
pub enum Finding {
    /// A result whose id was not called before it. It goes with its exchange.
    ResultWithoutCall {
        /// Position in the log.
        message: usize,
        /// The id.
        id: String,
    },
    /// A call that has no result although the conversation went on. It keeps its exchange in full.
    CallWithoutResult {
        /// Position in the log.
        message: usize,
        /// The id.
        id: String,
    },
    /// A second call with the id of an earlier one that still waits. (Servers that number their calls anew in every reply
    /// are no fault: a result belongs to the newest call of its id that waits.)
    DuplicateCall {
        /// Position in the log.
        message: usize,
        /// The id.
        id: String,
    },
    /// A second result for one call. It goes with its exchange.
    DuplicateResult {
        /// Position in the log.
        message: usize,
        /// The id.
        id: String,
    },
    /// An exchange before the frontier stays in full. No fault, but it costs tokens in every request.
    Kept {
        /// Position of its answer in the log.
        message: usize,
        /// Why it stays.
        reason: KeepReason,
    },
}

impl Finding {
    /// All faults of a log, by position; what stays of it is known to a [`CompactionReport`] only.
    ///
    /// ```
    /// use prompt_core::Content;
    /// use prompt_core::compaction::Finding;
    /// use prompt_core::Message;
    /// use prompt_core::Role;
    /// let result = Content::ToolResult { id: "call_7".into(), content: "2.1 m".into(), is_error: false };
    /// let log = [Message::user("How high?"), Message { role: Role::Tool, content: vec![result], cache: None }];
    /// assert_eq!(Finding::in_log(&log)[0].to_string(), "message 1: a result for `call_7`, which was not called before");
    /// ```
    pub fn in_log<M: Compact>(log: &[M]) -> Vec<Self> {
        let mut calls = Calls::default();
        let (mut findings, mut last_turn) = (Vec::new(), 0);
        for (message, kind) in log.iter().map(Compact::kind).enumerate() {
            for tie in calls.read(message, &kind) {
                let id = tie.id().to_owned();
                findings.push(match tie {
                    Tie::Call { again: true, .. } => Self::DuplicateCall { message, id },
                    Tie::Stray { known: true, .. } => Self::DuplicateResult { message, id },
                    Tie::Stray { .. } => Self::ResultWithoutCall { message, id },
                    Tie::Call { .. } | Tie::Result { .. } => continue,
                });
            }
            if matches!(kind, Kind::Question | Kind::Answer) {
                last_turn = message;
            }
        }
        // Calls before the last question or answer should have their results.
        let late = calls.waiting().filter(|(_, message)| *message < last_turn);
        findings.extend(late.map(|(id, message)| Self::CallWithoutResult { message, id }));
        sort(&mut findings);
        findings
    }

    /// A stable name of the finding.
    pub fn code(&self) -> Code {
        match self {
            Self::ResultWithoutCall { .. } => Code::ResultWithoutCall,
            Self::CallWithoutResult { .. } => Code::CallWithoutResult,
            Self::DuplicateCall { .. } => Code::DuplicateCall,
            Self::DuplicateResult { .. } => Code::DuplicateResult,
            Self::Kept { .. } => Code::Kept,
        }
    }

    /// Position of the message in the log.
    pub fn message(&self) -> usize {
        match self {
            Self::ResultWithoutCall { message, .. }
            | Self::CallWithoutResult { message, .. }
            | Self::DuplicateCall { message, .. }
            | Self::DuplicateResult { message, .. }
            | Self::Kept { message, .. } => *message,
        }
    }

    /// Whether the log is at fault; what is only kept is not.
    pub fn is_fault(&self) -> bool {
        !matches!(self, Self::Kept { .. })
    }
}

impl fmt::Display for Finding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "message {}: ", self.message())?;
        match self {
            Self::ResultWithoutCall { id, .. } => {
                write!(f, "a result for `{id}`, which was not called before")
            }
            Self::CallWithoutResult { id, .. } => write!(f, "the call `{id}` has no result"),
            Self::DuplicateCall { id, .. } => {
                write!(f, "the call id `{id}` is used again before its result")
            }
            Self::DuplicateResult { id, .. } => write!(f, "a second result for `{id}`"),
            Self::Kept { reason, .. } => f.write_str(match reason {
                KeepReason::Waiting => {
                    "its exchange stays in full until all results are before the frontier"
                }
                KeepReason::Wanted => "its exchange stays, because a tool message in it asks to",
                KeepReason::NotText => {
                    "its exchange stays, because no text can stand for the answer"
                }
                KeepReason::NotShorter => {
                    "its exchange stays, because its batch would not be shorter"
                }
            }),
        }
    }
}

/// In the order of the log.
fn sort(findings: &mut [Finding]) {
    findings.sort_by(|one, other| (one.message(), one).cmp(&(other.message(), other)));
}
