//! Errors between messages and a provider's JSON: all formats give them. What a program asks of one is here, too: which
//! message it is about, whether another try is worth it, and when.

use prompt_core::Code;
use prompt_core::message::Role;
use std::fmt;
use std::time::Duration;
use thiserror::Error;

/// Why messages cannot be written in a format, or JSON cannot be read.
///
/// `message` is an index into the messages given to `request`, or into the list of messages of the JSON that is read (0
/// for a reply); in [`WireError::Api`] it is the provider's text.
#[derive(Clone, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum WireError {
    /// The format has no way to say this.
    #[error("message {message}: the format `{format}` cannot say {what}")]
    Unsupported {
        /// Index of the message.
        message: usize,
        /// The format, such as `gemini`.
        format: &'static str,
        /// What it cannot say, and what to do about it.
        what: String,
    },
    /// A piece stands in a message whose role cannot say it, such as a tool call of the user.
    #[error("message {message}: {piece} cannot stand in a message of the role {role:?}")]
    Misplaced {
        /// Index of the message.
        message: usize,
        /// The kind of piece.
        piece: &'static str,
        /// Who speaks in that message.
        role: Role,
    },
    /// The message says nothing, and the format has no empty messages.
    #[error("message {message}: it says nothing, which the format does not allow; leave it out")]
    Empty {
        /// Index of the message.
        message: usize,
    },
    /// A tool result whose call is not in the messages before it.
    #[error("message {message}: the result answers `{id}`, which no earlier message calls")]
    UnknownCall {
        /// Index of the message with the result.
        message: usize,
        /// The id that no call has.
        id: String,
    },
    /// A second result for a call that has one.
    #[error("message {message}: the call `{id}` already has a result; send one of them")]
    AnsweredTwice {
        /// Index of the message with the second result.
        message: usize,
        /// Id of the call.
        id: String,
    },
    /// The conversation goes on although a tool call has no result.
    #[error(
        "message {message}: the call `{id}` has no result, but the conversation goes on; answer it first"
    )]
    UnansweredCall {
        /// Index of the message with the call.
        message: usize,
        /// Id of the call.
        id: String,
    },
    /// The arguments of a tool call are neither a JSON object nor the text that the model wrote instead.
    #[error("message {message}: the arguments of the call `{id}` are no JSON object: {reason}")]
    Arguments {
        /// Index of the message with the call.
        message: usize,
        /// Id of the call.
        id: String,
        /// What is wrong with them.
        reason: String,
    },
    /// Two tools of one request share a name.
    #[error("two tools are named `{name}`; name one of them otherwise")]
    DuplicateTool {
        /// The name.
        name: String,
    },
    /// There is nothing to answer: no messages at all, or only the system's, which the format does not take alone.
    #[error(
        "there is nothing to answer: the format `{format}` needs a message that is not the system's"
    )]
    NoTurn {
        /// The format, such as `gemini`.
        format: &'static str,
    },
    /// The format has no way to say a setting.
    #[error("the format `{format}` cannot say {what}")]
    Setting {
        /// The format, such as `ollama`.
        format: &'static str,
        /// What it cannot say.
        what: &'static str,
    },
    /// The schema of a tool says what this provider does not take.
    #[error(
        "the format `{format}` does not take the schema of the tool `{tool}` at `{path}`: {reason}"
    )]
    Schema {
        /// Name of the tool.
        tool: String,
        /// The format, such as `gemini`.
        format: &'static str,
        /// JSON pointer into the schema, such as `/properties/level/enum`.
        path: String,
        /// What is wrong, and what to do about it.
        reason: String,
    },
    /// The provider answered with an error.
    #[error("the provider answered with an error{}{}: {message}", between(" ", .status.as_ref(), ""), between(" `", .code.as_ref(), "`"))]
    Api {
        /// The HTTP status: that of the response, where it was given, or the one that the body names.
        status: Option<u16>,
        /// The provider's code or type of error, such as `rate_limit_error`.
        code: Option<String>,
        /// What the provider said.
        message: String,
        /// How long it asks to wait before the next try.
        retry_after: Option<Duration>,
    },
    /// What came ended before the answer did: the answer is cut, or there was none.
    #[error("the answer breaks off; send the request again")]
    Unfinished,
    /// What came is neither a reply nor an error in JSON, such as the page of a gateway.
    #[error("what came{} is no reply: `{text}`", between(" with the status ", .status.as_ref(), ""))]
    NoReply {
        /// The HTTP status, where it was given.
        status: Option<u16>,
        /// How it begins: its first 200 bytes.
        text: String,
        /// How long the server asks to wait before the next try.
        retry_after: Option<Duration>,
    },
    /// The JSON is not what the format prescribes.
    #[error("message {message}: expected {expected} at `{path}`")]
    Shape {
        /// Index of the message.
        message: usize,
        /// JSON pointer to the place.
        path: String,
        /// What should stand there.
        expected: &'static str,
    },
}

impl WireError {
    /// The stable name of the error. ([`WireError::Api`] has the provider's own beside it.)
    pub fn code(&self) -> Code {
        match self {
            Self::Unsupported { .. } => Code::Unsupported,
            Self::Misplaced { .. } => Code::MisplacedPiece,
            Self::Empty { .. } => Code::EmptyMessage,
            Self::UnknownCall { .. } => Code::ResultWithoutCall,
            Self::AnsweredTwice { .. } => Code::DuplicateResult,
            Self::UnansweredCall { .. } => Code::CallWithoutResult,
            Self::Arguments { .. } => Code::InvalidArguments,
            Self::DuplicateTool { .. } => Code::DuplicateTool,
            Self::NoTurn { .. } => Code::NoTurn,
            Self::Setting { .. } => Code::UnsupportedSetting,
            Self::Schema { .. } => Code::InvalidSchema,
            Self::Api { .. } => Code::ProviderError,
            Self::Unfinished => Code::Unfinished,
            Self::NoReply { .. } => Code::NoReply,
            Self::Shape { .. } => Code::UnexpectedShape,
        }
    }

    /// The index of the message the error is about; `None` where it is about none, such as one about the tools.
    pub fn message(&self) -> Option<usize> {
        match self {
            Self::Unsupported { message, .. }
            | Self::Misplaced { message, .. }
            | Self::Empty { message }
            | Self::UnknownCall { message, .. }
            | Self::AnsweredTwice { message, .. }
            | Self::UnansweredCall { message, .. }
            | Self::Arguments { message, .. }
            | Self::Shape { message, .. } => Some(*message),
            _ => None,
        }
    }

    pub(super) fn no_reply(text: &str) -> Self {
        Self::NoReply {
            status: None,
            text: quoted(text),
            retry_after: None,
        }
    }

    /// Whether the same request may well be answered when it is sent again: the provider is busy or has failed, the answer
    /// broke off, or what came is the page of something in between.
    ///
    /// The status of the response decides, where it was given ([`Provider::read`](super::Provider::read),
    /// [`StreamReader::response`](super::StreamReader::response)) or the body names it; else the code of the error.
    ///
    /// ```
    /// # #[cfg(feature = "anthropic")] {
    /// use prompt_agent::wire::Provider;
    /// use std::time::Duration;
    ///
    /// let error = Provider::Anthropic.read(503, [("Retry-After", "2")], b"<html>Service Unavailable</html>").unwrap_err();
    /// assert!(error.is_transient());
    /// assert_eq!(error.retry_after(), Some(Duration::from_secs(2)));
    /// # }
    /// ```
    pub fn is_transient(&self) -> bool {
        const PASSING: [u16; 4] = [408, 409, 425, 429];
        let passes = |status: u16| PASSING.contains(&status) || (500..600).contains(&status);
        match self {
            Self::Unfinished => true,
            // With the status 200, or none that is known, it is a page that stands where an answer should.
            Self::NoReply { status, .. } => {
                status.is_none_or(|status| (200..300).contains(&status) || passes(status))
            }
            Self::Api { status, code, .. } => {
                let code = code.as_deref().unwrap_or_default();
                !says(code, &LASTING) && status.map_or_else(|| says(code, &TRANSIENT), passes)
            }
            _ => false,
        }
    }

    /// How long the provider asks to wait before the next try: by the headers `retry-after-ms` and `retry-after` (in seconds;
    /// a date is taken relative to the header `date`), or by the body. `None` where another try is of no use
    /// ([`is_transient`](Self::is_transient)), and where nothing is said.
    pub fn retry_after(&self) -> Option<Duration> {
        let (Self::Api { retry_after, .. } | Self::NoReply { retry_after, .. }) = self else {
            return None;
        };
        retry_after.filter(|_| self.is_transient())
    }
}

/// How a text begins: its first 200 bytes.
pub(super) fn quoted(text: &str) -> String {
    const QUOTED: usize = 200;
    let text = text.trim();
    let mut ends = (0..=text.len().min(QUOTED)).rev();
    let quoted = ends.find_map(|end| text.get(..end));
    quoted.unwrap_or_default().to_owned()
}

/// Whether a code, in any case, has one of these words.
pub(super) fn says(code: &str, words: &[&str]) -> bool {
    let code = code.to_ascii_lowercase();
    words.iter().any(|word| code.contains(word))
}

/// Words of the codes that wait for a person, whatever the status.
pub(super) const LASTING: [&str; 1] = ["insufficient_quota"];

/// Words of the codes that providers have for being busy or broken.
pub(super) const TRANSIENT: [&str; 9] = [
    "api_error",
    "overloaded",
    "rate_limit",
    "exhausted",
    "unavailable",
    "timeout",
    "deadline",
    "server_error",
    "internal",
];

/// What is known of an error, between marks; nothing where it is not known.
fn between(open: &str, known: Option<&impl fmt::Display>, close: &str) -> String {
    known.map_or_else(String::new, |known| format!("{open}{known}{close}"))
}

impl fmt::Debug for WireError {
    /// Its words: `fn main() -> Result<(), WireError>` shows that to a user.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}
