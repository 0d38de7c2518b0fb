//! What [`validate`](super::validate) finds.

use serde::Serialize;
use std::{error::Error, fmt, slice, vec};

/// A mistake in the tags of a text, with its place.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct TagError {
    /// What is wrong.
    pub kind: TagErrorKind,
    /// Line of the tag's `<`, from 1.
    pub line: usize,
    /// Column of the tag's `<` in characters, from 1.
    pub column: usize,
    /// Byte of the tag's `<`.
    pub offset: usize,
    /// The name as written; `!--` for a comment, `![CDATA[` for CDATA.
    pub tag: String,
    /// The name (or the end) that was expected here, or that is missing.
    pub expected: Option<String>,
}

/// The kinds of mistakes. `Display` and [`as_str`](TagErrorKind::as_str) give the stable spelling.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum TagErrorKind {
    /// A closing tag of another name than the innermost open tag.
    Mismatched,
    /// A closing tag where no tag is open.
    UnexpectedClose,
    /// A tag that is never closed. One error per tag, outermost first.
    Unclosed,
    /// A closing tag that differs from the innermost open tag in case only.
    CaseMismatch,
    /// A `<!--` without `-->`.
    UnclosedComment,
    /// A `<![CDATA[` without `]]>`.
    UnclosedCdata,
    /// A tag with a quoted attribute that never comes to its `>`, or a closing tag with attributes or `/>`.
    MalformedTag,
}

impl TagErrorKind {
    /// The stable spelling, in snake case.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Mismatched => "mismatched",
            Self::UnexpectedClose => "unexpected_close",
            Self::Unclosed => "unclosed",
            Self::CaseMismatch => "case_mismatch",
            Self::UnclosedComment => "unclosed_comment",
            Self::UnclosedCdata => "unclosed_cdata",
            Self::MalformedTag => "malformed_tag",
        }
    }
}

impl fmt::Display for TagErrorKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

impl fmt::Display for TagError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self {
            kind,
            line,
            column,
            tag,
            ..
        } = self;
        let expected = self.expected.as_deref().unwrap_or_default();
        write!(f, "line {line}, column {column}: ")?;
        match kind {
            TagErrorKind::Mismatched | TagErrorKind::CaseMismatch => {
                write!(f, "`</{tag}>` where `</{expected}>` was expected")
            }
            TagErrorKind::UnexpectedClose => write!(f, "`</{tag}>` closes nothing"),
            TagErrorKind::Unclosed => write!(f, "`<{tag}>` is never closed"),
            TagErrorKind::UnclosedComment | TagErrorKind::UnclosedCdata => {
                write!(f, "`<{tag}` without its `{expected}`")
            }
            TagErrorKind::MalformedTag => write!(f, "the tag `{tag}` is not well formed"),
        }
    }
}

impl Error for TagError {}

/// All mistakes of a text, in text order; never empty. `Display` prints one per line.
#[derive(Clone, PartialEq, Eq, Serialize)]
#[serde(transparent)]
pub struct TagErrors {
    errors: Vec<TagError>,
}

impl TagErrors {
    /// `Ok` without errors.
    pub(super) fn check(errors: Vec<TagError>) -> Result<(), Self> {
        if errors.is_empty() {
            Ok(())
        } else {
            Err(Self { errors })
        }
    }

    /// The mistakes in text order.
    pub fn errors(&self) -> &[TagError] {
        &self.errors
    }

    /// Iterates over the mistakes in text order.
    pub fn iter(&self) -> slice::Iter<'_, TagError> {
        self.errors.iter()
    }
}

impl fmt::Display for TagErrors {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, error) in self.errors.iter().enumerate() {
            let separator = if index == 0 { "" } else { "\n" };
            write!(f, "{separator}{error}")?;
        }
        Ok(())
    }
}

impl Error for TagErrors {}

impl IntoIterator for TagErrors {
    type Item = TagError;
    type IntoIter = vec::IntoIter<TagError>;

    fn into_iter(self) -> Self::IntoIter {
        self.errors.into_iter()
    }
}

impl<'e> IntoIterator for &'e TagErrors {
    type Item = &'e TagError;
    type IntoIter = slice::Iter<'e, TagError>;

    fn into_iter(self) -> Self::IntoIter {
        self.errors.iter()
    }
}

crate::errors::debug_as_display!(TagErrors);
