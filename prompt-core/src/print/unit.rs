//! What is about to be printed: a section, or an item of a list.

use super::place::Context;
use crate::layout::{Between, OpenSection, OpenTag, Title};
use crate::node::Form;
use crate::node::{Content, NodeRef, SectionInfo, Text};
use std::borrow::Cow;

/// A section, or an item of a list, that is about to be printed.
pub(super) struct Unit<'a> {
    pub(super) info: &'a SectionInfo,
    pub(super) content: Content<'a>,
    /// The node that it embeds.
    pub(super) child: Option<NodeRef<'a>>,
    pub(super) title: Title<'a>,
    pub(super) is_titled: bool,
    /// Its number among those of its node; nothing where it has none.
    pub(super) number: Option<u32>,
    /// Whether it is counted where it stands instead: an item, or in a section without a heading.
    pub(super) is_counted: bool,
    /// So many numbers of the node's declaration are before what it holds, where that is counted.
    pub(super) numbered_before: u32,
    pub(super) tag: Option<&'a str>,
    /// Its name in a map, as an attribute of its tag.
    pub(super) name: Option<Cow<'a, str>>,
    /// Number of the item, if it is one.
    pub(super) item: Option<usize>,
    /// Whether a value decided that it is there, or what it is.
    pub(super) is_conditional: bool,
    pub(super) context: Context<'a>,
    pub(super) between: Between<'a>,
    pub(super) form: Form,
    pub(super) summary: Option<&'a Text>,
    /// Whether it prints no heading because all it holds are messages.
    pub(super) is_bare: bool,
    /// Whether nothing of it is printed.
    pub(super) is_hidden: bool,
    /// Whether its items have rows of their own.
    pub(super) is_list: bool,
    /// Whether it prints its `empty` text.
    pub(super) is_empty: bool,
    /// What is open while it is printed.
    pub(super) open: Option<(OpenSection<'a>, Option<OpenTag<'a>>)>,
}

impl<'a> Unit<'a> {
    pub(super) fn new(info: &'a SectionInfo, context: &Context<'a>, form: Form) -> Self {
        Self {
            info,
            content: Content::Unit,
            child: None,
            title: Title::NONE,
            is_titled: false,
            number: None,
            is_counted: false,
            numbered_before: 0,
            tag: None,
            name: None,
            item: None,
            is_conditional: false,
            context: *context,
            between: Between::Words(""),
            form,
            summary: None,
            is_bare: false,
            is_hidden: false,
            is_list: false,
            is_empty: false,
            open: None,
        }
    }

    /// Whether its title says something. One that comes out empty is as good as none; that is up to the values in it.
    pub(super) fn has_title(&mut self) -> bool {
        let is_blank = self.title.is_blank();
        self.is_conditional |= is_blank && self.title.is_computed();
        !is_blank
    }

    /// Whether its content is printed, and not its short form.
    pub(super) fn is_in_full(&self) -> bool {
        self.form == Form::Full || self.summary.is_none()
    }
}
