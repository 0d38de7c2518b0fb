//! How far a text under construction is the same whatever the values are.

use std::ops::Range;

/// The static prefix of a text. Positions are bytes of the text.
#[derive(Clone, Debug, Default)]
pub(crate) struct Prefix {
    /// The first byte whose presence or content depends on a value, once there is one.
    pub(crate) end: Option<usize>,
    /// The last heading or tag that goes if nothing follows it.
    tentative: Range<usize>,
}

impl Prefix {
    /// Nobody asks how far it is.
    pub(super) fn unwanted() -> Self {
        Self {
            end: Some(0),
            tentative: 0..0,
        }
    }

    /// From `len` on the text depends on a value; so does a heading or tag right before it that may be taken back.
    #[inline]
    pub(crate) fn depends(&mut self, len: usize) {
        if self.end.is_none() {
            self.end = Some(if self.tentative.end == len {
                self.tentative.start
            } else {
                len
            });
        }
    }

    /// What was printed between the two is taken back, or looks otherwise, if nothing follows it.
    pub(crate) fn tentative(&mut self, from: usize, to: usize) {
        let follows = !self.tentative.is_empty() && self.tentative.end == from;
        let start = if follows { self.tentative.start } else { from };
        self.tentative = start..to;
    }

    /// What was printed behind `len` has been taken back.
    pub(crate) fn truncate(&mut self, len: usize) {
        self.tentative.end = self.tentative.end.min(len);
    }

    /// Where what is taken back begins if the byte at `at` is.
    pub(crate) fn goes_from(&self, at: usize) -> usize {
        if self.tentative.contains(&at) {
            self.tentative.start
        } else {
            at
        }
    }

    /// Its length in a text of so many bytes.
    pub(crate) fn len(&self, text: usize) -> usize {
        self.end.map_or(text, |end| end.min(text))
    }
}
