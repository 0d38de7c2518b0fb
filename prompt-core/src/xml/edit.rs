//! What guarding is told of a finished text, and what it changes in it.

use prompt_syntax::TagPlace;
use std::ops::Range;

/// How a value is treated. `raw` values are not recorded; `escaped` is applied where the value is written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct ValuePolicy {
    /// A [`Violation`] instead of a change.
    pub(crate) strict: bool,
    /// Takes the Markdown structure and the chat tokens out of the value too.
    pub(crate) untrusted: bool,
    /// It stands in a fence, where nothing is structure but the end of the fence.
    pub(crate) in_code: bool,
    /// Where it stands in the tags of the words around it.
    pub(crate) place: TagPlace,
}

impl ValuePolicy {
    /// Whether it was written so that it stays in a tag, and so has no lines and no tags of its own.
    pub(super) fn is_in_tag(self) -> bool {
        matches!(self.place, TagPlace::Name | TagPlace::Attribute { .. })
    }
}

/// Bytes of the text that a value wrote, never the template around it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct ValueRange {
    pub(crate) range: Range<usize>,
    /// The text in which it stands, from the last one on that stands in it up to the next one.
    pub(crate) around: Range<usize>,
    pub(crate) policy: ValuePolicy,
}

/// A finished text, and what is known of it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Finished<'t> {
    pub(crate) text: &'t str,
    /// Sorted, not overlapping, none of them empty.
    pub(crate) values: &'t [ValueRange],
    /// The first byte that a strict value would have changed where it was written.
    pub(crate) violation: Option<usize>,
}

/// A value under the strict policy holds (a part of) a tag.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Violation {
    /// The byte of the `<`, or of what would have broken the tag that the value stands in.
    pub(crate) offset: usize,
}

/// One change: `removed` bytes at `at` become what is inserted, which is never shorter.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Edit {
    pub(super) at: usize,
    removed: usize,
    inserted: &'static str,
    /// Bytes by which the text has grown behind this edit.
    grown: usize,
}

impl Edit {
    pub(super) fn replace(at: usize, inserted: &'static str) -> Self {
        Self {
            removed: 1,
            ..Self::insert(at, inserted)
        }
    }

    pub(super) fn insert(at: usize, inserted: &'static str) -> Self {
        Self {
            at,
            removed: 0,
            inserted,
            grown: 0,
        }
    }

    /// Whether the byte at `at` is replaced; `edits` are sorted.
    pub(super) fn replaces(edits: &[Self], at: usize) -> bool {
        edits.binary_search_by_key(&at, |edit| edit.at).is_ok()
    }

    /// By place, and each byte replaced once.
    pub(super) fn sort(edits: &mut Vec<Self>) {
        edits.sort_by_key(|edit| edit.at);
        edits.dedup_by(|next, edit| next.at == edit.at && next.removed == edit.removed);
    }
}

/// What guarding changes in a text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Edits {
    /// Sorted.
    edits: Vec<Edit>,
}

impl Edits {
    /// `None` if nothing changes.
    pub(super) fn sorted(mut edits: Vec<Edit>) -> Option<Self> {
        Edit::sort(&mut edits);
        let mut grown = 0;
        for edit in &mut edits {
            grown += edit.inserted.len() - edit.removed;
            edit.grown = grown;
        }
        (!edits.is_empty()).then_some(Self { edits })
    }

    /// The text with the changes; it must be the text that was guarded.
    pub(crate) fn apply(&self, text: &str) -> String {
        let grown = self.edits.last().map_or(0, |edit| edit.grown);
        let mut applied = String::with_capacity(text.len() + grown);
        let mut copied = 0;
        for edit in &self.edits {
            applied.push_str(text.get(copied..edit.at).unwrap_or_default());
            applied.push_str(edit.inserted);
            copied = edit.at + edit.removed;
        }
        applied.push_str(text.get(copied..).unwrap_or_default());
        applied
    }

    /// Where a position of the old text is in the new one: before what is inserted there.
    pub(crate) fn moved(&self, offset: usize) -> usize {
        let before = self.edits.partition_point(|edit| edit.at < offset);
        let grown = before
            .checked_sub(1)
            .and_then(|last| self.edits.get(last))
            .map_or(0, |edit| edit.grown);
        offset + grown
    }

    /// The first byte of the old text that changes.
    pub(crate) fn first(&self) -> Option<usize> {
        self.edits.first().map(|edit| edit.at)
    }
}
