//! One piece of a prompt text: a title, a run of text, a code block, or a slot.

use crate::{Inline, InlineText};
use alloc::{borrow::Cow, string::ToString};
use core::fmt;

/// One piece of a prompt's own text. `Display` prints its source, without the blank lines before it.
///
/// In serde (feature `serde`) an element is an object with its `type` (`title`, `text`, `code`, `slot`), `level`,
/// `content` (the source text), `info` or `name`; other fields stand there only where they are not the usual ones.
///
/// ```
/// use prompt_syntax::{Element, Elements, InlineText, Options, Place, parse};
///
/// const LIST: &[Element] = &[Element::title(2, InlineText::literal("Signals")), Element::slot("PROMPT_SUBTREE", 3)];
/// const TEXT: Elements = Elements::new(LIST);
/// assert_eq!(TEXT, parse("## Signals\n\n{PROMPT_SUBTREE}", &Options::new(Place::Node)).elements);
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Element {
    /// A heading.
    Title {
        /// From 1. More than 6 only where the list was moved down; such a heading prints with six hashes.
        level: u8,
        /// The conditions before the hashes, as in `{?x}## B`: they hold for the whole heading.
        conditions: InlineText,
        /// Without hashes and outer blanks.
        text: InlineText,
        /// Where it stands.
        metadata: Metadata,
    },
    /// A run of lines.
    Text {
        /// All lines up to the next element, blank lines between them included, and the marker lines of conditions.
        text: InlineText,
        /// Where it stands.
        metadata: Metadata,
    },
    /// A fenced code block.
    Code {
        /// The opening fence as written: indentation, fence characters, blanks before the info string.
        fence: Cow<'static, str>,
        /// The info string, without outer blanks.
        info: InlineText,
        /// The blanks after the info string.
        after_info: Cow<'static, str>,
        /// The lines inside, without the last line break.
        text: InlineText,
        /// The closing fence line as written; empty if the fence never closes.
        close: Cow<'static, str>,
        /// Where it stands.
        metadata: Metadata,
    },
    /// A place where other content is embedded.
    Slot {
        /// `PROMPT_SUBTREE`, `COLLECTED_CONTEXT` or a section field.
        name: Cow<'static, str>,
        /// Level of what is embedded: that of the heading above plus one, or 1; 7 under a heading of level 6.
        level: u8,
        /// Columns by which it moves what is embedded to the right.
        indent: u16,
        /// Where it stands.
        metadata: Metadata,
    },
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
    pub blanks: Cow<'static, str>,
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
            conditions: InlineText::EMPTY,
            text,
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
            level,
            indent: 0,
            metadata: Metadata::DEFAULT,
        }
    }

    /// The level of a title or slot.
    pub const fn level(&self) -> Option<u8> {
        match self {
            Self::Title { level, .. } | Self::Slot { level, .. } => Some(*level),
            Self::Text { .. } | Self::Code { .. } => None,
        }
    }

    /// Where it stands.
    pub const fn metadata(&self) -> &Metadata {
        match self {
            Self::Title { metadata, .. }
            | Self::Text { metadata, .. }
            | Self::Code { metadata, .. }
            | Self::Slot { metadata, .. } => metadata,
        }
    }

    fn metadata_mut(&mut self) -> &mut Metadata {
        match self {
            Self::Title { metadata, .. }
            | Self::Text { metadata, .. }
            | Self::Code { metadata, .. }
            | Self::Slot { metadata, .. } => metadata,
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

    /// All its inline pieces, in the order of the source.
    pub fn pieces(&self) -> impl Iterator<Item = &Inline> {
        let (first, second) = match self {
            Self::Text { text, .. } => (Some(text), None),
            Self::Title {
                conditions: first,
                text,
                ..
            }
            | Self::Code {
                info: first, text, ..
            } => (Some(first), Some(text)),
            Self::Slot { .. } => (None, None),
        };
        first.into_iter().chain(second).flatten()
    }

    /// Its inline texts, in the order of the source.
    pub(crate) fn texts_mut(&mut self) -> impl Iterator<Item = &mut InlineText> {
        let (first, second) = match self {
            Self::Text { text, .. } => (Some(text), None),
            Self::Title {
                conditions: first,
                text,
                ..
            }
            | Self::Code {
                info: first, text, ..
            } => (Some(first), Some(text)),
            Self::Slot { .. } => (None, None),
        };
        first.into_iter().chain(second)
    }

    /// Whether it is nothing but marker lines of conditions, which are not printed.
    pub(crate) fn is_marker_lines(&self) -> bool {
        let is_marker = |piece: &Inline| match piece {
            Inline::Literal(text) => text.trim_matches([' ', '\t', '\n']).is_empty(),
            piece => piece.is_marker_line(),
        };
        matches!(self, Self::Text { text, .. } if text.iter().all(is_marker))
    }
}

impl fmt::Display for Element {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Title {
                level,
                conditions,
                text,
                ..
            } => {
                let text = text.to_string();
                let level = usize::from((*level).clamp(1, 6));
                write!(f, "{conditions}{:#<level$} {text}", "")?;
                // What looks like a closing run would be dropped by the next reader; another one keeps it.
                let open = text.trim_end_matches('#');
                let is_run =
                    open.len() < text.len() && (open.is_empty() || open.ends_with([' ', '\t']));
                if is_run { f.write_str(" #") } else { Ok(()) }
            }
            Self::Text { text, .. } => text.fmt(f),
            Self::Code {
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
            Self::Slot { name, indent, .. } => {
                write!(f, "{:1$}{{{name}}}", "", usize::from(*indent))
            }
        }
    }
}
