//! What the loop hands to a page, or to a tape that is played on a page later.
//!
//! A step ([`Op`]) is a few words that are copied; what owns something is [`Recorded`] on a tape, and on its way to a page
//! lent to a method of its own.

use super::RowId;
use super::Words;
use crate::node::{Guarding, Hang, Tags};
use prompt_syntax::Metadata;
use std::{borrow::Cow, ops::Range};

/// One step of a text under construction.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Op<'a> {
    /// The text of a node or a template begins, with these words; `EndText` ends it.
    Text(&'a str),
    EndText(&'a str),
    /// Words of the author.
    Words(&'a str),
    /// A line begins that goes if nothing but these words, and blanks, is printed of it.
    Line(&'a str),
    /// A line ends: its break, and the blank lines behind it.
    Break(&'a str),
    /// An element follows: behind a line that ends, or behind a marker line, which has no break of its own.
    Gap {
        before: &'a Metadata,
        ends_line: bool,
    },
    /// Blank lines behind a marker line.
    Blank(&'a str),
    /// The last line before a marker line ends, and these blank lines follow it.
    EndBlock(&'a str),
    /// What a condition or a loop prints: if that is nothing, no white space of it is left either.
    Group,
    EndGroup,
    /// One item of a loop, with what stands between it and the one before.
    Item(Separator<'a>),
    EndItem,
    Title(TitleOp),
    EndTitle,
    /// A code block: its opening fence line, and its closing one.
    Code(&'a str),
    EndCode(&'a str),
    /// What is embedded, so many columns further to the right.
    Slot(usize),
    EndSlot(usize),
    /// Tags that stand literally in the texts of a node.
    StaticTags(&'a Tags),
    /// A row of sections, items or texts: it begins here, or where the text of its node began.
    Run {
        from_text: bool,
    },
    EndRun,
    /// Something follows in the run: what stands between it and what is there.
    Next(Between<'a>),
    /// The lines from here on stand so many columns further to the right; `EndIndent` ends that.
    Indent(usize),
    EndIndent(usize),
    /// The text depends on a value from here on.
    Depends,
    EndSection,
    EndTag,
    /// Hashes, the number, and the title of the innermost section; its heading is done.
    Heading {
        treatment: Treatment<'a>,
        tight: bool,
    },
    /// The title of the innermost section, in a heading of another form.
    TitleWords(Treatment<'a>),
    EndHeading {
        tight: bool,
    },
    /// The tag of the innermost section is done, or it has neither tag nor heading.
    Body,
    /// What stands between a short form and the words under it that say how to open it.
    SuffixGap,
    /// What follows, up to `ComesFrom`, comes from a variable or a field.
    Mark,
    ComesFrom(Option<RowId>, &'a str),
}

/// What stands on a tape.
#[derive(Clone, Debug)]
pub(crate) enum Recorded<'a> {
    Op(Op<'a>),
    Value(Box<ValueOp<'a>>),
    /// A text of a line: words of the author and values.
    Printed(Box<Words>, Treatment<'a>),
    Section(Box<RecordedSection<'a>>),
    Tag(Box<TagOp<'a>>),
    /// The words under a short form.
    Suffix(Box<SuffixOp>),
    /// Two branches of so many steps each: the first one is taken where this section of the node at a row is shown.
    Ask(Box<AskOp>),
    /// What was collected below the node at a row.
    Collected(Box<CollectedOp<'a>>),
}

/// What stands between two items of a loop.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Separator<'a> {
    pub(crate) ends_line: bool,
    pub(crate) blank: [&'a str; 2],
}

/// What stands between two members of a run.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Between<'a> {
    /// A line break and so many blank lines; or as many as there are where nobody says so: none inside a tag.
    Gap {
        lines: Option<u8>,
        /// Whether it is a tag.
        is_tag: bool,
        /// Tags that are open around it.
        depth: usize,
    },
    Words(&'a str),
}

impl Between<'_> {
    /// Directly below.
    pub(crate) const NOTHING: Self = Self::Words("");
}

/// A heading of a text.
#[derive(Clone, Copy, Debug)]
pub(crate) struct TitleOp {
    /// As it is written.
    pub(crate) level: u8,
    /// As it stands.
    pub(crate) stands_at: i32,
    /// Whether it goes where nothing comes under it.
    pub(crate) is_optional: bool,
    /// Whether a value decides what it says.
    pub(crate) is_computed: bool,
    /// Tags that are open around the text.
    pub(crate) depth: usize,
    /// Columns for each of them.
    pub(crate) indent: usize,
}

/// How a value is printed.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Treatment<'a> {
    /// A paragraph of its own: blank lines at its ends go.
    pub(crate) block: bool,
    pub(crate) hang: Hang,
    pub(crate) raw: bool,
    pub(crate) untrusted: bool,
    pub(crate) guarding: Guarding,
    /// The marker of the quotation that it stands in, for its other lines.
    pub(crate) quote: &'a str,
}

/// A value that was printed.
#[derive(Clone, Debug, Default)]
pub(crate) struct ValueOp<'a> {
    pub(crate) text: String,
    /// Bytes of it that values wrote, and not the template around them.
    pub(crate) values: Vec<Range<usize>>,
    pub(crate) treatment: Treatment<'a>,
}

/// A section, or an item of a list, that is there.
#[derive(Clone, Copy, Debug)]
pub(crate) struct SectionOp<'a> {
    pub(crate) row: RowId,
    pub(crate) between: Between<'a>,
    pub(crate) level: i32,
    /// Whether it has a heading.
    pub(crate) is_titled: bool,
    /// Its number among those of its node; nothing where it has none.
    pub(crate) number: Option<u32>,
    /// Whether it is counted where it stands instead: an item, or in a section without a heading.
    pub(crate) is_counted: bool,
    /// Whether it is there for what is inside it.
    pub(crate) may_vanish: bool,
}

/// A section on a tape.
#[derive(Clone, Debug)]
pub(crate) struct RecordedSection<'a> {
    pub(crate) op: SectionOp<'a>,
    pub(crate) title: Words,
    /// Steps on the tape: of heading and tag, the full form, the short form if it has one, and what ends it.
    pub(crate) head: usize,
    pub(crate) full: usize,
    pub(crate) summary: usize,
    pub(crate) tail: usize,
}

/// A tag.
#[derive(Clone, Debug)]
pub(crate) struct TagOp<'a> {
    pub(crate) name: Cow<'a, str>,
    pub(crate) attributes: Vec<(&'a str, String)>,
    /// Tags that are open around it.
    pub(crate) depth: usize,
    /// Columns for each of them.
    pub(crate) indent: usize,
    pub(crate) is_inline: bool,
    /// Whether neither text nor sections were written for it: with attributes it closes itself.
    pub(crate) is_hollow: bool,
    /// Whether a value decides what it says.
    pub(crate) is_computed: bool,
}

/// The words under a summary.
#[derive(Clone, Debug)]
pub(crate) struct SuffixOp {
    pub(crate) in_tag: bool,
    pub(crate) key: String,
    /// Keys of the sections inside it, joined by commas.
    pub(crate) subsections: String,
}

/// A branch on whether a section is shown.
#[derive(Clone, Debug)]
pub(crate) struct AskOp {
    pub(crate) node: Option<RowId>,
    pub(crate) section: u32,
    pub(crate) is_negated: bool,
    pub(crate) then: usize,
    pub(crate) otherwise: usize,
}

/// The slot for what was collected.
#[derive(Clone, Debug)]
pub(crate) struct CollectedOp<'a> {
    pub(crate) owner: Option<RowId>,
    pub(crate) level: i32,
    pub(crate) depth: usize,
    pub(crate) indent: usize,
    pub(crate) treatment: Treatment<'a>,
}
