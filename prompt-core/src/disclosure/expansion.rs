//! What a call of `open_sections` leads to: sections are to be opened, or the call was refused.

use super::{ToolValidationError, openable::OPEN_SECTIONS, turn};
use crate::tool::ToolCall;
use crate::tool::ToolResult;
use crate::visibility::Overrides;
use crate::visibility::Visibility;
use std::{collections::BTreeMap, error::Error, fmt};

/// The model asks for sections in full: merge [`requested_overrides`](Self::requested_overrides) into the overrides of
/// the prompt and render it again.
///
/// A rendered prompt does not change, so this is an error value: it cannot be overlooked. [`Disclosure`](crate::disclosure::Disclosure)
/// does all of it.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct VisibilityExpansionRequired {
    /// The sections to open, each `Full`, in the order of the request. Keys given twice occur once, and sections that
    /// are open already do not occur.
    pub requested_overrides: Overrides,
    /// Why, in the model's words. If several calls of one turn were merged, their reasons joined by `; `.
    pub reason: String,
    /// The keys as the model gave them.
    pub section_keys: Vec<String>,
    /// How every section of the prompt is shown now.
    pub visibility: BTreeMap<String, Visibility>,
    /// Results of the calls of the same turn that ran before.
    pub completed: Vec<ToolResult>,
}

impl VisibilityExpansionRequired {
    /// The paths of the sections to open.
    pub fn paths(&self) -> impl Iterator<Item = &str> {
        self.requested_overrides.iter().map(|(path, _)| path)
    }

    /// A result for every call of the turn, in its order, for a provider that wants each call answered: what has been
    /// completed, which sections are open now, and that the calls after `open_sections` were not run.
    pub fn results(&self, calls: &[ToolCall]) -> Vec<ToolResult> {
        let mut completed = self.completed.iter().cloned();
        turn::results(
            calls,
            turn::reach(calls),
            turn::opened(&self.opened()),
            |_| completed.next(),
        )
    }

    /// Tells the model what is open now.
    pub(crate) fn opened(&self) -> String {
        let quoted: Vec<String> = self.paths().map(|path| format!("'{path}'")).collect();
        format!("Now shown in full in the prompt: {}.", quoted.join(", "))
    }
}

/// The result of a call.
pub(crate) fn answer(call: &ToolCall, content: impl Into<String>, is_error: bool) -> ToolResult {
    ToolResult {
        id: call.id.clone(),
        name: call.name.clone(),
        content: content.into(),
        is_error,
    }
}

impl fmt::Display for VisibilityExpansionRequired {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let paths: Vec<&str> = self.paths().collect();
        write!(
            f,
            "Visibility expansion required for sections: {}. Reason: {}",
            paths.join(", "),
            self.reason
        )
    }
}

impl Error for VisibilityExpansionRequired {}

/// Why a call has no result of its own.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum ToolError {
    /// The good outcome of `open_sections`: sections are to be opened.
    Expansion(Box<VisibilityExpansionRequired>),
    /// The call was refused; the text of the error is the answer for the model.
    Validation(ToolValidationError),
    /// The call is of another tool: it is for the program to run.
    OtherTool {
        /// Name of that tool.
        name: String,
    },
}

impl ToolError {
    /// The expansion, if this is one.
    pub fn into_expansion(self) -> Option<VisibilityExpansionRequired> {
        match self {
            Self::Expansion(expansion) => Some(*expansion),
            _ => None,
        }
    }
}

impl fmt::Display for ToolError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Expansion(expansion) => expansion.fmt(f),
            Self::Validation(error) => error.fmt(f),
            Self::OtherTool { name } => {
                write!(
                    f,
                    "`{name}` is not answered here: a rendered prompt only answers `{OPEN_SECTIONS}`"
                )
            }
        }
    }
}

impl Error for ToolError {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        match self {
            Self::Expansion(expansion) => Some(expansion.as_ref()),
            Self::Validation(error) => Some(error),
            Self::OtherTool { .. } => None,
        }
    }
}

impl From<VisibilityExpansionRequired> for ToolError {
    fn from(expansion: VisibilityExpansionRequired) -> Self {
        Self::Expansion(Box::new(expansion))
    }
}

impl From<ToolValidationError> for ToolError {
    fn from(error: ToolValidationError) -> Self {
        Self::Validation(error)
    }
}
