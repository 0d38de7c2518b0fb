//! Texts of a line, such as titles: the author's words, and values among them.

use crate::xml::ValueRange;
use std::borrow::Cow;

/// A title, or another text of a line: the author's words and values. It has no line breaks, because a heading ends with
/// its line: blanks stand for them.
#[derive(Clone, Debug, Default)]
pub(crate) struct Words {
    pub(crate) text: Cow<'static, str>,
    /// Bytes that values wrote.
    pub(crate) values: Vec<ValueRange>,
    /// Whether values decide what it says.
    pub(crate) is_computed: bool,
}

impl Words {
    /// The author's words.
    pub(crate) fn fixed(text: impl Into<Cow<'static, str>>) -> Self {
        Self {
            text: on_one_line(text.into()),
            values: Vec::new(),
            is_computed: false,
        }
    }

    /// A name of the library's or the language's: it has no line breaks.
    #[inline]
    pub(crate) fn name(text: Cow<'static, str>) -> Self {
        debug_assert!(!text.contains('\n'));
        Self {
            text,
            values: Vec::new(),
            is_computed: false,
        }
    }

    /// A value.
    pub(crate) fn value(text: String) -> Self {
        let value = ValueRange {
            range: 0..text.len(),
            policy: crate::xml::ValuePolicy::default(),
        };
        Self::computed(text, vec![value])
    }

    /// Whether there is nothing to be read: a heading needs words.
    pub(crate) fn is_blank(&self) -> bool {
        self.text.trim().is_empty()
    }

    /// What a template printed.
    pub(crate) fn computed(text: String, values: Vec<ValueRange>) -> Self {
        Self {
            text: on_one_line(Cow::Owned(text)),
            values,
            is_computed: true,
        }
    }
}

/// As many bytes as before: what stands where is not moved.
fn on_one_line(text: Cow<'static, str>) -> Cow<'static, str> {
    if text.contains('\n') {
        Cow::Owned(text.replace('\n', " "))
    } else {
        text
    }
}
