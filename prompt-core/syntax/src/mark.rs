//! The compact form of a parsed text: one literal and a table of places in it.
//!
//! The literal holds everything that is printed as it stands, headings and fences included, with LF line ends. A mark
//! says what else happens at a place. Rendering copies the literal from mark to mark; a list of elements can be read
//! back from the two without parsing anything.

use alloc::{string::String, vec::Vec};

/// Something that happens at a byte of the literal. Marks are sorted by `at`; several may share one place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Mark {
    /// Position in the literal, in bytes.
    pub at: u32,
    /// What happens there.
    pub kind: MarkKind,
}

/// What a mark says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MarkKind {
    /// A text element starts here.
    Text {
        /// Line in the source, from 1.
        line: u32,
    },
    /// A heading starts here: hashes, one blank, text.
    Title {
        /// Line in the source, from 1.
        line: u32,
        /// 1 to 6: as many hashes stand in the literal.
        level: u8,
        /// See `BlockKind::Title`.
        optional: bool,
        /// Bytes of the literal from the first hash to the end of the line.
        len: u32,
        /// How many of the following marks belong to its line.
        marks: u16,
    },
    /// A fenced code block starts here, with the first byte of the opening fence line.
    Code {
        /// Line in the source, from 1.
        line: u32,
        /// Bytes of indentation before the fence.
        indent: u8,
        /// Bytes of fence characters.
        fence: u32,
    },
    /// The closing fence line of a code block starts here, or the end of the literal if it never closes.
    CodeEnd {
        /// Bytes of the closing line; 0 if the fence never closes.
        len: u32,
    },
    /// The white space `literal[at..at + len]`, line breaks included, between a thing that may come out empty and its
    /// neighbour. It is printed when both sides are.
    Gap {
        /// Bytes; at least one line break among them.
        len: u32,
    },
    /// A variable inside a line.
    Variable(u16),
    /// A variable that is a paragraph of its own: alone on its line between blank lines or the ends of the text.
    Block(u16),
    /// The line `literal[at..at + len]` is kept only if the guard holds.
    Guard {
        /// Index of the name, among `Lowered::guards`.
        guard: u16,
        /// Holds when the field is false, `None` or empty.
        negated: bool,
        /// Bytes of the line without its line break.
        len: u32,
        /// Bytes from the start of the line to where the guard was written.
        offset: u16,
        /// How many of the following marks belong to the line.
        marks: u16,
    },
    /// Braces that the author doubled: `literal[at..at + len]` has one brace more on each side in the source.
    Escape {
        /// Bytes.
        len: u32,
    },
    /// Other content goes here. The indentation before it is not in the literal.
    Slot {
        /// What goes here.
        target: Target,
        /// Line in the source, from 1.
        line: u32,
        /// 1 to 7, before alignment.
        level: u8,
        /// Columns (bytes) that each line of what is embedded moves to the right; always spaces in the output.
        indent: u16,
    },
}

/// What a slot embeds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Target {
    /// `{PROMPT_SUBTREE}`: every section that has no place of its own.
    Subtree,
    /// `{COLLECTED_CONTEXT}`: what has been collected so far.
    Collected,
    /// `{field}`: the section with this index in `Options::sections`.
    Section(u16),
}

/// The result of lowering.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Lowered {
    /// The printed text without variables and slots.
    pub literal: String,
    /// Places in it.
    pub marks: Vec<Mark>,
    /// The variables in order of first use, each source text (`limit:.1`, `item.name`) once; `MarkKind::Variable`
    /// and `MarkKind::Block` count through this list.
    pub variables: Vec<crate::Variable>,
    /// The names that guards ask, each once, in order of first use.
    pub guards: Vec<String>,
    /// The smallest level among titles and slots; 1 without any. Alignment moves this level.
    pub base: u8,
    /// The level of a slot at the end of the text: level of the last heading plus one, or 1.
    pub end: u8,
    /// Names of XML tags, open or close, that stand in the literal (outside variables), each once, in order.
    pub tags: Vec<String>,
}
