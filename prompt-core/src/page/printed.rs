//! What is known of a text once it is printed.

use crate::document::SectionId;
use crate::node::Form;
use std::{borrow::Cow, cmp::Reverse, ops::Range};

/// What is known of a text.
#[derive(Clone, Debug, Default)]
pub(crate) struct Printed<'a> {
    /// The position of the first byte whose presence or content depends on a value.
    pub(crate) static_prefix: usize,
    pub(crate) spans: Vec<Span>,
    /// The titles of the sections, one behind the other.
    pub(crate) titles: String,
    /// What `start` and `end` printed, in the order of the text.
    pub(crate) frames: Vec<Frame>,
    pub(crate) tags: Vec<WrittenTag<'a>>,
    pub(crate) sources: Vec<Sourced>,
    pub(crate) shorts: Vec<Short>,
    pub(crate) is_summarised: bool,
    /// Whether a list says how many of its items a budget left out.
    pub(crate) has_left_out: bool,
}

impl Printed<'_> {
    /// Puts what values gave into the order of the text, what holds something else before it.
    pub(super) fn sort_sources(&mut self) {
        let place = |source: &Sourced| (source.range.start, Reverse(source.range.end));
        self.sources.reverse();
        self.sources.sort_by_key(place);
    }
}

/// The bytes of a `start` or an `end`.
#[derive(Clone, Debug)]
pub(crate) struct Frame {
    pub(crate) range: Range<usize>,
    pub(crate) is_end: bool,
}

/// Where a section stands in the text.
#[derive(Clone, Debug)]
pub(crate) struct Span {
    pub(crate) section: SectionId,
    /// In the titles.
    pub(crate) title: Range<usize>,
    pub(crate) level: u8,
    pub(crate) form: Form,
    pub(crate) start: usize,
    pub(crate) end: usize,
    /// Behind heading or tag.
    pub(crate) body: usize,
    /// Whether it prints no words of its own: it is there for what is in it.
    pub(crate) is_wrapper: bool,
}

/// A part of the text that a value gave.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Sourced {
    pub(crate) range: Range<usize>,
    pub(crate) section: Option<SectionId>,
    pub(crate) name: String,
    /// Whether its headings moved to the level of their place.
    pub(crate) is_aligned: bool,
}

/// A tag that the page wrote.
#[derive(Clone, Debug)]
pub(crate) struct WrittenTag<'a> {
    pub(crate) name: Cow<'a, str>,
    pub(crate) depth: usize,
    pub(crate) section: Option<SectionId>,
}

/// The short form of a section that is shown in full.
#[derive(Clone, Debug)]
pub(crate) struct Short {
    pub(crate) section: SectionId,
    pub(crate) text: String,
    pub(crate) sources: Vec<Sourced>,
}

/// How far the text is the same whatever the values are: up to the first byte whose presence or content depends on one. What
/// prints says so before all that follows from a value (`depends`), and of what goes with what is behind it (`tentative`,
/// `inside`); what a value changes before itself, in its tag and on its line, is taken off in the end.
#[derive(Default)]
pub(super) struct Prefix {
    pub(super) end: Option<usize>,
    /// What was printed last and is there only if something behind it is.
    tentative: Range<usize>,
}

impl Prefix {
    /// What follows depends on a value.
    #[inline]
    pub(super) fn depends(&mut self, at: usize) {
        if self.end.is_none() {
            self.end = Some(self.goes_from(at));
        }
    }

    fn goes_from(&self, at: usize) -> usize {
        if !self.tentative.is_empty() && self.tentative.end == at {
            self.tentative.start
        } else {
            at
        }
    }

    #[inline]
    pub(super) fn tentative(&mut self, from: usize, to: usize) {
        let start = self.goes_from(from);
        self.tentative = start..to;
    }

    /// What depends since then changes what stands there.
    pub(super) fn inside(&mut self, at: usize) {
        if self.end.is_some_and(|end| end >= at) {
            self.end = Some(self.goes_from(at));
        }
    }
}
