//! Faults of a text or a tree that was given at run time, all together, each with its place. `elements`, `template` and
//! `dynamic` collect them; a program gets them as one error.

pub use prompt_syntax::nearest;

use prompt_syntax::{Code, Problem};
use serde::Serialize;
use std::{borrow::Cow, fmt};

/// One fault.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct Diagnostic {
    /// The stable name of the rule.
    #[serde(serialize_with = "crate::errors::spelling::serialize")]
    pub code: Code,
    /// Section path; empty for the root, or for a text without a tree around it. A section without a key is in it with
    /// its place among its siblings: `#1`.
    pub path: String,
    /// What of the section it is about: `body`, `summary`, `key`, ...; empty for a text without a tree around it.
    pub part: &'static str,
    /// Line and column (in characters), from 1, within that part.
    pub place: Option<(usize, usize)>,
    /// The line, from 1, of the prompt file that the tree was read from, where that is known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub line: Option<usize>,
    /// The column of that line (in characters), from 1.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub column: Option<usize>,
    /// Whether the part has so many lines in that file that the line is the one of `place`.
    #[serde(skip)]
    pub(crate) is_exact: bool,
    /// The fact.
    pub message: String,
    /// The remedy; may be empty.
    pub help: String,
}

/// All faults of a text or a tree, in its order. Never empty where it is an error.
#[derive(Clone, PartialEq, Eq, Serialize)]
#[serde(transparent)]
pub struct Diagnostics {
    list: Vec<Diagnostic>,
}

impl Diagnostic {
    /// A fault without a place in a text.
    pub(crate) fn new(
        code: Code,
        path: &str,
        part: &'static str,
        message: String,
        help: impl Into<String>,
    ) -> Self {
        Self {
            code,
            path: path.to_owned(),
            part,
            place: None,
            line: None,
            column: None,
            is_exact: false,
            message,
            help: help.into(),
        }
    }

    /// A fault of a text, or of a key.
    pub(crate) fn of_text(problem: Problem, path: &str, part: &'static str) -> Self {
        let Problem {
            code,
            line,
            column,
            message,
            help,
            ..
        } = problem;
        Self {
            code,
            path: path.to_owned(),
            part,
            place: (line > 0).then_some((line, column)),
            line: None,
            column: None,
            is_exact: false,
            message,
            help,
        }
    }
}

impl Diagnostics {
    /// A list to collect faults in; it becomes an error by [`or`](Self::or).
    pub(crate) const fn none() -> Self {
        Self { list: Vec::new() }
    }

    /// The faults.
    pub fn iter(&self) -> std::slice::Iter<'_, Diagnostic> {
        self.list.iter()
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.list.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.list.is_empty()
    }

    /// The code of the first fault.
    #[allow(
        clippy::expect_used,
        clippy::missing_panics_doc,
        reason = "what is handed out as an error is never empty: only `or` hands it out"
    )]
    pub fn code(&self) -> Code {
        let first = self.list.first();
        first.expect("an error has at least one fault").code
    }

    pub(crate) fn push(&mut self, fault: Diagnostic) {
        self.list.push(fault);
    }

    /// Puts them in the order of their places in a text.
    pub(crate) fn sort(&mut self) {
        self.list.sort_by_key(|fault| fault.place);
    }

    /// `value`, if there are no faults.
    pub(crate) fn or<T>(self, value: T) -> Result<T, Self> {
        if self.list.is_empty() {
            Ok(value)
        } else {
            Err(self)
        }
    }
}

impl From<Diagnostic> for Diagnostics {
    fn from(fault: Diagnostic) -> Self {
        Self { list: vec![fault] }
    }
}

impl Extend<Diagnostic> for Diagnostics {
    fn extend<I: IntoIterator<Item = Diagnostic>>(&mut self, faults: I) {
        self.list.extend(faults);
    }
}

impl<'a> IntoIterator for &'a Diagnostics {
    type Item = &'a Diagnostic;
    type IntoIter = std::slice::Iter<'a, Diagnostic>;

    fn into_iter(self) -> Self::IntoIter {
        self.iter()
    }
}

impl IntoIterator for Diagnostics {
    type Item = Diagnostic;
    type IntoIter = std::vec::IntoIter<Diagnostic>;

    fn into_iter(self) -> Self::IntoIter {
        self.list.into_iter()
    }
}

impl fmt::Display for Diagnostic {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let whose = match (self.path.as_str(), self.part) {
            ("", "") => String::new(),
            ("", part) => format!("{part} of the root"),
            (path, "") => format!("section `{path}`"),
            (path, part) => format!("{part} of section `{path}`"),
        };
        // A text without a tree around it is all of the file.
        let is_text = whose.is_empty() && self.place.is_some();
        let of_file = self.line.filter(|_| !is_text);
        if let Some(line) = of_file {
            write!(f, "line {line}: ")?;
        }
        f.write_str(&whose)?;
        let colon = if whose.is_empty() { "" } else { ": " };
        match (self.place, of_file) {
            (None, _) => f.write_str(colon)?,
            (Some((line, column)), None) => write!(f, "{colon}line {line}, column {column}: ")?,
            (Some((_, column)), _) if self.is_exact => write!(f, ", column {column}: ")?,
            (Some((line, column)), _) => write!(f, "{colon}its line {line}, column {column}: ")?,
        }
        write!(f, "{} [{}]", self.message, self.code)?;
        if self.help.is_empty() {
            Ok(())
        } else {
            write!(f, "\n  help: {}", self.help)
        }
    }
}

impl fmt::Display for Diagnostics {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, fault) in self.list.iter().enumerate() {
            if index > 0 {
                f.write_str("\n")?;
            }
            write!(f, "{fault}")?;
        }
        Ok(())
    }
}

impl std::error::Error for Diagnostic {}

impl std::error::Error for Diagnostics {}

/// A name that is none of those that there are: of a role, a task, an entry of a config, a provider.
///
/// ```
/// use prompt_core::message::Role;
///
/// let error = "asistant".parse::<Role>().unwrap_err();
/// assert_eq!(error.nearest(), Some("assistant"));
/// assert_eq!(error.to_string(), "`asistant` is no role; did you mean `assistant`?");
/// ```
#[derive(Clone, PartialEq, Eq)]
pub struct UnknownName {
    code: Code,
    fact: String,
    name: String,
    known: Vec<&'static str>,
}

impl UnknownName {
    /// The error for a name that is none of the `known` ones; `fact` says so in words.
    pub fn new(
        code: Code,
        fact: impl Into<String>,
        name: impl Into<String>,
        known: impl IntoIterator<Item = &'static str>,
    ) -> Self {
        Self {
            code,
            fact: fact.into(),
            name: name.into(),
            known: known.into_iter().collect(),
        }
    }

    /// The stable name of the error: [`Code::UnknownRole`] and its like.
    pub const fn code(&self) -> Code {
        self.code
    }

    /// The name as given.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The name that was probably meant.
    pub fn nearest(&self) -> Option<&'static str> {
        nearest(&self.name, self.known.iter().copied())
    }
}

impl fmt::Display for UnknownName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.fact)?;
        match self.nearest() {
            Some(name) => write!(f, "; did you mean `{name}`?"),
            None => write!(f, "; known are: {}", self.known.join(", ")),
        }
    }
}

impl std::error::Error for UnknownName {}

crate::errors::debug_as_display!(Diagnostics, UnknownName);

impl From<&Diagnostic> for prompt_syntax::info::Hint {
    fn from(found: &Diagnostic) -> Self {
        let line = found.place.map_or(0, |(line, _)| line);
        Self {
            code: found.code,
            section: Cow::Borrowed(""),
            part: Cow::Borrowed(found.part),
            line: u32::try_from(line).unwrap_or(u32::MAX),
            message: Cow::Owned(found.message.clone()),
            help: Cow::Owned(found.help.clone()),
        }
    }
}
