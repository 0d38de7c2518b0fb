//! What can be wrong with a configuration.

use std::fmt;

/// Why a configuration was refused. Compacting itself cannot fail.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum CompactionError {
    /// `batch_size` is 0: batches of nothing never end.
    ZeroBatchSize,
    /// `trigger`: `low` is not below `high`, so the frontier would move at every message.
    Watermarks {
        /// Tokens above which the frontier moves.
        high: usize,
        /// Tokens below which it stops.
        low: usize,
    },
    /// `extractor`: the marker is blank or starts with a blank, so that every trimmed line, or none, would carry it.
    Marker(String),
    /// `extractor`: the first 0 lines are no recap.
    ZeroLines,
    /// An environment variable cannot be read.
    Variable {
        /// Its name.
        name: &'static str,
        /// Its value; where it is not Unicode, with replacement characters.
        value: String,
        /// What it should be.
        expected: &'static str,
    },
}

impl CompactionError {
    /// A stable name of the problem.
    pub fn code(&self) -> &'static str {
        match self {
            Self::ZeroBatchSize => "zero_batch_size",
            Self::Watermarks { .. } => "watermarks_out_of_order",
            Self::Marker(_) => "recap_marker_blank",
            Self::ZeroLines => "recap_lines_zero",
            Self::Variable { .. } => "unreadable_variable",
        }
    }
}

impl fmt::Display for CompactionError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::ZeroBatchSize => write!(
                f,
                "`batch_size` is 0; use at least 1, or `enabled = false` to switch off"
            ),
            Self::Watermarks { high, low } => {
                write!(
                    f,
                    "`trigger`: `low` ({low} tokens) must be below `high` ({high} tokens)"
                )
            }
            Self::Marker(marker) => {
                write!(
                    f,
                    "`extractor`: the marker {marker:?} must not be empty nor start with a blank"
                )
            }
            Self::ZeroLines => write!(f, "`extractor`: `first_lines` is 0; use at least 1"),
            Self::Variable {
                name,
                value,
                expected,
            } => write!(f, "`{name}` is {value:?}; expected {expected}"),
        }
    }
}

impl std::error::Error for CompactionError {}
