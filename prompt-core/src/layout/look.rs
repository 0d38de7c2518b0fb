//! How a prompt looks: what can be set of it.

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

/// How a prompt looks.
#[derive(Clone, Debug)]
pub(crate) struct Look {
    pub(crate) style: Style,
    pub(crate) base_level: u8,
    pub(crate) numbering: Numbering,
    pub(crate) overflow: HeadingOverflow,
    pub(crate) indent: usize,
    pub(crate) indent_text: bool,
    pub(crate) render_empty: bool,
    pub(crate) wording: Cow<'static, Wording>,
}

/// One for all: most prompts never ask for it.
static ENGLISH: Wording = Wording::ENGLISH;

impl Default for Look {
    fn default() -> Self {
        Self {
            style: Style::Markdown,
            base_level: 1,
            numbering: Numbering::None,
            overflow: HeadingOverflow::Clamp,
            indent: 2,
            indent_text: false,
            render_empty: false,
            wording: Cow::Borrowed(&ENGLISH),
        }
    }
}
