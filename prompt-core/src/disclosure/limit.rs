//! Why a conversation with progressive disclosure cannot go on.

use crate::error::PromptError;
use std::{error::Error, fmt};

/// Why a [`Disclosure`](crate::disclosure::Disclosure) does not handle a turn. It is as it was before the turn.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum DisclosureError {
    /// The model asked for sections, well or badly, once more than allowed.
    MaxRounds {
        /// Turns that were allowed.
        rounds: usize,
    },
    /// The same, and it asked again for what is open already: it does not see, or does not use, what it was given.
    AskedAgain {
        /// What it asked for, in the order of the request.
        sections: Vec<String>,
        /// Turns that were allowed.
        rounds: usize,
    },
    /// The sections that were asked for would bring the opened tokens over the limit.
    OpenedTokens {
        /// What was asked for, in the order of the request.
        sections: Vec<String>,
        /// All opened tokens, with these.
        needed: usize,
        /// Tokens that were allowed.
        limit: usize,
    },
    /// The prompt cannot be rendered, as it is or with these sections open.
    Prompt(PromptError),
}

impl DisclosureError {
    /// The stable name of the error.
    pub fn code(&self) -> &'static str {
        match self {
            Self::MaxRounds { .. } => "max_rounds",
            Self::AskedAgain { .. } => "asked_again",
            Self::OpenedTokens { .. } => "opened_tokens",
            Self::Prompt(error) => error.code().as_str(),
        }
    }
}

impl fmt::Display for DisclosureError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::MaxRounds { rounds } => {
                write!(
                    f,
                    "the model asked for sections in more than {rounds} turns"
                )
            }
            Self::AskedAgain { sections, rounds } => write!(
                f,
                "after {rounds} turns the model still asks for sections that are open: {}",
                sections.join(", ")
            ),
            Self::OpenedTokens {
                sections,
                needed,
                limit,
            } => write!(
                f,
                "with the sections {} the model would have opened {needed} tokens, and {limit} are allowed",
                sections.join(", ")
            ),
            Self::Prompt(error) => error.fmt(f),
        }
    }
}

impl Error for DisclosureError {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        match self {
            Self::Prompt(error) => Some(error),
            _ => None,
        }
    }
}

impl From<PromptError> for DisclosureError {
    fn from(error: PromptError) -> Self {
        Self::Prompt(error)
    }
}
