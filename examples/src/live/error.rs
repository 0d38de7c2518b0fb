//! What can go wrong between the client and its server.

use async_openai::error::OpenAIError;
use prompt_core::wire::WireError;
use std::{error::Error, fmt};

/// Why the model did not answer.
#[derive(Debug)]
#[non_exhaustive]
pub enum LiveError {
    /// The server cannot be reached, or the connection broke before the answer began.
    Connection(String),
    /// The server refused.
    Status {
        /// The HTTP status.
        code: u16,
        /// What the server said.
        message: String,
    },
    /// The server reported an error in the middle of its answer.
    Refused(String),
    /// The answer is not what the format prescribes.
    Malformed(String),
    /// The answer is well formed JSON, but no legal message.
    Reply(WireError),
    /// The answer ended too early.
    Cut {
        /// The text that had come until then.
        partial: String,
        /// What ended it.
        reason: String,
    },
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
        const TOO_MANY_REQUESTS: u16 = 429;
        match self {
            Self::Connection(_) | Self::Cut { .. } => true,
            Self::Reply(error) => error.is_transient(),
            Self::Status { code, .. } => *code == TOO_MANY_REQUESTS || *code >= 500,
            _ => false,
        }
    }

    /// An answer, or a piece of one, that cannot be taken.
    pub(super) fn of_answer(error: WireError) -> Self {
        match error {
            WireError::Api { message, .. } => Self::Refused(message),
            other => Self::Malformed(other.to_string()),
        }
    }

    /// An error after the answer began.
    pub(super) fn in_stream(error: OpenAIError, partial: &str) -> Self {
        match error {
            OpenAIError::StreamError(cause) => Self::Cut {
                partial: partial.to_owned(),
                reason: cause.to_string(),
            },
            other => other.into(),
        }
    }
}

impl From<OpenAIError> for LiveError {
    fn from(error: OpenAIError) -> Self {
        match error {
            OpenAIError::ApiError(refusal) => Self::Status {
                code: refusal.status_code.as_u16(),
                message: refusal.api_error.to_string(),
            },
            OpenAIError::JSONDeserialize(cause, content) => {
                Self::Malformed(format!("{cause} in `{content}`"))
            }
            OpenAIError::Reqwest(cause) => Self::Connection(chain(&cause)),
            other => Self::Connection(other.to_string()),
        }
    }
}

/// An error with its causes: the outermost alone says little about a connection.
fn chain(error: &dyn Error) -> String {
    let mut text = error.to_string();
    let mut cause = error.source();
    while let Some(inner) = cause {
        text.push_str(": ");
        text.push_str(&inner.to_string());
        cause = inner.source();
    }
    text
}

impl fmt::Display for LiveError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Connection(reason) => write!(f, "no answer from the server: {reason}"),
            Self::Status { code, message } => {
                write!(f, "the server refused with status {code}: {message}")
            }
            Self::Refused(message) => write!(f, "the server broke its answer off: {message}"),
            Self::Malformed(reason) => write!(f, "the answer cannot be read: {reason}"),
            Self::Reply(error) => write!(f, "the answer is no legal message: {error}"),
            Self::Cut { partial, reason } => {
                write!(
                    f,
                    "the answer was cut off after {} characters: {reason}",
                    partial.chars().count()
                )
            }
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
