//! Texts of a line, such as titles: the author's words, and values among them.

use crate::xml::ValueRange;
use std::borrow::Cow;

/// A title, or another text of a line: the author's words and values.
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
            text: text.into(),
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
        Self {
            values: vec![value],
            text: Cow::Owned(text),
            is_computed: true,
        }
    }

    /// Whether there is nothing to be read: a heading needs words.
    pub(crate) fn is_blank(&self) -> bool {
        self.text.trim().is_empty()
    }

    /// Line breaks become blanks: a heading ends with its line.
    pub(super) fn on_one_line(&self) -> Cow<'_, Self> {
        if !self.text.contains('\n') {
            return Cow::Borrowed(self);
        }
        Cow::Owned(Self {
            text: Cow::Owned(self.text.replace('\n', " ")),
            ..self.clone()
        })
    }
}
