//! Tools: what a model may call, its calls, and our answers.

use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::fmt;

/// A tool as the model sees it. Its schema is legal in the strict mode of every provider: see [`ToolSpec::new`].
#[derive(Clone, Debug, PartialEq, Serialize)]
#[non_exhaustive]
pub struct ToolSpec {
    /// `^[a-zA-Z_][a-zA-Z0-9_-]{0,63}$`.
    pub name: String,
    /// What it does, for the model.
    pub description: String,
    /// JSON Schema of the arguments: a closed object.
    pub parameters: Value,
}

/// A call by the model.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ToolCall {
    /// Identifies the call within the conversation.
    pub id: String,
    /// The tool.
    pub name: String,
    /// A JSON object.
    pub arguments: Value,
}

/// The answer to a call.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ToolResult {
    /// The call that is answered.
    pub id: String,
    /// The tool that was called.
    pub name: String,
    /// The result as text.
    pub content: String,
    /// Whether the tool failed.
    #[serde(default)]
    pub is_error: bool,
}

/// Why a tool cannot be offered to a model.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum ToolSpecError {
    /// The name is not `^[a-zA-Z_][a-zA-Z0-9_-]{0,63}$`.
    InvalidName(String),
    /// The schema breaks a rule of strict mode.
    Schema {
        /// JSON pointer to the offending place, such as `/properties/path`.
        path: String,
        /// The rule, in plain words.
        reason: String,
    },
}

impl fmt::Display for ToolSpecError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::InvalidName(name) => write!(
                f,
                "`{name}` is no legal tool name: letters, digits, `_` and `-`, not starting with a digit or `-`, at most 64"
            ),
            Self::Schema { path, reason } => write!(f, "schema at `{path}`: {reason}"),
        }
    }
}

impl std::error::Error for ToolSpecError {}
