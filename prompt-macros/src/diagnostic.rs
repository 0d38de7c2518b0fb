//! One form for every complaint: the fact, its place where the span cannot say it, the stable code, and what to write
//! instead.

use proc_macro2::{Span, TokenStream};
use prompt_syntax::Code;
use std::fmt::{self, Display};

/// All complaints about one type, in the order in which they were found.
#[derive(Debug, Default)]
pub(crate) struct Errors(Vec<Diagnostic>);

/// A mistake of the user.
#[derive(Clone, Debug)]
pub(crate) struct Diagnostic {
    pub(crate) code: Code,
    span: Span,
    fact: String,
    place: Option<String>,
    help: String,
}

impl Errors {
    /// Adds a complaint.
    pub(crate) fn push(&mut self, diagnostic: Diagnostic) {
        self.0.push(diagnostic);
    }

    /// Adds a mistake at `span`: a fact in plain words, and what to write instead.
    pub(crate) fn add(&mut self, code: Code, span: Span, fact: impl Display, help: impl Display) {
        self.push(Diagnostic::new(code, span, fact, help));
    }

    /// Adds what one of the receivers says: each carries a [`Diagnostic`] in words, put there by [`Diagnostic::said`].
    pub(crate) fn receive(&mut self, error: darling::Error) {
        for error in error.flatten() {
            let span = error.span();
            self.push(Diagnostic::heard(&error.to_string(), span));
        }
    }

    /// How many there are.
    pub(crate) fn count(&self) -> usize {
        self.0.len()
    }

    /// All of them from the top of the file to its bottom, each once; `None` without any.
    pub(crate) fn in_order(mut self) -> Option<Vec<Diagnostic>> {
        self.0.sort_by_key(|error| {
            let start = error.span.start();
            (start.line, start.column)
        });
        let place = |error: &Diagnostic| {
            let (start, end) = (error.span.start(), error.span.end());
            (start.line, start.column, end.line, end.column)
        };
        self.0
            .dedup_by(|a, b| place(a) == place(b) && a.to_string() == b.to_string());
        (!self.0.is_empty()).then_some(self.0)
    }
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

    /// The form in which a receiver hands a wrong value on.
    pub(crate) fn said(span: Span, fact: impl Display, help: impl Display) -> darling::Error {
        darling::Error::custom(format_args!("{fact}{SEPARATOR}{help}")).with_span(&span)
    }

    fn heard(words: &str, span: Span) -> Self {
        let (fact, help) = words.split_once(SEPARATOR).unwrap_or((words, ""));
        Self::new(Code::InvalidValue, span, fact, help)
    }

    /// `::core::compile_error! { ".." }` at the place.
    pub(crate) fn to_tokens(&self) -> TokenStream {
        syn::Error::new(self.span, self).into_compile_error()
    }
}

/// Between the fact and the help of a receiver's error, which is one string.
const SEPARATOR: char = '\u{1}';

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

/// `` `a`, `b` or `c` ``.
pub(crate) fn alternatives(words: &[&str]) -> String {
    let words: Vec<String> = words.iter().map(|word| format!("`{word}`")).collect();
    listed(&words)
}

/// `"a", "b" or "c"`.
pub(crate) fn quoted_alternatives(words: &[&str]) -> String {
    let words: Vec<String> = words.iter().map(|word| format!("\"{word}\"")).collect();
    listed(&words)
}

fn listed(words: &[String]) -> String {
    match words.split_last() {
        Some((last, [])) => last.clone(),
        Some((last, others)) => format!("{} or {last}", others.join(", ")),
        None => String::new(),
    }
}
