//! The format of a text: style, levels, numbers, indentation, wording.

use super::wording::Wording;
use serde::{Deserialize, Serialize};
use std::borrow::Cow;

/// How sections are set off.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum Style {
    /// Headings; tags only where a section says so.
    #[default]
    Markdown,
    /// Every section is a tag.
    Xml,
}

/// Numbers before generated headings.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum Numbering {
    /// None.
    #[default]
    None,
    /// `## 1. Task`, `### 1.1. Sub`. Fixed by declaration: a hidden section leaves a gap.
    Decimal,
}

/// What happens to a heading past level 6.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum HeadingOverflow {
    /// It stays at level 6.
    #[default]
    Clamp,
    /// Rendering fails with [`PromptError::HeadingLevel`](crate::PromptError::HeadingLevel).
    Error,
}

/// What can be set of a text.
#[derive(Clone, Debug)]
pub(crate) struct Format {
    pub(crate) style: Style,
    pub(crate) base_level: u8,
    pub(crate) numbering: Numbering,
    pub(crate) overflow: HeadingOverflow,
    pub(crate) indent: usize,
    pub(crate) wording: Cow<'static, Wording>,
}

/// One for all: most prompts never ask for it.
static ENGLISH: Wording = Wording::ENGLISH;

impl Default for Format {
    fn default() -> Self {
        Self {
            style: Style::Markdown,
            base_level: 1,
            numbering: Numbering::None,
            overflow: HeadingOverflow::Clamp,
            indent: 2,
            wording: Cow::Borrowed(&ENGLISH),
        }
    }
}
