//! What is about to be printed: a section, or an item of a list.

use super::place::Context;
use crate::layout::{Between, OpenSection, OpenTag, Title};
use crate::node::Form;
use crate::node::{Content, NodeInfo, NodeRef, SectionInfo, SectionKeys, Text};
use std::borrow::Cow;

/// A section, or an item of a list, that is about to be printed.
pub(super) struct Unit<'a> {
    pub(super) info: &'a SectionInfo,
    pub(super) keys: &'a SectionKeys,
    pub(super) content: Content<'a>,
    /// The node that it embeds.
    pub(super) child: Option<NodeRef<'a>>,
    /// What describes that node.
    pub(super) child_info: Option<&'a NodeInfo>,
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
    /// Another place, while neither is used.
    pub(super) next: Option<Box<Self>>,
    /// What is open while it is printed.
    pub(super) open: OpenSection<'a>,
    pub(super) open_tag: Option<OpenTag<'a>>,
}

impl Default for Unit<'_> {
    fn default() -> Self {
        Self {
            info: SectionInfo::EMPTY,
            keys: &SectionKeys::DEFAULT,
            content: Content::Unit,
            child: None,
            child_info: None,
            title: Title::NONE,
            is_titled: false,
            number: None,
            is_counted: false,
            numbered_before: 0,
            tag: None,
            name: None,
            item: None,
            is_conditional: false,
            context: Context::default(),
            between: Between::Words(""),
            form: Form::Full,
            summary: None,
            is_bare: false,
            is_hidden: false,
            is_list: false,
            is_empty: false,
            next: None,
            open: OpenSection::default(),
            open_tag: None,
        }
    }
}

impl<'a> Unit<'a> {
    /// Begins with another section, or item. What is found out of it later has its default.
    pub(super) fn begin(
        &mut self,
        info: &'a SectionInfo,
        content: Content<'a>,
        context: &Context<'a>,
        form: Form,
    ) {
        self.info = info;
        self.keys = &info.said;
        self.child = content.node();
        self.child_info = self.child.map(NodeRef::info);
        self.content = content;
        self.title = Title::NONE;
        self.is_titled = false;
        self.number = None;
        self.is_counted = false;
        self.numbered_before = 0;
        self.tag = None;
        self.name = None;
        self.item = None;
        self.is_conditional = false;
        self.context = *context;
        self.form = form;
        self.summary = None;
        self.is_bare = false;
        self.is_hidden = false;
        self.is_list = false;
        self.is_empty = false;
        self.open_tag = None;
    }

    /// Whether its title says something. One that comes out empty is as good as none; that is up to the values in it.
    pub(super) fn has_title(&mut self) -> bool {
        let is_blank = self.title.is_blank();
        self.is_conditional |= is_blank && self.title.is_computed();
        !is_blank
    }

    /// Whether it embeds a node with sections.
    pub(super) fn has_sections(&self) -> bool {
        self.child_info
            .is_some_and(|info| !info.sections.is_empty())
    }

    /// Whether its content is printed, and not its short form.
    pub(super) fn is_in_full(&self) -> bool {
        self.form == Form::Full || self.summary.is_none()
    }
}
