//! What is wrong with the tool traffic of a log. Compaction keeps such messages and never makes it worse; a provider
//! may refuse them all the same.

use super::{Compact, Kind};
use serde::Serialize;
use std::collections::BTreeMap;
use std::collections::btree_map::Entry;
use std::fmt;

/// A fault in the tool traffic of a log, with the position of the message.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(tag = "code", rename_all = "snake_case")]
#[non_exhaustive]
pub enum Finding {
    /// A result whose call did not come before it.
    ResultWithoutCall {
        /// Position in the log.
        message: usize,
        /// The id.
        id: String,
    },
    /// A call that has no result although the conversation went on.
    CallWithoutResult {
        /// Position in the log.
        message: usize,
        /// The id.
        id: String,
    },
    /// A second call with the id of an earlier one.
    DuplicateCall {
        /// Position in the log.
        message: usize,
        /// The id.
        id: String,
    },
    /// A second result for one call.
    DuplicateResult {
        /// Position in the log.
        message: usize,
        /// The id.
        id: String,
    },
}

impl Finding {
    /// All faults of a log, by position.
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
        for (message, kind) in log.iter().map(Compact::kind).enumerate() {
            calls.read(message, &kind);
        }
        calls.finish()
    }

    /// A stable name of the fault.
    pub fn code(&self) -> &'static str {
        match self {
            Self::ResultWithoutCall { .. } => "result_without_call",
            Self::CallWithoutResult { .. } => "call_without_result",
            Self::DuplicateCall { .. } => "duplicate_call",
            Self::DuplicateResult { .. } => "duplicate_result",
        }
    }

    /// Position of the message in the log.
    pub fn message(&self) -> usize {
        match self {
            Self::ResultWithoutCall { message, .. }
            | Self::CallWithoutResult { message, .. }
            | Self::DuplicateCall { message, .. }
            | Self::DuplicateResult { message, .. } => *message,
        }
    }
}

impl fmt::Display for Finding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::ResultWithoutCall { message, id } => {
                write!(
                    f,
                    "message {message}: a result for `{id}`, which was not called before"
                )
            }
            Self::CallWithoutResult { message, id } => {
                write!(f, "message {message}: the call `{id}` has no result")
            }
            Self::DuplicateCall { message, id } => {
                write!(f, "message {message}: the call id `{id}` is used again")
            }
            Self::DuplicateResult { message, id } => {
                write!(f, "message {message}: a second result for `{id}`")
            }
        }
    }
}

/// The calls of a log while it is read.
#[derive(Default)]
struct Calls {
    by_id: BTreeMap<String, Call>,
    /// Position of the last question or answer: calls before it should have their results.
    last_turn: usize,
    findings: Vec<Finding>,
}

struct Call {
    message: usize,
    answered: bool,
}

impl Calls {
    fn read(&mut self, message: usize, kind: &Kind) {
        for id in kind.calls().iter().cloned() {
            match self.by_id.entry(id) {
                Entry::Occupied(entry) => {
                    self.findings.push(Finding::DuplicateCall {
                        message,
                        id: entry.key().clone(),
                    });
                }
                Entry::Vacant(entry) => {
                    entry.insert(Call {
                        message,
                        answered: false,
                    });
                }
            }
        }
        for id in kind.results().iter().cloned() {
            match self.by_id.get_mut(&id) {
                Some(call) if !call.answered => call.answered = true,
                Some(_) => self.findings.push(Finding::DuplicateResult { message, id }),
                None => self
                    .findings
                    .push(Finding::ResultWithoutCall { message, id }),
            }
        }
        if matches!(kind, Kind::Question | Kind::Answer) {
            self.last_turn = message;
        }
    }

    fn finish(mut self) -> Vec<Finding> {
        for (id, Call { message, answered }) in self.by_id {
            if !answered && message < self.last_turn {
                self.findings
                    .push(Finding::CallWithoutResult { message, id });
            }
        }
        self.findings
            .sort_by(|one, other| (one.message(), one).cmp(&(other.message(), other)));
        self.findings
    }
}
