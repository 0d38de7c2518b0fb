//! What the walk tells the page of what it prints: how a value is treated, what stands between two members of a run, which
//! heading of a text is meant.

use crate::node::{Guarding, Hang};

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

/// A heading of a text.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Heading {
    /// As it is written.
    pub(crate) level: u8,
    /// As it is printed.
    pub(crate) printed_level: i32,
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
