//! What is wrong with a text, where, and what to write instead.

use crate::{Code, MAX_TEXT, scan::count};
use alloc::{format, string::String};
use core::fmt;

/// A range of bytes in the text that was parsed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Span {
    /// First byte.
    pub start: usize,
    /// One past the last byte.
    pub end: usize,
}

/// One mistake: in a text, or in what a key says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Problem {
    /// The rule that was broken.
    pub code: Code,
    /// The bytes of the text it is about.
    pub span: Span,
    /// Line of the text, from 1; 0 for a mistake that is not in a text.
    pub line: usize,
    /// Column in characters, from 1; 0 like the line.
    pub column: usize,
    /// The fact, in plain words, without code and place.
    pub message: String,
    /// What to write instead; without the word `help`.
    pub help: String,
}

impl Problem {
    /// A mistake that is not in a text: whoever has the key knows its place.
    pub fn new(code: Code, message: impl Into<String>, help: impl Into<String>) -> Self {
        Self {
            code,
            span: Span::default(),
            line: 0,
            column: 0,
            message: message.into(),
            help: help.into(),
        }
    }

    /// A mistake in a text, whose place is not known yet.
    pub(crate) fn in_text(code: Code, message: impl Into<String>, help: impl Into<String>) -> Self {
        Self {
            line: 1,
            column: 1,
            ..Self::new(code, message, help)
        }
    }

    /// What it is about, in the text that was parsed.
    #[must_use]
    pub fn written<'t>(&self, text: &'t str) -> &'t str {
        text.get(self.span.start..self.span.end).unwrap_or_default()
    }
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self {
            code,
            line,
            column,
            message,
            help,
            ..
        } = self;
        if *line > 0 {
            write!(f, "line {line}, column {column}: ")?;
        }
        write!(f, "{message} [{code}]\n  help: {help}")
    }
}

/// Positions in a text are 32 bits wide, so one beyond [`MAX_TEXT`] bytes is refused.
pub(crate) fn of_length(bytes: usize) -> Option<Problem> {
    (bytes > MAX_TEXT).then(|| {
        Problem::in_text(
            Code::TextTooLong,
            format!("the text has {bytes} bytes, and {MAX_TEXT} is the most"),
            "embed what is large as a value: values have any length",
        )
    })
}

/// Sorts problems by place and adds lines and columns, in one pass over the text.
pub(crate) fn locate(mut lines: LineCounter<'_>, problems: &mut [Problem]) {
    problems.sort_by_key(|problem| problem.span.start);
    for problem in problems {
        (problem.line, problem.column) = lines.line_and_column(problem.span.start);
    }
}

/// Lines and columns of rising positions in a text, which all together cost one pass over it.
///
/// ```
/// let mut lines = prompt_syntax::LineCounter::new("one\ntwo");
/// assert_eq!(lines.line_and_column(5), (2, 2));
/// ```
#[derive(Clone, Debug)]
pub struct LineCounter<'t> {
    text: &'t str,
    byte: usize,
    line: usize,
    column: usize,
    /// Whether carriage returns end lines.
    has_returns: bool,
}

impl<'t> LineCounter<'t> {
    /// At the start of a text, whose lines end with LF.
    #[must_use]
    pub fn new(text: &'t str) -> Self {
        Self::start(text, false)
    }

    pub(crate) fn start(text: &'t str, has_returns: bool) -> Self {
        Self {
            text,
            byte: 0,
            line: 1,
            column: 1,
            has_returns,
        }
    }

    /// The line, from 1, of a byte at or behind the one before.
    pub(crate) fn line(&mut self, byte: usize) -> usize {
        let passed = self.text.get(self.byte..byte).unwrap_or_default();
        self.line += count(passed, b'\n');
        if self.has_returns {
            let next = |at: usize| self.text.as_bytes().get(self.byte + at + 1);
            let returns = passed.match_indices('\r');
            self.line += returns.filter(|(at, _)| next(*at) != Some(&b'\n')).count();
        }
        self.byte += passed.len();
        self.line
    }

    /// Line and column, in characters from 1, of a byte at or behind the one before.
    pub fn line_and_column(&mut self, byte: usize) -> (usize, usize) {
        let passed = self.text.get(self.byte..byte).unwrap_or_default();
        let is_end = |last: char| last == '\n' || (self.has_returns && last == '\r');
        let (start, before) = match passed.rfind(is_end) {
            Some(end) => (end + 1, 1),
            None => (0, self.column),
        };
        self.column = before + passed[start..].chars().count();
        (self.line(byte), self.column)
    }
}

#[cfg(test)]
mod tests {
    use super::{Code, MAX_TEXT, of_length};

    #[test]
    fn a_text_beyond_the_limit_is_refused() {
        assert_eq!(of_length(MAX_TEXT), None);
        let problem = of_length(MAX_TEXT + 1);
        assert!(problem.is_some_and(|problem| problem.code == Code::TextTooLong));
    }

    #[test]
    fn positions_have_room_for_two_texts() {
        assert!(u32::try_from(2 * MAX_TEXT).is_ok());
    }
}
