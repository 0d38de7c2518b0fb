//! What can go wrong between messages and a provider's JSON.

use crate::message::Role;
use std::fmt;

/// Why messages cannot be written in a format, or JSON cannot be read.
///
/// `message` is an index into the messages given to `request`, or into the list of messages of the JSON that is read (0
/// for a reply); in [`WireError::Api`] it is the provider's text.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum WireError {
    /// The format has no way to say this.
    Unsupported {
        /// Index of the message.
        message: usize,
        /// The format, such as `gemini`.
        format: &'static str,
        /// What it cannot say, and what to do about it.
        what: String,
    },
    /// A piece stands in a message whose role cannot say it, such as a tool call of the user.
    Misplaced {
        /// Index of the message.
        message: usize,
        /// The kind of piece.
        piece: &'static str,
        /// Who speaks in that message.
        role: Role,
    },
    /// The message says nothing, and the format has no empty messages.
    Empty {
        /// Index of the message.
        message: usize,
    },
    /// A tool result whose call is not in the messages before it.
    UnknownCall {
        /// Index of the message with the result.
        message: usize,
        /// The id that no call has.
        id: String,
    },
    /// A second result for a call that has one.
    AnsweredTwice {
        /// Index of the message with the second result.
        message: usize,
        /// Id of the call.
        id: String,
    },
    /// The conversation goes on although a tool call has no result.
    UnansweredCall {
        /// Index of the message with the call.
        message: usize,
        /// Id of the call.
        id: String,
    },
    /// The arguments of a tool call are neither a JSON object nor the text that the model wrote instead.
    Arguments {
        /// Index of the message with the call.
        message: usize,
        /// Id of the call.
        id: String,
        /// What is wrong with them.
        reason: String,
    },
    /// The name of a called tool is not legal everywhere.
    ToolName {
        /// Index of the message with the call.
        message: usize,
        /// The name.
        name: String,
    },
    /// Two tools of one request share a name.
    DuplicateTool {
        /// The name.
        name: String,
    },
    /// There is nothing to answer: no messages at all, or only the system's, which the format does not take alone.
    NoTurn {
        /// The format, such as `gemini`.
        format: &'static str,
    },
    /// The format has no way to say a setting.
    Setting {
        /// The format, such as `ollama`.
        format: &'static str,
        /// What it cannot say.
        what: &'static str,
    },
    /// The schema of a tool says what this provider does not take.
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
    Api {
        /// The HTTP status, where the body names it.
        status: Option<u16>,
        /// The provider's code or type of error, such as `rate_limit_error`.
        code: Option<String>,
        /// What the provider said.
        message: String,
    },
    /// The stream was finished before its last event: the answer is cut.
    Unfinished,
    /// The JSON is not what the format prescribes.
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
            | Self::ToolName { message, .. }
            | Self::Shape { message, .. } => Some(*message),
            Self::DuplicateTool { .. }
            | Self::NoTurn { .. }
            | Self::Setting { .. }
            | Self::Schema { .. }
            | Self::Api { .. }
            | Self::Unfinished => None,
        }
    }
}

impl fmt::Display for WireError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Unsupported {
                message,
                format,
                what,
            } => {
                write!(
                    f,
                    "message {message}: the format `{format}` cannot say {what}"
                )
            }
            Self::Misplaced {
                message,
                piece,
                role,
            } => {
                write!(
                    f,
                    "message {message}: {piece} cannot stand in a message of the role {role:?}"
                )
            }
            Self::Empty { message } => write!(
                f,
                "message {message}: it says nothing, which the format does not allow"
            ),
            Self::UnknownCall { message, id } => {
                write!(
                    f,
                    "message {message}: the result answers `{id}`, which no earlier message calls"
                )
            }
            Self::AnsweredTwice { message, id } => {
                write!(f, "message {message}: the call `{id}` already has a result")
            }
            Self::UnansweredCall { message, id } => {
                write!(
                    f,
                    "message {message}: the call `{id}` has no result, but the conversation goes on"
                )
            }
            Self::Arguments {
                message,
                id,
                reason,
            } => {
                write!(
                    f,
                    "message {message}: the arguments of the call `{id}` are no JSON object: {reason}"
                )
            }
            Self::ToolName { message, name } => {
                write!(
                    f,
                    "message {message}: `{name}` is no tool name that every provider takes"
                )
            }
            Self::DuplicateTool { name } => write!(f, "two tools are named `{name}`"),
            Self::NoTurn { format } => write!(
                f,
                "there is nothing to answer: the format `{format}` needs a message that is not the system's"
            ),
            Self::Setting { format, what } => {
                write!(f, "the format `{format}` cannot say {what}")
            }
            Self::Schema {
                tool,
                format,
                path,
                reason,
            } => {
                write!(
                    f,
                    "the format `{format}` does not take the schema of the tool `{tool}` at `{path}`: {reason}"
                )
            }
            Self::Api {
                status,
                code,
                message,
            } => {
                f.write_str("the provider answered with an error")?;
                if let Some(status) = status {
                    write!(f, " {status}")?;
                }
                if let Some(code) = code {
                    write!(f, " `{code}`")?;
                }
                write!(f, ": {message}")
            }
            Self::Unfinished => f.write_str("the stream ended before the answer did"),
            Self::Shape {
                message,
                path,
                expected,
            } => {
                write!(f, "message {message}: expected {expected} at `{path}`")
            }
        }
    }
}

impl std::error::Error for WireError {}
