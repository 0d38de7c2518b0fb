//! What a parsed text is made of: blocks (titles, text, code, slots) that hold inline pieces.

use crate::Target;
use alloc::{string::String, vec::Vec};

/// A range of bytes in the text that was parsed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Span {
    /// First byte.
    pub start: usize,
    /// One past the last byte.
    pub end: usize,
}

/// One piece of a text, with its place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Block {
    /// What it is.
    pub kind: BlockKind,
    /// Where it stands, in bytes of the parsed text.
    pub span: Span,
    /// Its first line, from 1.
    pub line: usize,
    /// Blank lines between the block before and this one (0: the next line). Always 0 for the first block.
    pub blank_lines: usize,
}

/// The kinds of blocks.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum BlockKind {
    /// A heading written with `#`.
    Title {
        /// 1 to 6.
        level: u8,
        /// The heading without hashes and outer blanks.
        text: Vec<Inline>,
        /// Whether its whole body, up to the next title of the same or a higher level, is slots (and titles over
        /// nothing but slots): such a title goes when they come out empty.
        optional: bool,
    },
    /// A run of lines, kept to the byte.
    Text(Vec<Inline>),
    /// A fenced code block.
    Code {
        /// The opening fence as written: indentation, fence characters, and the blanks before the info string.
        fence: String,
        /// The info string as written, without outer blanks.
        info: Vec<Inline>,
        /// The blanks after the info string.
        after_info: String,
        /// The lines inside, without the last line break: no piece if there is no line, an empty literal for one
        /// empty line.
        text: Vec<Inline>,
        /// The closing fence line as written; empty if the fence never closes (allowed with `unclosed_fence`).
        close: String,
    },
    /// A slot alone on its line.
    Slot {
        /// `PROMPT_SUBTREE`, `COLLECTED_CONTEXT` or a section field.
        name: String,
        /// Level of the heading above plus one; 1 without a heading; 7 under a heading of level 6.
        level: u8,
        /// White space before it on its line.
        indent: String,
        /// What the name stands for.
        target: Target,
    },
}

/// A piece of a line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Inline {
    /// Printed as it is.
    Literal(String),
    /// Braces around an identifier, written with one brace more on each side than is printed; this is the printed form.
    Escaped(String),
    /// `{name}`.
    Variable(Variable),
    /// `{?name}` or `{?!name}`: keeps or drops the line it stands on.
    Guard {
        /// The field it asks.
        name: String,
        /// Whether it was written with `!`.
        negated: bool,
        /// Where it stands.
        span: Span,
    },
}

/// `{name}`, `{name.field}`, `{name:spec}`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Variable {
    /// The name before dot and colon.
    pub name: String,
    /// The fields after it: `item.name` has one, `item.0` too.
    pub path: Vec<String>,
    /// The format spec after the colon, as `std::fmt` reads it; empty without one.
    pub spec: String,
    /// Where it stands, braces included.
    pub span: Span,
}
