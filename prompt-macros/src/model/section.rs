//! A section: a field that is embedded.

use super::{form::Text, kind};
use crate::input::{Field, section::SectionKeys, value::Visibility};
use prompt_syntax::info::{SectionInfo, Title};

/// A field that is embedded.
pub(crate) struct Section<'a> {
    pub(crate) field: &'a Field,
    pub(crate) keys: &'a SectionKeys,
    pub(crate) info: SectionInfo,
    /// The level of its heading, as the node's text is written.
    pub(crate) stands_at: u8,
    pub(crate) content: Content,
    /// Whether it is of the type that is being derived, whose depth is not known then.
    pub(crate) is_recursive: bool,
}

/// What a section hands out.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Content {
    /// The field, as a node.
    Node,
    /// A list whose items print by a template.
    Items,
    /// A history.
    Messages,
}

impl Section<'_> {
    /// Whether it is always shown by the short form of its type.
    pub(crate) fn leaves_summary(&self) -> bool {
        let is_summarised = matches!(self.keys.visibility, Some(Visibility::Summary(_)));
        is_summarised && self.info.summary.is_none()
    }

    /// Whether the depth of its type matters and may be known.
    pub(crate) fn has_open_depth(&self) -> bool {
        let embedded = self.content == Content::Node && self.info.policy.role.is_none();
        embedded && !self.is_recursive && kind::may_have_depth(&self.field.ty)
    }

    /// Whether a heading stands above it: a tag takes its place.
    pub(crate) fn has_heading(&self) -> bool {
        !matches!(self.info.title, Title::Untitled(_)) && self.info.markup.tag.is_none()
    }

    /// The level above its content: that of the heading, or one less where there is none.
    pub(crate) fn content_below(&self) -> u8 {
        let missing = u8::from(!self.has_heading());
        self.stands_at.saturating_sub(missing)
    }

    /// The deepest level of its heading and introduction.
    pub(crate) fn reached(&self) -> u8 {
        let intro = &self.info.intro;
        let titles = (Text(intro.clone()).deepest() + 1).saturating_sub(intro.base);
        if self.info.policy.role.is_some() {
            titles
        } else {
            self.content_below() + titles
        }
    }
}
