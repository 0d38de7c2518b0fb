//! One form for every complaint: the fact, its place where the span cannot say it, the stable code, and what to write
//! instead.

use proc_macro2::Span;
use prompt_syntax::Code;
use std::fmt::{self, Display};

/// All complaints about one type.
pub(crate) type Errors = darling::error::Accumulator;

/// A mistake of the user.
#[derive(Clone, Debug)]
pub(crate) struct Diagnostic {
    code: Code,
    span: Span,
    fact: String,
    place: Option<String>,
    help: String,
}

impl Diagnostic {
    /// A mistake at `span`: a fact in plain words, and what to write instead.
    pub(crate) fn new(code: Code, span: Span, fact: impl Display, help: impl Display) -> Self {
        Self {
            code,
            span,
            fact: fact.to_string(),
            place: None,
            help: help.to_string(),
        }
    }

    /// Says where in the span it is, for spans that cannot be underlined in part.
    pub(crate) fn at(mut self, place: Option<String>) -> Self {
        self.place = place;
        self
    }
}

impl Display for Diagnostic {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.fact)?;
        if let Some(place) = &self.place {
            write!(f, " ({place})")?;
        }
        write!(f, " [{}]", self.code)?;
        if !self.help.is_empty() {
            write!(f, "\nhelp: {}", self.help)?;
        }
        Ok(())
    }
}

impl From<Diagnostic> for darling::Error {
    fn from(diagnostic: Diagnostic) -> Self {
        Self::custom(&diagnostic).with_span(&diagnostic.span)
    }
}

/// `` `a`, `b` or `c` ``.
pub(crate) fn alternatives(words: &[&str]) -> String {
    listed(
        &words
            .iter()
            .map(|word| format!("`{word}`"))
            .collect::<Vec<_>>(),
    )
}

/// `"a", "b" or "c"`.
pub(crate) fn quoted_alternatives(words: &[&str]) -> String {
    listed(
        &words
            .iter()
            .map(|word| format!("\"{word}\""))
            .collect::<Vec<_>>(),
    )
}

fn listed(words: &[String]) -> String {
    match words.split_last() {
        Some((last, [])) => last.clone(),
        Some((last, others)) => format!("{} or {last}", others.join(", ")),
        None => String::new(),
    }
}
