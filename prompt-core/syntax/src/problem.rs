//! What is wrong with a text, where, and what to write instead.

use crate::{Code, Span};
use alloc::string::String;

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
