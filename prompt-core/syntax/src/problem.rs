//! What is wrong with a text, where, and what to write instead.

use crate::{Code, Span};
use alloc::{string::String, vec::Vec};

/// One mistake in a text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Problem {
    /// The rule that was broken.
    pub code: Code,
    /// The bytes of the text it is about.
    pub span: Span,
    /// Line of the text, from 1.
    pub line: usize,
    /// Column in characters, from 1.
    pub column: usize,
    /// The fact, in plain words, without code and place.
    pub message: String,
    /// What to write instead; without the word `help`.
    pub help: String,
}

/// A problem before its line and column are known.
#[derive(Debug)]
pub(crate) struct Draft {
    pub(crate) code: Code,
    pub(crate) span: Span,
    pub(crate) message: String,
    pub(crate) help: String,
}

/// Sorts problems by place and adds lines and columns, in one pass over the text.
pub(crate) fn locate(text: &str, mut drafts: Vec<Draft>) -> Vec<Problem> {
    drafts.sort_by_key(|draft| draft.span.start);
    let mut place = Place::start(text);
    let problem = |draft: Draft| {
        place.go_to(draft.span.start);
        let Draft { code, span, message, help } = draft;
        Problem { code, span, line: place.line, column: place.column, message, help }
    };
    drafts.into_iter().map(problem).collect()
}

/// A place in a text that moves forward only, so that many places cost one pass.
pub(crate) struct Place<'t> {
    text: &'t str,
    byte: usize,
    /// From 1.
    pub(crate) line: usize,
    /// In characters, from 1.
    pub(crate) column: usize,
}

impl<'t> Place<'t> {
    pub(crate) fn start(text: &'t str) -> Self {
        Self { text, byte: 0, line: 1, column: 1 }
    }

    /// Moves to a byte at or after the place. A byte inside a character counts as its start.
    pub(crate) fn go_to(&mut self, byte: usize) {
        let bytes = self.text.as_bytes();
        let passed = bytes.get(self.byte..byte).unwrap_or_default();
        for (at, &passed) in passed.iter().enumerate() {
            let ends_line = match passed {
                b'\n' => true,
                b'\r' => bytes.get(self.byte + at + 1) != Some(&b'\n'),
                _ => false,
            };
            if ends_line {
                self.line += 1;
                self.column = 1;
            } else if passed & 0xC0 != 0x80 {
                self.column += 1;
            }
        }
        self.byte = self.byte.max(byte);
    }
}
