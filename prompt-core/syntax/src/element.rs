//! One block of a prompt text: a title, a run of text, a code block, a slot, or blocks under a condition or loop.

use crate::{Each, Form, If, InlineText, Part, Str, branches::BranchesRef, lines::indentation};
use alloc::borrow::Cow;
use core::fmt;

/// One block of a prompt's own text. `Display` prints its source, without the blank lines before it.
///
/// In serde (feature `serde`) an element is an object with its `type` (`title`, `text`, `code`, `slot`, `if`, `each`),
/// `level`, `content` (the source text), `info`, `name`, or `source` and `elements`; other fields stand there only where
/// they are not the usual ones.
///
/// ```
/// use prompt_syntax::{Element, Elements, Inline, InlineText, Options, Place, parse};
///
/// const SIGNALS: InlineText = InlineText::new(const { &[Inline::literal("Signals")] });
/// const LIST: &[Element] = &[Element::title(2, SIGNALS), Element::slot("PROMPT_SUBTREE", 3)];
/// const TEXT: Elements = Elements::new(LIST);
/// assert_eq!(TEXT, parse("## Signals\n\n{PROMPT_SUBTREE}", &Options::new(Place::Node)).elements);
/// ```
#[derive(Clone, Debug)]
pub enum Element {
    /// A heading.
    Title {
        /// From 1. More than 6 only where the list was moved down; such a heading prints with six hashes.
        level: u8,
        /// Without hashes and outer blanks.
        text: InlineText,
        /// What stands around hashes and text.
        margins: Margins,
        /// Where it stands.
        metadata: Metadata,
    },
    /// A run of lines.
    Text {
        /// All lines up to the next element, blank lines between them included.
        text: InlineText,
        /// Where it stands.
        metadata: Metadata,
    },
    /// A fenced code block.
    Code {
        /// The opening fence as written: indentation, fence characters, blanks before the info string.
        fence: Str,
        /// The info string, without outer blanks.
        info: InlineText,
        /// The blanks after the info string.
        after_info: Str,
        /// The lines inside, without the last line break.
        text: InlineText,
        /// The closing fence line as written; empty if the fence never closes.
        close: Str,
        /// Where it stands.
        metadata: Metadata,
    },
    /// A place where other content is embedded.
    Slot {
        /// `PROMPT_SUBTREE`, `COLLECTED_CONTEXT` or a section field.
        name: Str,
        /// What is embedded. Of a section the number is found by [`Tables`](crate::Tables).
        target: Target,
        /// Level of what is embedded: that of the heading above plus one, or 1; 7 under a heading of level 6.
        level: u8,
        /// Columns by which it moves what is embedded to the right.
        indent: u16,
        /// Where it stands.
        metadata: Metadata,
    },
    /// Blocks that are printed if a condition holds: between marker lines, or a heading behind its condition.
    If {
        /// What is asked, and the blocks.
        branches: If<Element>,
        /// Where it stands.
        metadata: Metadata,
    },
    /// Blocks that are printed for each item of a list.
    Each {
        /// What is gone through, and the blocks.
        branches: Each<Element>,
        /// Where it stands.
        metadata: Metadata,
    },
}

impl PartialEq for Element {
    /// Numbers are not compared: names say what they stand for.
    fn eq(&self, other: &Self) -> bool {
        core::mem::discriminant(self) == core::mem::discriminant(other)
            && self.level() == other.level()
            && self.own_words() == other.own_words()
            && self.inline_texts().eq(other.inline_texts())
            && self.branches() == other.branches()
            && self.metadata() == other.metadata()
    }
}

impl Eq for Element {}

impl Element {
    /// What its kind has besides level, texts and branches.
    fn own_words(&self) -> (u16, [&str; 3]) {
        match self {
            Self::Code {
                fence,
                after_info,
                close,
                ..
            } => (0, [fence, after_info, close]),
            Self::Title { margins, .. } => (0, [&margins.before, &margins.behind, &margins.close]),
            Self::Slot { name, indent, .. } => (*indent, [name, "", ""]),
            _ => (0, [""; 3]),
        }
    }
}

/// What the line of a heading holds besides hashes and text. All of it is printed, whatever level the heading moves to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Margins {
    /// The blanks before the hashes, up to three columns.
    pub before: Str,
    /// The blanks between hashes and text.
    pub behind: Str,
    /// The blanks and the closing run of hashes behind the text.
    pub close: Str,
}

impl Margins {
    /// One blank behind the hashes.
    pub const USUAL: Self = Self {
        before: Cow::Borrowed(""),
        behind: Cow::Borrowed(" "),
        close: Cow::Borrowed(""),
    };
}

impl Default for Margins {
    fn default() -> Self {
        Self::USUAL
    }
}

/// What a slot embeds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Target {
    /// `{PROMPT_SUBTREE}`: every section that has no place of its own.
    Subtree,
    /// `{COLLECTED_CONTEXT}`: what has been collected so far.
    Collected,
    /// `{field}`: the section with this index in `Options::sections`; `u16::MAX` before it is known.
    Section(u16),
}

/// Where an element stands. Lines are not compared: the same text in two files is the same list.
#[derive(Clone, Debug)]
pub struct Metadata {
    /// Line of its source, from 1; 0 if it has none.
    pub line: u32,
    /// Blank lines between the element before and this one (0: the next line). The first element of a list prints
    /// none; parsed lists have the usual 1 there, so that two lists can be put one after the other.
    pub blank_lines: u32,
    /// These lines, each with its line break, if one of them holds blanks; else empty.
    pub blanks: Str,
    /// Whether it goes without a trace when what is embedded comes out empty: a slot, or a title whose whole body (up to
    /// the next title of the same or a higher level) is slots and such titles. Found by [`Tables`](crate::Tables), and
    /// not compared.
    pub optional: bool,
}

impl Metadata {
    /// One blank line before it, no source.
    pub const DEFAULT: Self = Self::at(0, 1);

    /// A line of the source, and the number of empty lines before it.
    pub const fn at(line: u32, blank_lines: u32) -> Self {
        Self {
            line,
            blank_lines,
            blanks: Cow::Borrowed(""),
            optional: false,
        }
    }
}

impl Default for Metadata {
    fn default() -> Self {
        Self::DEFAULT
    }
}

impl PartialEq for Metadata {
    fn eq(&self, other: &Self) -> bool {
        self.blank_lines == other.blank_lines && self.blanks == other.blanks
    }
}

impl Eq for Metadata {}

impl fmt::Display for Metadata {
    /// Prints the blank lines.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.blanks.is_empty() {
            (0..self.blank_lines).try_for_each(|_| f.write_str("\n"))
        } else {
            f.write_str(&self.blanks)
        }
    }
}

pub(crate) const FENCE: &str = "```";

impl Element {
    /// A heading, one blank line below what stands before it.
    pub const fn title(level: u8, text: InlineText) -> Self {
        Self::Title {
            level,
            text,
            margins: Margins::USUAL,
            metadata: Metadata::DEFAULT,
        }
    }

    /// A run of lines, one blank line below what stands before it.
    pub const fn text(text: InlineText) -> Self {
        Self::Text {
            text,
            metadata: Metadata::DEFAULT,
        }
    }

    /// A code block between three backticks, one blank line below what stands before it.
    pub const fn code(info: InlineText, text: InlineText) -> Self {
        Self::Code {
            fence: Cow::Borrowed(FENCE),
            info,
            after_info: Cow::Borrowed(""),
            text,
            close: Cow::Borrowed(FENCE),
            metadata: Metadata::DEFAULT,
        }
    }

    /// A slot, one blank line below what stands before it.
    pub const fn slot(name: &'static str, level: u8) -> Self {
        Self::Slot {
            name: Cow::Borrowed(name),
            target: Target::of(name),
            level,
            indent: 0,
            metadata: Metadata::DEFAULT,
        }
    }

    /// The level of a title or slot.
    pub const fn level(&self) -> Option<u8> {
        match self {
            Self::Title { level, .. } | Self::Slot { level, .. } => Some(*level),
            _ => None,
        }
    }

    /// Where it stands.
    pub const fn metadata(&self) -> &Metadata {
        match self {
            Self::Title { metadata, .. }
            | Self::Text { metadata, .. }
            | Self::Code { metadata, .. }
            | Self::Slot { metadata, .. }
            | Self::If { metadata, .. }
            | Self::Each { metadata, .. } => metadata,
        }
    }

    pub(crate) const fn metadata_mut(&mut self) -> &mut Metadata {
        match self {
            Self::Title { metadata, .. }
            | Self::Text { metadata, .. }
            | Self::Code { metadata, .. }
            | Self::Slot { metadata, .. }
            | Self::If { metadata, .. }
            | Self::Each { metadata, .. } => metadata,
        }
    }

    /// The same element at another place.
    #[must_use]
    pub fn with_metadata(mut self, place: Metadata) -> Self {
        *self.metadata_mut() = place;
        self
    }

    /// The same element at another level; text and code have none.
    #[must_use]
    pub fn with_level(mut self, new: u8) -> Self {
        if let Self::Title { level, .. } | Self::Slot { level, .. } = &mut self {
            *level = new;
        }
        self
    }

    /// The lists under its condition or loop; none of other elements.
    pub fn parts(&self) -> impl Iterator<Item = &Part<Element>> {
        self.branches()
            .into_iter()
            .flat_map(|branches| branches.parts())
    }

    /// The lists under its condition or loop, to be changed.
    pub(crate) fn parts_mut(&mut self) -> impl DoubleEndedIterator<Item = &mut Part<Element>> {
        let (first, otherwise) = match self {
            Self::If { branches, .. } => (Some(&mut branches.then), branches.otherwise.as_mut()),
            Self::Each { branches, .. } => (Some(&mut branches.body), branches.otherwise.as_mut()),
            _ => (None, None),
        };
        first.into_iter().chain(otherwise)
    }

    /// Its condition or loop.
    pub(crate) fn branches(&self) -> Option<BranchesRef<'_, Element>> {
        match self {
            Self::If { branches, .. } => Some(branches.branches()),
            Self::Each { branches, .. } => Some(branches.branches()),
            _ => None,
        }
    }

    /// Its own inline texts, in the order of the source; a condition or loop has none.
    pub fn inline_texts(&self) -> impl Iterator<Item = &InlineText> {
        let (first, second) = match self {
            Self::Title { text, .. } | Self::Text { text, .. } => (Some(text), None),
            Self::Code { info, text, .. } => (Some(info), Some(text)),
            _ => (None, None),
        };
        first.into_iter().chain(second)
    }

    /// Its own inline texts, to be changed.
    pub fn inline_texts_mut(&mut self) -> impl Iterator<Item = &mut InlineText> {
        let (first, second) = match self {
            Self::Title { text, .. } | Self::Text { text, .. } => (Some(text), None),
            Self::Code { info, text, .. } => (Some(info), Some(text)),
            _ => (None, None),
        };
        first.into_iter().chain(second)
    }
}

impl Target {
    /// What a slot of this name embeds, as far as the name says it.
    pub const fn of(name: &str) -> Self {
        match name.as_bytes() {
            b"PROMPT_SUBTREE" => Self::Subtree,
            b"COLLECTED_CONTEXT" => Self::Collected,
            _ => Self::Section(u16::MAX),
        }
    }
}

impl fmt::Display for Element {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt_element(self, 0, f)
    }
}

/// Prints an element. A heading behind conditions leaves out the indentation that stands before these.
fn fmt_element(element: &Element, indented: usize, f: &mut fmt::Formatter<'_>) -> fmt::Result {
    match element {
        Element::Title {
            level,
            text,
            margins,
            ..
        } => {
            let before = margins.before.get(indented..).unwrap_or_default();
            let level = usize::from((*level).clamp(1, 6));
            write!(
                f,
                "{before}{:#<level$}{}{text}{}",
                "", margins.behind, margins.close
            )
        }
        Element::Text { text, .. } => write!(f, "{text}"),
        Element::Code {
            fence,
            info,
            after_info,
            text,
            close,
            ..
        } => {
            write!(f, "{fence}{info}{after_info}")?;
            if !text.is_empty() {
                write!(f, "\n{text}")?;
            }
            if close.is_empty() {
                Ok(())
            } else {
                write!(f, "\n{close}")
            }
        }
        Element::Slot { name, indent, .. } => {
            write!(f, "{:1$}{{{name}}}", "", usize::from(*indent))
        }
        Element::If { branches, .. } => fmt_branches(&branches.branches(), indented, f),
        Element::Each { branches, .. } => fmt_branches(&branches.branches(), indented, f),
    }
}

fn fmt_branches(
    branches: &BranchesRef<'_, Element>,
    indented: usize,
    f: &mut fmt::Formatter<'_>,
) -> fmt::Result {
    let indented = match branches.form {
        Form::Line => indented + indentation(&branches.first.marker),
        _ => 0,
    };
    branches.fmt(f, |part, f| match &*part.list {
        [title] if branches.form == Form::Line => fmt_element(title, indented, f),
        list => fmt_list(list, f),
    })
}

/// Prints the source of elements, one below the other.
pub(crate) fn fmt_list(list: &[Element], f: &mut fmt::Formatter<'_>) -> fmt::Result {
    for (index, element) in list.iter().enumerate() {
        if index > 0 {
            write!(f, "\n{}", element.metadata())?;
        }
        write!(f, "{element}")?;
    }
    Ok(())
}
