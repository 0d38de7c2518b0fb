//! Why a file is no skill.

use prompt_syntax::{Code, KEY_RULE};
use thiserror::Error;

/// Why a text could not be read as a [`Skill`](super::Skill). [`SkillError::code`] is the stable name of the rule.
#[derive(Clone, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum SkillError {
    /// The first line is not `---`.
    #[error(
        "line 1: there is no front matter: a skill begins with a line `---`, its `name` and `description`, and a line `---`"
    )]
    NoFrontMatter,
    /// No line ends the front matter.
    #[error("line 1: the front matter does not end: put a line `---` above the text")]
    Unclosed,
    /// It is no YAML, or no keys with values.
    #[error("line {line}: the front matter cannot be read: {reason}")]
    Yaml {
        /// Line of the file.
        line: usize,
        /// What is wrong.
        reason: String,
    },
    /// A key that must be there is not.
    #[error("line 1: the front matter has no `{key}`")]
    Missing {
        /// `name` or `description`.
        key: &'static str,
    },
    /// A list or a map where a text belongs.
    #[error("line {line}: `{key}` is no text")]
    NotText {
        /// `name` or `description`.
        key: &'static str,
        /// Line of the file.
        line: usize,
    },
    /// A name or description that says nothing.
    #[error("line {line}: `{key}` is empty: {}", remedy(.key))]
    Empty {
        /// `name` or `description`.
        key: &'static str,
        /// Line of the file.
        line: usize,
    },
    /// A name that is no key.
    #[error("line {line}: the name `{name}` is no key, which is {KEY_RULE}")]
    InvalidName {
        /// As given.
        name: String,
        /// Line of the file.
        line: usize,
    },
}

impl SkillError {
    /// The line of the file, from 1. What is missing is missed in the first.
    pub fn line(&self) -> usize {
        match self {
            Self::NoFrontMatter | Self::Unclosed | Self::Missing { .. } => 1,
            Self::Yaml { line, .. }
            | Self::NotText { line, .. }
            | Self::Empty { line, .. }
            | Self::InvalidName { line, .. } => *line,
        }
    }

    /// The stable name of the rule that was broken.
    pub fn code(&self) -> Code {
        match self {
            Self::NoFrontMatter => Code::NoFrontMatter,
            Self::Unclosed => Code::UnclosedFrontMatter,
            Self::InvalidName { .. } => Code::InvalidKey,
            Self::Yaml { .. }
            | Self::Missing { .. }
            | Self::NotText { .. }
            | Self::Empty { .. } => Code::InvalidFrontMatter,
        }
    }
}

fn remedy(key: &str) -> &'static str {
    match key {
        "name" => "give the skill one",
        _ => "say what the skill is for, and when to use it",
    }
}

crate::errors::debug_as_display!(SkillError);
