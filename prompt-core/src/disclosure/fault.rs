//! What can be wrong with a call of `open_sections`: typed for the program, and in words for the model.

use std::{error::Error, fmt};

/// One fault of a call of `open_sections`.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum ToolFault {
    /// An argument that must be there is not.
    MissingArgument {
        /// Its name.
        argument: &'static str,
        /// What it should be.
        expected: &'static str,
    },
    /// An argument that the tool does not have.
    UnexpectedArgument {
        /// Its name.
        argument: String,
    },
    /// An argument of another type.
    WrongType {
        /// Its name, or `arguments` for all of them.
        argument: &'static str,
        /// What it should be.
        expected: &'static str,
        /// What it is.
        found: String,
    },
    /// The reason is longer than 256 characters.
    ReasonTooLong {
        /// Its characters.
        length: usize,
    },
    /// No section was named.
    NoKeys,
    /// No section has this key: keys are matched exactly, and a section that is switched off does not count.
    UnknownKey {
        /// As the model gave it.
        key: String,
        /// The key that it may have meant.
        nearest: Option<String>,
    },
    /// The section is shown in full, and so is everything else that was asked for.
    AlreadyExpanded {
        /// Its key.
        key: String,
    },
    /// The section is inside one that is shown as a summary, and that one was not asked for.
    Hidden {
        /// Its key.
        key: String,
        /// The section to open first.
        parent: String,
    },
}

impl ToolFault {
    /// The stable name of the fault.
    pub fn code(&self) -> &'static str {
        match self {
            Self::MissingArgument { .. } => "missing_argument",
            Self::UnexpectedArgument { .. } => "unexpected_argument",
            Self::WrongType { .. } => "wrong_type",
            Self::ReasonTooLong { .. } => "reason_too_long",
            Self::NoKeys => "no_keys",
            Self::UnknownKey { .. } => "unknown_key",
            Self::AlreadyExpanded { .. } => "already_expanded",
            Self::Hidden { .. } => "hidden_section",
        }
    }

    /// Whether it helps to know what can be opened.
    pub(crate) fn is_about_keys(&self) -> bool {
        matches!(
            self,
            Self::NoKeys
                | Self::UnknownKey { .. }
                | Self::AlreadyExpanded { .. }
                | Self::Hidden { .. }
        )
    }
}

/// Longest reason, in characters.
pub(crate) const LONGEST_REASON: usize = 256;
/// Longest key that is repeated to the model as it is, in characters.
const LONGEST_SHOWN: usize = 120;

impl fmt::Display for ToolFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::MissingArgument { argument, expected } => {
                write!(f, "{argument} is missing: it must be {expected}")
            }
            Self::UnexpectedArgument { argument } => {
                write!(
                    f,
                    "'{}' is no argument of this tool: it has section_keys and reason",
                    Short(argument)
                )
            }
            Self::WrongType {
                argument,
                expected,
                found,
            } => write!(f, "{argument} must be {expected}, not {found}"),
            Self::ReasonTooLong { length } => {
                write!(
                    f,
                    "reason is longer than {LONGEST_REASON} characters: it has {length}"
                )
            }
            Self::NoKeys => f.write_str("at least one section key must be provided"),
            Self::UnknownKey { key, nearest: None } => {
                write!(f, "section '{}' does not exist in this prompt", Short(key))
            }
            Self::UnknownKey {
                key,
                nearest: Some(nearest),
            } => {
                write!(
                    f,
                    "section '{}' does not exist in this prompt (did you mean '{nearest}'?)",
                    Short(key)
                )
            }
            Self::AlreadyExpanded { key } => write!(f, "section '{key}' is already expanded"),
            Self::Hidden { key, parent } => write!(
                f,
                "section '{key}' is inside section '{parent}', which is summarized: open '{parent}' first, or both in one call"
            ),
        }
    }
}

/// A text of the model, cut where it is absurdly long.
struct Short<'a>(&'a str);

impl fmt::Display for Short<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0.char_indices().nth(LONGEST_SHOWN) {
            Some((end, _)) => write!(f, "{}...", self.0.get(..end).unwrap_or_default()),
            None => f.write_str(self.0),
        }
    }
}

/// Why a call of `open_sections` was refused: nothing was opened. `Display` is the answer for the model.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ToolValidationError {
    kind: ToolFault,
    others: Vec<ToolFault>,
    openable: Vec<String>,
    unnamed: usize,
}

/// At most so many keys are named, and so many faults: an answer is no catalogue.
pub(crate) const MOST_NAMED: usize = 20;

impl ToolValidationError {
    /// From the faults of a call and all keys that can be opened; `None` without a fault.
    pub(crate) fn of<'k>(
        faults: impl IntoIterator<Item = ToolFault>,
        openable: impl IntoIterator<Item = &'k str>,
    ) -> Option<Self> {
        let mut faults = faults.into_iter().take(MOST_NAMED);
        let kind = faults.next()?;
        let others: Vec<ToolFault> = faults.collect();
        let mut keys = openable.into_iter();
        let openable = keys.by_ref().take(MOST_NAMED).map(str::to_owned).collect();
        Some(Self {
            kind,
            others,
            openable,
            unnamed: keys.count(),
        })
    }

    /// What is wrong: the first fault, in the order arguments, types, keys.
    pub fn kind(&self) -> &ToolFault {
        &self.kind
    }

    /// Everything that is wrong, at most 20 faults.
    pub fn faults(&self) -> impl Iterator<Item = &ToolFault> {
        std::iter::once(&self.kind).chain(&self.others)
    }

    /// The keys of the sections that can be opened, in declaration order, at most 20.
    pub fn openable(&self) -> &[String] {
        &self.openable
    }
}

impl fmt::Display for ToolValidationError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Nothing was opened: {}", self.kind)?;
        for fault in &self.others {
            write!(f, "; {fault}")?;
        }
        f.write_str(".")?;
        if !self.faults().any(ToolFault::is_about_keys) {
            return Ok(());
        }
        if self.openable.is_empty() {
            return f.write_str(" No section is left to open.");
        }
        write!(
            f,
            " Sections that can be opened: '{}'",
            self.openable.join("', '")
        )?;
        if self.unnamed > 0 {
            write!(f, " and {} more", self.unnamed)?;
        }
        f.write_str(".")
    }
}

impl Error for ToolValidationError {}
