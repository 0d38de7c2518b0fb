//! What can go wrong between the client and its server.

use prompt_agent::wire::WireError;
use std::time::Duration;
use std::{error::Error, fmt};

/// Why the model did not answer.
#[derive(Debug)]
#[non_exhaustive]
pub enum LiveError {
    /// The server cannot be reached, or the connection broke.
    Connection(String),
    /// What came is no answer: the server refused, it broke off, or something stood in between.
    Reply(WireError),
    /// The provider or the model refused to answer: what was said is no answer.
    Filtered {
        /// The text that had come until then.
        partial: String,
        /// The provider's word for the reason.
        reason: String,
    },
}

impl LiveError {
    /// Whether the same request can succeed a moment later.
    pub fn is_passing(&self) -> bool {
        match self {
            Self::Connection(_) => true,
            Self::Reply(error) => error.is_transient(),
            Self::Filtered { .. } => false,
        }
    }

    /// How long the server asks to wait.
    pub fn retry_after(&self) -> Option<Duration> {
        match self {
            Self::Reply(error) => error.retry_after(),
            _ => None,
        }
    }
}

impl From<reqwest::Error> for LiveError {
    /// The error with its causes: the outermost alone says little about a connection.
    fn from(error: reqwest::Error) -> Self {
        let causes = std::iter::successors(error.source(), |cause| (*cause).source());
        let text = causes.fold(error.to_string(), |text, cause| format!("{text}: {cause}"));
        Self::Connection(text)
    }
}

impl From<WireError> for LiveError {
    fn from(error: WireError) -> Self {
        Self::Reply(error)
    }
}

impl fmt::Display for LiveError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Connection(reason) => write!(f, "no answer from the server: {reason}"),
            Self::Reply(error) => write!(f, "no answer: {error}"),
            Self::Filtered { reason, .. } => write!(f, "the answer was withheld: {reason}"),
        }
    }
}

impl Error for LiveError {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        match self {
            Self::Reply(error) => Some(error),
            _ => None,
        }
    }
}
