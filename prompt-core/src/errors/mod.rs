//! What can go wrong while a prompt is rendered.

/// `Debug` of an error prints its words: `fn main() -> Result<(), E>` shows that to a user.
macro_rules! debug_as_display {
    ($($error:ty),+) => {$(
        impl std::fmt::Debug for $error {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                std::fmt::Display::fmt(self, f)
            }
        }
    )+};
}
pub(crate) use debug_as_display;

pub mod diagnostics;
pub(crate) mod feature;
pub(crate) mod spelling;

use prompt_syntax::{Code, KEY_RULE};
use std::fmt;
use thiserror::Error;

/// Why a prompt could not be rendered. [`PromptError::code`] is the stable name of the rule.
#[derive(Clone, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum PromptError {
    /// A section is to be shown as a summary and has none.
    #[error(
        "section `{path}` is to be shown as a summary but has no `summary` text; give it one, or show it in full"
    )]
    SummaryMissing {
        /// Section path.
        path: String,
    },
    /// A heading passes level 6, and [`HeadingOverflow::Error`](crate::prompt::HeadingOverflow::Error) is set.
    #[error("a heading of {} would be at level {level}; Markdown ends at 6: embed it less deep, or set another `heading_overflow`", Named(.path))]
    HeadingLevel {
        /// Section path; empty for the root's own text.
        path: String,
        /// The level it would have.
        level: usize,
    },
    /// A path that is not in the tree.
    #[error("there is no section `{path}` in this prompt{}", Nearest(.nearest.as_deref()))]
    UnknownPath {
        /// As given.
        path: String,
        /// The path in the tree that looks most like it.
        nearest: Option<String>,
    },
    /// The key of a list item is no legal key.
    #[error("an item of `{path}` has the key `{key}`; a key is {KEY_RULE}")]
    InvalidKey {
        /// Path of the list.
        path: String,
        /// The key.
        key: String,
    },
    /// Two items of a list have one key.
    #[error("two items of `{path}` have the key `{key}`; give one of them another")]
    DuplicateKey {
        /// Path of the list.
        path: String,
        /// The key.
        key: String,
    },
    /// A variable without a value.
    #[error("the variable `{name}` of {} has no value; give it one with `bind`", Named(.path))]
    MissingValue {
        /// Section path; empty for the root's own text.
        path: String,
        /// The variable.
        name: String,
    },
    /// The `Display` of a value failed.
    #[error("the value of `{name}` in {} could not be printed: its `Display` failed", Named(.path))]
    FailedValue {
        /// Section path; empty for the root's own text.
        path: String,
        /// The variable.
        name: String,
    },
    /// A value of a `guard = "strict"` section holds a tag of this document.
    #[error(
        "a value in section `{path}` holds a tag of this document, at byte {offset} of the text; refuse the value, or guard the section in another way"
    )]
    GuardViolation {
        /// Section path.
        path: String,
        /// Position in the rendered text, in bytes.
        offset: usize,
    },
    /// A user tool is named `open_sections`.
    #[error("a tool of {} is named `open_sections`, which is reserved; name it otherwise", Named(.path))]
    ReservedToolName {
        /// Path of the section that has it; empty for the root.
        path: String,
    },
    /// Two tools of one name.
    #[error("the tool `{name}` of {} has the name of another tool; name one of them otherwise", Named(.path))]
    DuplicateTool {
        /// The name.
        name: String,
        /// Path of the section that has the second one; empty for the root.
        path: String,
    },
    /// A Markdown value of more than two gigabytes.
    #[error("the Markdown in {} has more than {MAX} bytes; hand it over in parts", Named(.path), MAX = prompt_syntax::MAX_TEXT)]
    TextTooLong {
        /// Section path.
        path: String,
    },
    /// A tree of more than 128 levels.
    #[error("section `{}` has more than 128 levels of sections around it; embed fewer of them in each other", .path.get(..80).unwrap_or(.path))]
    TooDeep {
        /// Path of the section that is too deep.
        path: String,
    },
    /// In a `Conversation` of `prompt-agent` the model went on asking for sections after it was told that nothing more
    /// can be opened.
    #[error("after {rounds} round{} the model still asks for sections{}", plural(*.rounds), StillOpen(.sections))]
    MaxRounds {
        /// Rounds so far in this turn of the user.
        rounds: usize,
        /// What it asked for again, where that is open already.
        sections: Vec<String>,
    },
    /// The parts that must stay exceed the budget.
    #[error("{}the parts that must stay need {needed} tokens, and the budget has {limit}{}", WithOpened(*.cause, .path.as_deref()), Largest(*.cause, .path.as_deref(), *.limit))]
    Budget {
        /// Always [`Code::BaseTooLarge`].
        code: Code,
        /// Tokens of those parts.
        needed: usize,
        /// Tokens there are, after the reserve.
        limit: usize,
        /// What takes the most of them.
        cause: TooLarge,
        /// The section that it is about; `None` for the root's own text, and for histories of more than one place.
        path: Option<String>,
    },
}

/// What takes the most of the parts that must stay, where a [budget](PromptError::Budget) is too small for them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum TooLarge {
    /// A section that a caller, or the model, opened.
    Opened,
    /// A section that is required, or the root's own text.
    Required,
    /// The messages of a history: [compaction](crate::compaction) shortens them, a budget does not.
    History {
        /// Their tokens.
        tokens: usize,
        /// The longest of them, where they stand in one place: its position among them, from 0, and its tokens. Where it takes
        /// more than the limit no compaction helps.
        longest: Option<(usize, usize)>,
    },
}

impl PromptError {
    /// The stable name of the rule that was broken.
    pub fn code(&self) -> Code {
        match self {
            Self::SummaryMissing { .. } => Code::SummaryMissing,
            Self::HeadingLevel { .. } => Code::HeadingLevel,
            Self::UnknownPath { .. } => Code::UnknownPath,
            Self::InvalidKey { .. } => Code::InvalidKey,
            Self::DuplicateKey { .. } => Code::DuplicateKey,
            Self::MissingValue { .. } => Code::MissingValue,
            Self::FailedValue { .. } => Code::FailedValue,
            Self::GuardViolation { .. } => Code::GuardViolation,
            Self::ReservedToolName { .. } => Code::ReservedToolName,
            Self::DuplicateTool { .. } => Code::DuplicateTool,
            Self::TextTooLong { .. } => Code::TextTooLong,
            Self::TooDeep { .. } => Code::TooDeep,
            Self::MaxRounds { .. } => Code::MaxRounds,
            Self::Budget { code, .. } => *code,
        }
    }

    /// The same error at this place, if it has none yet.
    pub(crate) fn at(mut self, place: impl FnOnce() -> String) -> Self {
        if let Self::HeadingLevel { path, .. }
        | Self::FailedValue { path, .. }
        | Self::MissingValue { path, .. }
        | Self::TextTooLong { path } = &mut self
            && path.is_empty()
        {
            *path = place();
        }
        self
    }
}

/// `s` where there is more or less than one.
pub(crate) fn plural(count: usize) -> &'static str {
    if count == 1 { "" } else { "s" }
}

/// Whose text it is, by the path of the section.
struct Named<'a>(&'a str);

impl fmt::Display for Named<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.0.is_empty() {
            f.write_str("the prompt's own text")
        } else {
            write!(f, "section `{}`", self.0)
        }
    }
}

/// The question after a name that may have been meant.
pub(crate) struct Nearest<'a>(pub(crate) Option<&'a str>);

impl fmt::Display for Nearest<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0
            .map_or(Ok(()), |name| write!(f, "; did you mean `{name}`?"))
    }
}

/// The open sections that a model asked for once more.
struct StillOpen<'a>(&'a [String]);

impl fmt::Display for StillOpen<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            [] => Ok(()),
            sections => write!(f, " that are open: {}", sections.join(", ")),
        }
    }
}

/// The opened section that does not fit, if it is one.
struct WithOpened<'a>(TooLarge, Option<&'a str>);

impl fmt::Display for WithOpened<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (self.0, self.1) {
            (TooLarge::Opened, Some(path)) => write!(f, "with the opened section `{path}` "),
            _ => Ok(()),
        }
    }
}

const COMPACT_IT: &str = "compact it, see `prompt_core::compaction`, with `clear_tool_results` where one question makes many calls";

/// What is to be made smaller.
struct Largest<'a>(TooLarge, Option<&'a str>, usize);

impl fmt::Display for Largest<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (self.0, self.1) {
            (TooLarge::Required, Some(path)) => write!(f, "; the largest is the section `{path}`"),
            (TooLarge::History { tokens, longest }, path) => {
                let place = path.map_or_else(String::new, |path| format!(" of section `{path}`"));
                write!(f, "; the history{place} takes {tokens} of them")?;
                match longest {
                    Some((at, tokens)) if tokens > self.2 => write!(
                        f,
                        ", its message {number} alone takes {tokens}: shorten that one, or take it back",
                        number = at + 1
                    ),
                    Some((at, tokens)) => write!(
                        f,
                        ", its message {number} takes {tokens}: {COMPACT_IT}",
                        number = at + 1
                    ),
                    None => write!(f, ": {COMPACT_IT}"),
                }
            }
            _ => Ok(()),
        }
    }
}

debug_as_display!(PromptError);
