//! The compact form of a text: one literal and a table of places in it.
//!
//! The literal holds everything that is printed as it stands, headings and fences included, with LF line ends. A mark
//! says what else happens at a place. Rendering copies the literal from mark to mark; a list of elements can be read
//! back from the two without parsing anything.
//!
//! A renderer keeps what white space is pending: whether the last line has ended, and the blank lines after it. A
//! [`Gap`](MarkKind::Gap) ends the line (unless a [`Line`](MarkKind::Line) was just taken back); its blank lines are
//! added to the pending ones, or replace them if something has vanished since. What is printed next flushes them. At
//! the start of a text gaps do nothing.

use alloc::{string::String, vec::Vec};
use core::fmt;

/// Something that happens at a byte of the literal. Marks are sorted by `at`; several may share one place, and then
/// their order counts.
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
    /// A heading starts here: hashes, one blank, text. Conditions written before the hashes follow as marks at the
    /// same place.
    Title {
        /// Line in the source, from 1.
        line: u32,
        /// 1 to 6: as many hashes stand in the literal.
        level: u8,
        /// The whole body of the title, up to the next one of the same or a higher level, is slots and titles over
        /// nothing but slots: it goes when they come out empty. Conditions around them do not count.
        optional: bool,
        /// Bytes of the literal from the first hash to the end of the line.
        len: u32,
        /// How many of the following marks belong to its line, those of conditions included.
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
    /// `literal[at..at + len]` is white space beside something that may come out empty.
    Gap {
        /// Bytes; at least one line break among them.
        len: u32,
        /// Whether its first line break ends the line before it; all else in it are blank lines. Without it all of it
        /// is blank lines: it follows a marker line, which has vanished with its line break.
        ends_line: bool,
    },
    /// The line that starts here goes with its line break if nothing but blanks is printed of it behind its head.
    Line {
        /// Bytes of indentation and list marker, or of the hashes of a heading and the blank after them.
        head: u16,
    },
    /// A variable inside a line.
    Variable(u16),
    /// A variable that is a paragraph of its own: alone on its line between blank lines, marker lines of conditions, or
    /// the ends of the text.
    Block(u16),
    /// Something that only the renderer knows.
    Special(Special),
    /// What follows is printed if a condition holds; else the text goes on behind the mark `end`.
    If {
        /// Index among [`Lowered::conditions`].
        condition: u16,
        /// Whether it holds where the value is false, absent or empty.
        negated: bool,
        /// How it was written.
        form: ConditionForm,
        /// Index, among the marks, of its `Else` or else its `End`.
        end: u32,
    },
    /// The branch of a condition that holds ends here: the text goes on behind the mark `end`.
    Else {
        /// How it was written.
        form: ConditionForm,
        /// Index, among the marks, of the `End`.
        end: u32,
    },
    /// A condition ends here.
    End {
        /// How it was written: with [`ConditionForm::Line`] not at all.
        form: ConditionForm,
    },
    /// Braces that the author doubled: in the source, each brace in `literal[at..at + len]` stands twice.
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

/// Where a condition stands, which decides how far it reaches.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ConditionForm {
    /// First on its line and not closed on it: it keeps or drops the rest of the line.
    Line,
    /// `{?x}..{/x}` within a paragraph or heading.
    Inline,
    /// Alone on its line: it keeps or drops the lines up to the line of its end. The marker lines are not printed.
    Block {
        /// Columns of indentation of the marker line.
        indent: u16,
    },
}

/// What a text prints that is no value of its node, but of the place where it stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Special {
    /// `{title}`: the title of a section.
    Title,
    /// `{key}`: its key.
    Key,
    /// `{subsections}`: what stands below it.
    Subsections,
}

impl Special {
    /// All of them.
    pub const ALL: [Self; 3] = [Self::Title, Self::Key, Self::Subsections];

    /// How it is written between braces.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Title => "title",
            Self::Key => "key",
            Self::Subsections => "subsections",
        }
    }
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

/// A variable as it is written, without its braces.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Variable {
    /// The name before dot and colon.
    pub name: String,
    /// The fields after it: `item.name` has one, `item.0` too.
    pub path: Vec<String>,
    /// The format spec after the colon, as `std::fmt` reads it. `{a:}` has an empty one.
    pub spec: Option<String>,
}

impl fmt::Display for Variable {
    /// What stands between the braces.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write_path(&self.name, &self.path, f)?;
        self.spec
            .as_ref()
            .map_or(Ok(()), |spec| write!(f, ":{spec}"))
    }
}

/// What a condition asks: a name and the fields after it.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Condition {
    /// The name before the dots.
    pub name: String,
    /// The fields after it.
    pub path: Vec<String>,
}

impl fmt::Display for Condition {
    /// What stands behind the question mark.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write_path(&self.name, &self.path, f)
    }
}

fn write_path(name: &str, path: &[String], f: &mut fmt::Formatter<'_>) -> fmt::Result {
    f.write_str(name)?;
    path.iter().try_for_each(|field| write!(f, ".{field}"))
}

/// One text of a node, lowered. Its marks count through the tables of the [`Lowering`](crate::Lowering) that made it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct LoweredText {
    /// The printed text without variables, slots and the markers of conditions.
    pub literal: String,
    /// Places in it.
    pub marks: Vec<Mark>,
    /// The smallest level among titles and slots; 1 without any. Alignment moves this level.
    pub base: u8,
    /// The level of a slot at the end of the text: level of the last heading plus one, or 1.
    pub end: u8,
}

/// One text with tables of its own: the result of [`lower`](crate::lower()).
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Lowered {
    /// The printed text without variables, slots and the markers of conditions.
    pub literal: String,
    /// Places in it.
    pub marks: Vec<Mark>,
    /// The variables in order of first use, each source text (`limit:.1`, `item.name`) once; `MarkKind::Variable`
    /// and `MarkKind::Block` count through this list.
    pub variables: Vec<Variable>,
    /// What conditions ask, each once, in order of first use.
    pub conditions: Vec<Condition>,
    /// The smallest level among titles and slots; 1 without any. Alignment moves this level.
    pub base: u8,
    /// The level of a slot at the end of the text: level of the last heading plus one, or 1.
    pub end: u8,
    /// Names of tags that the literal text opens outside of code, each once, in order; self-closing tags do not.
    pub opens: Vec<String>,
    /// Names of tags that it closes.
    pub closes: Vec<String>,
    /// Whether some variable stands inside a tag of the author, as in `<file path="{path}">`.
    pub values_in_tags: bool,
}
