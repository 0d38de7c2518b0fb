//! What comes of a call of `open_sections` that has no result of its own, typed for the program and in words for the
//! model: sections are to be opened, the call was refused, the conversation cannot go on.

use crate::errors::{PromptError, plural};
use crate::messages::tool::{LISTED, NOW_SHOWN, OPEN_SECTIONS, ToolResult};
use crate::node::{Overrides, Visibility};
use prompt_syntax::Code;
use std::{collections::BTreeMap, fmt};
use thiserror::Error;

/// One fault of a call of `open_sections`.
#[derive(Clone, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum ToolFault {
    /// An argument that must be there is not.
    #[error("{argument} is missing: it must be {expected}")]
    MissingArgument {
        /// Its name.
        argument: &'static str,
        /// What it should be.
        expected: &'static str,
    },
    /// An argument that the tool does not have.
    #[error("'{}' is no argument of this tool: it has section_keys and reason", Short(.argument))]
    UnexpectedArgument {
        /// Its name.
        argument: String,
    },
    /// An argument of another type.
    #[error("{argument} must be {expected}, not {found}")]
    WrongType {
        /// Its name, or `arguments` for all of them.
        argument: &'static str,
        /// What it should be.
        expected: &'static str,
        /// What it is.
        found: String,
    },
    /// The reason is longer than 256 characters.
    #[error("reason is longer than {LONGEST_REASON} characters: it has {length}")]
    ReasonTooLong {
        /// Its characters.
        length: usize,
    },
    /// No section was named.
    #[error("at least one section key must be provided")]
    NoKeys,
    /// No section has this key: keys are matched exactly, and a section that is switched off does not count.
    #[error("section '{}' does not exist in this prompt{}", Short(.key), Meant(.nearest))]
    UnknownKey {
        /// As the model gave it.
        key: String,
        /// The keys that it may have meant, the most likely one first.
        nearest: Vec<String>,
    },
    /// The section is shown in full, and so is everything else that was asked for.
    #[error("section '{key}' {ALREADY_EXPANDED}")]
    AlreadyExpanded {
        /// Its key.
        key: String,
    },
    /// The section is shown in full, but for sections in it that are opened by keys of their own, such as items of a list;
    /// and so is everything else that was asked for.
    #[error("section '{key}' {ALREADY_EXPANDED}; what is closed in it has keys of its own")]
    OpenButWithin {
        /// Its key.
        key: String,
    },
    /// It is a list whose items are opened one by one, or the beginning of their keys and a `*`: these are the keys.
    #[error("the keys of '{key}' are '{}'{}", items.join("', '"), More(*.unnamed, .narrower.as_deref()))]
    List {
        /// As the model gave it.
        key: String,
        /// The keys, in the order of the list: all, or as many as a quarter of a [`Budget::request`](crate::Budget::request) has
        /// room for.
        items: Vec<String>,
        /// How many there are besides.
        unnamed: usize,
        /// What to ask for some of those: the beginning of a key, and `*`.
        narrower: Option<String>,
    },
    /// The section is inside one that is shown as a summary, and that one was not asked for.
    #[error(
        "section '{key}' is inside section '{parent}', which is summarized: open '{parent}' first, or both in one call"
    )]
    Hidden {
        /// Its key.
        key: String,
        /// The section to open first.
        parent: String,
    },
    /// The prompt with these sections open does not fit in its budget.
    #[error(fmt = over_budget)]
    OverBudget {
        /// What was asked for, in the order of the request.
        sections: Vec<String>,
        /// So many tokens more would be needed.
        missing: usize,
    },
    /// The sections would bring the tokens that the model has opened over the limit.
    #[error("with {} more would be open than is allowed, by {missing} token{}: ask for less, or go on with what is there", Named(.sections), plural(*.missing))]
    OverOpened {
        /// What was asked for, in the order of the request.
        sections: Vec<String>,
        /// So many tokens they are too many.
        missing: usize,
    },
    /// Nothing more can be opened before the next turn of the user.
    #[error("nothing more can be opened before the user's next message; go on with what is there")]
    RoundsUsedUp {
        /// Rounds that were allowed.
        rounds: usize,
    },
}

impl ToolFault {
    /// The stable name of the fault.
    pub fn code(&self) -> Code {
        match self {
            Self::MissingArgument { .. } => Code::MissingArgument,
            Self::UnexpectedArgument { .. } => Code::UnexpectedArgument,
            Self::WrongType { .. } => Code::WrongType,
            Self::ReasonTooLong { .. } => Code::ReasonTooLong,
            Self::NoKeys => Code::NoKeys,
            Self::UnknownKey { .. } => Code::UnknownKey,
            Self::AlreadyExpanded { .. } | Self::OpenButWithin { .. } | Self::List { .. } => {
                Code::AlreadyExpanded
            }
            Self::Hidden { .. } => Code::HiddenSection,
            Self::OverBudget { .. } => Code::OverBudget,
            Self::OverOpened { .. } => Code::OverOpened,
            Self::RoundsUsedUp { .. } => Code::RoundsUsedUp,
        }
    }

    /// The key that it is about.
    pub(crate) fn key(&self) -> Option<&String> {
        match self {
            Self::UnknownKey { key, .. }
            | Self::AlreadyExpanded { key }
            | Self::OpenButWithin { key }
            | Self::List { key, .. }
            | Self::Hidden { key, .. } => Some(key),
            _ => None,
        }
    }

    /// Whether it helps to know what can be opened.
    pub(crate) fn is_about_keys(&self) -> bool {
        matches!(
            self,
            Self::NoKeys
                | Self::UnknownKey { .. }
                | Self::AlreadyExpanded { .. }
                | Self::OpenButWithin { .. }
                | Self::Hidden { .. }
        )
    }
}

/// What is said of a section that is shown in full.
const ALREADY_EXPANDED: &str = "is already expanded";
/// Longest reason, in characters.
pub(crate) const LONGEST_REASON: usize = 256;
/// Longest key that is repeated to the model as it is, in characters.
const LONGEST_SHOWN: usize = 120;

#[allow(
    clippy::trivially_copy_pass_by_ref,
    reason = "thiserror passes references"
)]
fn over_budget(sections: &[String], missing: &usize, f: &mut fmt::Formatter<'_>) -> fmt::Result {
    let (noun, verb) = match sections {
        [_] => ("section", "does"),
        _ => ("sections", "do"),
    };
    let are = if *missing == 1 { " is" } else { "s are" };
    let keys = Named(sections);
    write!(
        f,
        "{noun} {keys} {verb} not fit in the budget: {missing} token{are} missing"
    )
}

/// So many keys that are not named, and what lists some of them.
struct More<'a>(usize, Option<&'a str>);

impl fmt::Display for More<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self(unnamed, narrower) = self;
        if *unnamed > 0 {
            write!(f, " and {unnamed} more")?;
        }
        narrower.map_or(Ok(()), |key| write!(f, ", such as those of '{key}'"))
    }
}

/// The keys that the model may have meant.
struct Meant<'a>(&'a [String]);

impl fmt::Display for Meant<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.0.is_empty() {
            return Ok(());
        }
        write!(f, " (did you mean '{}'?)", self.0.join("' or '"))
    }
}

/// Keys in quotes, at most so many as an answer names.
pub(crate) struct Named<'a>(pub(crate) &'a [String]);

impl fmt::Display for Named<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, key) in self.0.iter().take(MOST_NAMED).enumerate() {
            let comma = if index > 0 { ", " } else { "" };
            write!(f, "{comma}'{key}'")?;
        }
        match self.0.len().checked_sub(MOST_NAMED) {
            Some(more) if more > 0 => write!(f, " and {more} more"),
            _ => Ok(()),
        }
    }
}

/// Tells the model what is shown now.
pub(crate) fn now_shown(paths: &[String]) -> String {
    format!("{NOW_SHOWN}{}.", Named(paths))
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
#[derive(Clone, PartialEq, Eq)]
pub struct ToolValidationError {
    /// At least one.
    faults: Vec<ToolFault>,
    openable: Vec<String>,
    unnamed: usize,
}

/// At most so many keys are named, and so many faults: an answer is no catalogue.
pub(crate) const MOST_NAMED: usize = 20;

impl ToolValidationError {
    /// From the faults of a call, the first of them first, and all keys that can be opened.
    pub(crate) fn of(faults: Vec<ToolFault>, openable: &[&str]) -> Self {
        debug_assert!(!faults.is_empty());
        let named = openable.iter().take(MOST_NAMED);
        Self {
            faults: faults.into_iter().take(MOST_NAMED).collect(),
            openable: named.copied().map(str::to_owned).collect(),
            unnamed: openable.len().saturating_sub(MOST_NAMED),
        }
    }

    /// Whether nothing is wrong: only the keys of lists were asked for, and here they are.
    pub(crate) fn is_answer(&self) -> bool {
        let is_list = |fault: &ToolFault| matches!(fault, ToolFault::List { .. });
        self.faults().all(is_list)
    }

    /// The stable name of the first fault.
    pub fn code(&self) -> Code {
        self.kind().code()
    }

    /// What is wrong: the first fault, in the order arguments, types, keys.
    pub fn kind(&self) -> &ToolFault {
        &self.faults[0]
    }

    /// Everything that is wrong, at most 20 faults.
    pub fn faults(&self) -> impl Iterator<Item = &ToolFault> {
        self.faults.iter()
    }

    /// The keys of the sections that can be opened, in declaration order, at most 20.
    pub fn openable(&self) -> &[String] {
        &self.openable
    }
}

impl fmt::Display for ToolValidationError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let fact = if self.is_answer() {
            LISTED
        } else {
            "Nothing was opened: "
        };
        write!(f, "{fact}{}", self.kind())?;
        for fault in self.faults().skip(1) {
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

impl std::error::Error for ToolValidationError {}

/// The model asks for sections in full: merge [`requested_overrides`](Self::requested_overrides) into the overrides of
/// the prompt and render it again.
///
/// A rendered prompt does not change, so this is an error value: it cannot be overlooked. [`Disclosure`](crate::disclosure::Disclosure)
/// does all of it.
#[derive(Clone, PartialEq, Eq)]
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

    /// Tells the model what is open now.
    pub(crate) fn opened(&self) -> String {
        let paths: Vec<String> = self.paths().map(str::to_owned).collect();
        now_shown(&paths)
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

impl std::error::Error for VisibilityExpansionRequired {}

/// Why a call has no result of its own.
#[derive(Clone, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum ToolError {
    /// The good outcome of `open_sections`: sections are to be opened.
    #[error(transparent)]
    Expansion(Box<VisibilityExpansionRequired>),
    /// The call was refused; the text of the error is the answer for the model.
    #[error(transparent)]
    Validation(#[from] ToolValidationError),
    /// The call is of another tool: it is for the program to run.
    #[error("`{name}` is not answered here: a rendered prompt only answers `{OPEN_SECTIONS}`")]
    OtherTool {
        /// Name of that tool.
        name: String,
    },
}

impl ToolError {
    /// The stable name of the outcome; for a refused call that of its first fault.
    pub fn code(&self) -> Code {
        match self {
            Self::Expansion(_) => Code::ExpansionRequired,
            Self::Validation(error) => error.code(),
            Self::OtherTool { .. } => Code::OtherTool,
        }
    }

    /// The expansion, if this is one.
    pub fn into_expansion(self) -> Option<VisibilityExpansionRequired> {
        match self {
            Self::Expansion(expansion) => Some(*expansion),
            _ => None,
        }
    }
}

impl From<VisibilityExpansionRequired> for ToolError {
    fn from(expansion: VisibilityExpansionRequired) -> Self {
        Self::Expansion(Box::new(expansion))
    }
}

/// Why a [`Disclosure`](crate::disclosure::Disclosure) does not handle a turn. It is as it was before the turn.
#[derive(Clone, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum DisclosureError {
    /// The model asked for sections, well or badly, after it was answered that nothing more can be opened.
    #[error("the model asked for sections in more than {rounds} round{}, and once more after it was told", plural(*.rounds))]
    MaxRounds {
        /// Rounds that were allowed in a turn of the user.
        rounds: usize,
    },
    /// After it was told that nothing more can be opened, the model asked for sections that are open already: it does not
    /// see, or does not use, what it was given.
    #[error("after {rounds} round{} the model still asks for sections that are open: {}", plural(*.rounds), .sections.join(", "))]
    AskedAgain {
        /// What it asked for, in the order of the request.
        sections: Vec<String>,
        /// Rounds that were allowed in a turn of the user.
        rounds: usize,
    },
    /// The sections that were asked for would bring the opened tokens over the limit.
    #[error("with the sections {} the model would have opened {needed} tokens, and {limit} are allowed", .sections.join(", "))]
    OpenedTokens {
        /// What was asked for, in the order of the request.
        sections: Vec<String>,
        /// All opened tokens, with these.
        needed: usize,
        /// Tokens that were allowed.
        limit: usize,
    },
    /// The results that were handed to [`TurnPlan::finish`](crate::disclosure::TurnPlan::finish) are not those of the calls that were to be
    /// run: this call has none, or more than one, or was not to be run.
    #[error("the call `{id}` must have exactly one result if it was to be run, and none otherwise")]
    Results {
        /// Identifies the call.
        id: String,
    },
    /// The prompt cannot be rendered, as it is or with these sections open.
    #[error(transparent)]
    Prompt(#[from] PromptError),
}

impl DisclosureError {
    /// The stable name of the error.
    pub fn code(&self) -> Code {
        match self {
            Self::MaxRounds { .. } => Code::MaxRounds,
            Self::AskedAgain { .. } => Code::AskedAgain,
            Self::OpenedTokens { .. } => Code::OpenedTokens,
            Self::Results { .. } => Code::Results,
            Self::Prompt(error) => error.code(),
        }
    }
}

crate::errors::debug_as_display!(
    ToolFault,
    ToolError,
    DisclosureError,
    ToolValidationError,
    VisibilityExpansionRequired
);
