//! What a text may use: its known names, its place, the rules that are switched off.

use crate::Code;

/// The most bytes that a text can have: two gigabytes. Positions in it are 32 bits wide.
pub const MAX_TEXT: usize = (1 << 31) - 1;

/// How to read a text.
#[derive(Clone, Copy, Debug)]
pub struct Options<'a> {
    /// The names a `{name}` may have. With `Place::Free` the list only serves code and `$name`.
    pub names: &'a [&'a str],
    /// The section fields, in declaration order: each is a slot in a node's own text.
    pub sections: &'a [&'a str],
    /// What reads each field of a tuple, `self.0` or `_0`, and nothing for one that no text could mean: tuple fields have
    /// no names, and who writes `{0}` is told.
    pub tuple: &'a [&'a str],
    /// What stands in Rust before a field's name: `self.`, or nothing in a variant.
    pub access: &'a str,
    /// Where the text stands.
    pub place: Place,
    /// Whether rustdoc would see the text: untagged fences are `doctest_fence` then.
    pub doc_comment: bool,
    /// Rules that are switched off.
    pub allow: &'a [Code],
    /// Which format specs are legal.
    pub specs: Specs,
    /// Whether author's notes stay, as comments like all others: in a value they are not the author's.
    pub keep_notes: bool,
    /// Whether the text is read once more when its values are known. In code only known names make markers, so there what
    /// is open too long, or ends what is not open, is no fault before that.
    pub is_read_again: bool,
}

impl Options<'_> {
    /// A text at a place, without names, with every rule on and the specs of `std::fmt`.
    ///
    /// ```
    /// use prompt_syntax::{Options, Place};
    ///
    /// let options = Options { names: &["topic"], ..Options::new(Place::Node) };
    /// ```
    pub const fn new(place: Place) -> Self {
        Self {
            names: &[],
            sections: &[],
            tuple: &[],
            access: "self.",
            place,
            doc_comment: false,
            allow: &[],
            specs: Specs::Compiled,
            keep_notes: false,
            is_read_again: false,
        }
    }
}

/// Where a text stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Place {
    /// A node's own text: all slots.
    Node,
    /// The introduction of a section: blocks, but no slots.
    Introduction,
    /// Titles and other texts of a line: headings and fences are text.
    Inline,
    /// What a value prints (`item`, `some`, `default`): read as it is, like [`Self::Inline`]. With a heading or a
    /// fence in it, it is read in blocks, without slots.
    Template,
    /// A text whose names are not known (`Template::parse`): every identifier in text is a variable.
    Free,
}

impl Place {
    /// Whether it is a text that may be about an item.
    pub(crate) fn is_template(self) -> bool {
        matches!(self, Self::Inline | Self::Template)
    }
}

/// Which format specs are legal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Specs {
    /// Whatever `std::fmt` reads; the compiler checks it.
    Compiled,
    /// Fill, align, width, precision.
    Runtime,
}
