//! A text that grows by appending and remembers who wrote what.

use super::TextSource;
use std::ops::Range;

/// What stands between two texts of different origin.
pub(super) const SEPARATOR: &str = "\n\n";

/// A text and the sources of its bytes: ranges without gap or overlap, none empty.
#[derive(Debug, Default)]
pub(super) struct Joined {
    text: String,
    pieces: Vec<(Range<usize>, TextSource)>,
}

impl Joined {
    pub(super) fn new(text: String, source: TextSource) -> Self {
        let pieces = if text.is_empty() {
            Vec::new()
        } else {
            vec![(0..text.len(), source)]
        };
        Self { text, pieces }
    }

    /// `base + "\n\n" + extra`; whichever of the two is empty leaves the other alone. Nothing is trimmed.
    pub(super) fn append(&mut self, extra: &str, source: TextSource) {
        if extra.is_empty() {
            return;
        }
        if !self.text.is_empty() {
            self.push(SEPARATOR, TextSource::Separator);
        }
        self.push(extra, source);
    }

    /// Adds the separator whatever follows.
    pub(super) fn separate(&mut self) {
        self.push(SEPARATOR, TextSource::Separator);
    }

    /// Adds another text as it is.
    pub(super) fn extend(&mut self, other: &Self) {
        let offset = self.text.len();
        self.text.push_str(&other.text);
        let moved = |(range, source): &(Range<usize>, TextSource)| {
            (range.start + offset..range.end + offset, *source)
        };
        self.pieces.extend(other.pieces.iter().map(moved));
    }

    fn push(&mut self, text: &str, source: TextSource) {
        let start = self.text.len();
        self.text.push_str(text);
        self.pieces.push((start..self.text.len(), source));
    }

    pub(super) fn is_empty(&self) -> bool {
        self.text.is_empty()
    }

    pub(super) fn into_text(self) -> String {
        self.text
    }

    pub(super) fn into_parts(self) -> (String, Vec<(Range<usize>, TextSource)>) {
        (self.text, self.pieces)
    }
}
