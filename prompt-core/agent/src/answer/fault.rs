//! Repairs, faults and errors of an answer, as data. The reader gives repairs, the check of the shape and serde give faults,
//! and `Answer::read_message` the errors.

use super::json::push_step;
use prompt_core::Code;
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;
use std::fmt;
use thiserror::Error;

/// Something that was done to an answer before its type accepted it.
///
/// As text it is one word, and for a coercion its place: `trailing_comma`, `coerced:/items/0/price`.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum Repair {
    /// The value stood in a fence.
    Fence,
    /// Text stood around the value, or reasoning before it.
    Prose,
    /// Several different values fit, of which this is the last.
    Several,
    /// The text was no JSON, but a word, and is one variant of an enum of words but for case, separators, quotes, markup and
    /// a full stop.
    Word,
    /// A comma stood before a closing bracket.
    TrailingComma,
    /// Comments stood in the value.
    Comment,
    /// A string or a key stood in single quotes.
    SingleQuotes,
    /// A key stood without quotes.
    UnquotedKey,
    /// `True`, `False` or `None`.
    PythonLiteral,
    /// A line break or a tab stood in a string as it is.
    RawNewline,
    /// Blanks stood between the parts that JSON does not know, such as a no-break space.
    Blank,
    /// Closing brackets were missing at the end, behind a value that was complete.
    MissingCloser,
    /// A key stood twice. With equal values one of them is left out; otherwise the type has decided, as it does for
    /// `serde_json`: a map takes the last.
    DuplicateKey,
    /// The value at this JSON pointer was read as what the type wants: a number in quotes, a word for a boolean, one
    /// value for a list of one, a list or an object that was written as a text, a variant in another spelling, a null for a field
    /// that may be left out.
    Coerced(String),
}

impl fmt::Display for Repair {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Fence => "fence",
            Self::Prose => "prose",
            Self::Several => "several",
            Self::Word => "word",
            Self::TrailingComma => "trailing_comma",
            Self::Comment => "comment",
            Self::SingleQuotes => "single_quotes",
            Self::UnquotedKey => "unquoted_key",
            Self::PythonLiteral => "python_literal",
            Self::RawNewline => "raw_newline",
            Self::Blank => "blank",
            Self::MissingCloser => "missing_closer",
            Self::DuplicateKey => "duplicate_key",
            Self::Coerced(path) => return write!(f, "coerced:{path}"),
        })
    }
}

/// What kind of mistake a fault is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum FaultKind {
    /// A field is not there; at the root: there is no value.
    Missing,
    /// The type has no such field, and takes no others.
    UnknownField,
    /// A field stands twice, with different values.
    DuplicateField,
    /// A value of another type.
    Type,
    /// None of the words or variants that may stand here.
    Variant,
    /// A number out of range, a text or list too short or too long.
    Bound,
    /// No JSON, and nothing that is repaired; or a value that breaks off.
    Syntax,
    /// What the type's own `Deserialize`, or the check of the caller, says.
    Custom,
}

impl FaultKind {
    /// The kind's word, as in JSON.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Missing => "missing",
            Self::UnknownField => "unknown_field",
            Self::DuplicateField => "duplicate_field",
            Self::Type => "type",
            Self::Variant => "variant",
            Self::Bound => "bound",
            Self::Syntax => "syntax",
            Self::Custom => "custom",
        }
    }
}

impl fmt::Display for FaultKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.as_str())
    }
}

/// One mistake in an answer.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Fault {
    /// JSON pointer (RFC 6901) to the place; empty for the whole value. A missing or unknown field is named by its own.
    pub path: String,
    /// What kind of mistake it is.
    pub kind: FaultKind,
    /// What stood there, as JSON, cut to 80 characters; empty where nothing did.
    pub found: String,
    /// What may stand there, in the words of the printed type; for [`FaultKind::Custom`] and [`FaultKind::Syntax`] the
    /// reason, as for [`FaultKind::Missing`] of the whole value, where there is a bracket that begins none.
    pub expected: String,
    /// The name that was most likely meant: a field, a word, a variant. For a missing field the unknown one that stands
    /// in its place.
    pub nearest: Option<String>,
}

impl Fault {
    pub(super) fn new(kind: FaultKind, path: &str, expected: impl Into<String>) -> Self {
        Self {
            path: path.to_owned(),
            kind,
            found: String::new(),
            expected: expected.into(),
            nearest: None,
        }
    }

    pub(super) fn found(mut self, found: String) -> Self {
        self.found = found;
        self
    }

    pub(super) fn near(mut self, nearest: Option<&str>) -> Self {
        self.nearest = nearest.map(str::to_owned);
        self
    }
}

/// The faults that are told. Where the type takes no other fields, a misspelt name is one mistake: the field that is missing
/// for it is not told, too.
pub(super) fn told(faults: &[Fault]) -> Vec<&Fault> {
    let meant = |fault: &Fault| {
        let (parent, _) = fault.path.rsplit_once('/')?;
        let mut meant = parent.to_owned();
        push_step(&mut meant, fault.nearest.as_deref()?);
        Some(meant)
    };
    let unknown = faults
        .iter()
        .filter(|fault| fault.kind == FaultKind::UnknownField);
    let misspelt: BTreeSet<String> = unknown.filter_map(meant).collect();
    let is_told = |fault: &&Fault| {
        fault.kind != FaultKind::Missing
            || fault.nearest.is_none()
            || !misspelt.contains(&fault.path)
    };
    faults.iter().filter(is_told).collect()
}

/// In the default [`AnswerWording`](super::AnswerWording).
impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&super::AnswerWording::default().fault(self))
    }
}

/// Why no answer comes of a conversation.
#[derive(Clone, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum AnswerError {
    /// The last try that the model has was refused.
    #[error("the answer is refused after {tries} {}{}", if *.tries == 1 { "try" } else { "tries" }, Listed(.faults))]
    TooManyTries {
        /// Tries, this one included.
        tries: usize,
        /// The faults of this one; none if it was cut off.
        faults: Vec<Fault>,
    },
    /// The message calls other tools: answer these first.
    #[error("the message is no answer yet: it calls {}; answer these first", .names.join(", "))]
    PendingCalls {
        /// Names of the tools.
        names: Vec<String>,
    },
    /// The provider or the model refused to answer.
    #[error("the answer was filtered, or the model refused to answer: {text}")]
    Filtered {
        /// What was said instead.
        text: String,
    },
    /// The provider interrupted the turn: send the message back, and the model goes on.
    #[error("the turn is paused: send the message back to go on")]
    Paused,
    /// The example does not fit the type.
    #[error("the example does not fit the type{}", Listed(.faults))]
    Example {
        /// Its faults.
        faults: Vec<Fault>,
    },
}

impl AnswerError {
    /// The stable name of the error.
    pub fn code(&self) -> Code {
        match self {
            Self::TooManyTries { .. } => Code::TooManyTries,
            Self::PendingCalls { .. } => Code::PendingCalls,
            Self::Filtered { .. } => Code::Filtered,
            Self::Paused => Code::Paused,
            Self::Example { .. } => Code::InvalidExample,
        }
    }
}

/// Faults as a list, each on a line of its own.
struct Listed<'a>(&'a [Fault]);

impl fmt::Display for Listed<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut told = told(self.0).into_iter();
        told.try_for_each(|fault| write!(f, "\n- {fault}"))
    }
}

impl fmt::Debug for AnswerError {
    /// Its words: `fn main() -> Result<(), AnswerError>` shows that to a user.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}
