//! The compact form of a text: what a derive emits, what run-time trees build, and what the printer walks.

use prompt_syntax::{LoweredText, Mark};
use std::borrow::Cow;

/// A text of a description.
pub(crate) type Str = Cow<'static, str>;
/// A list of a description.
pub(crate) type List<T> = Cow<'static, [T]>;

/// A parsed text: one literal and a table of places in it. See [`prompt_syntax::MarkKind`].
///
/// Variables, conditions and slots in the marks count through the lists of the `NodeInfo` that the text belongs to.
#[derive(Clone, Debug, PartialEq)]
pub struct Text {
    /// Everything that is printed as it stands.
    pub literal: Str,
    /// Where something else happens, sorted by position.
    pub marks: List<Mark>,
    /// The smallest level among titles and slots; 1 without any.
    pub base: u8,
    /// The level of a slot at the end of the text.
    pub end: u8,
}

impl Default for Text {
    fn default() -> Self {
        Self::EMPTY
    }
}

impl Text {
    /// No text. Spelled out: a constant made by a function call could not be overwritten in a struct update inside a
    /// `static`.
    pub const EMPTY: Self = Self {
        literal: Cow::Borrowed(""),
        marks: Cow::Borrowed(&[]),
        base: 1,
        end: 1,
    };

    /// A text in which nothing happens.
    pub const fn plain(literal: &'static str) -> Self {
        Self {
            literal: Cow::Borrowed(literal),
            marks: Cow::Borrowed(&[]),
            base: 1,
            end: 1,
        }
    }

    /// Whether there is nothing to print.
    pub fn is_empty(&self) -> bool {
        self.literal.is_empty() && self.marks.is_empty()
    }
}

impl From<LoweredText> for Text {
    /// A text as the grammar lowered it.
    fn from(lowered: LoweredText) -> Self {
        Self {
            literal: Cow::Owned(lowered.literal),
            marks: Cow::Owned(lowered.marks),
            base: lowered.base,
            end: lowered.end,
        }
    }
}
