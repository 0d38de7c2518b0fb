//! A section of a document: what is known of it, and where what it prints stands in the lists.

use super::{Range, SectionId, text::below};
use crate::messages::message::Message;
use crate::node::{
    Container, Content, Form, Items, Markdown, NodeInfo, NodeRef, Policy, Priority, SectionInfo,
    SectionKeys, Visibility, has_words,
};
use prompt_syntax::Text;
use std::borrow::Cow;

/// A section that is there, or an item of a list that has a path of its own: what was asked. What was declared is read where
/// it is declared.
pub(crate) struct Section<'a> {
    pub(crate) parent: Option<SectionId>,
    /// One past the last section inside it.
    pub(crate) end: SectionId,
    /// The number of what its node says of all its sections.
    pub(super) shared: u32,
    /// Of an item, that of its list.
    pub(crate) info: &'a SectionInfo,
    pub(crate) key: Cow<'a, str>,
    /// The place of an item in its list.
    pub(crate) item: Option<u32>,
    /// From 1.
    pub(crate) depth: u32,
    pub(crate) holds: Holds<'a>,
    pub(crate) declared: Visibility,
    /// As declared, or as overrides and focus say.
    pub(crate) form: Form,
    /// Whether an override shows it in full.
    pub(crate) is_opened: bool,
    /// The lowest on the way to it.
    pub(crate) priority: Option<i32>,
    pub(crate) own_priority: Option<Priority>,
    pub(crate) is_empty: bool,
    /// Whether it is a list whose items are sections.
    pub(crate) is_list: bool,
    /// A title and fixed words, and nothing else.
    pub(crate) is_literal: bool,
    /// Whether it is a text behind another one, in a list whose items are texts and nodes.
    pub(super) follows_bullet: bool,
    pub(crate) title: Range,
    /// Whether it has a heading in Markdown, where it has no tag.
    pub(crate) is_titled: bool,
    pub(crate) is_title_computed: bool,
    pub(crate) tag: TagName<'a>,
    /// What `attr` says, behind what names an item.
    pub(crate) attributes: Range,
    pub(crate) number: Number,
    /// Another form of its heading.
    pub(super) heading: Option<Range>,
    /// Introduction and content.
    pub(crate) body: Range,
    /// The short form, without the suffix.
    pub(crate) summary: Option<Range>,
    /// Whether its presence depends on a value.
    pub(crate) varies: bool,
    /// Whether it prints nothing but messages.
    pub(crate) is_bare: bool,
}

/// What a node says of its sections.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Shared {
    /// Another form of their headings.
    pub(crate) heading: Option<Range>,
    /// Another wording of the suffix of short forms.
    pub(crate) suffix: Option<Range>,
    /// Whether headings are numbered, if a node says so.
    pub(crate) numbered: Option<bool>,
    pub(super) is_tight: bool,
    /// The blank lines between them.
    pub(super) gap: Option<u8>,
    /// The first level of its text.
    pub(super) base: u8,
}

impl Shared {
    /// Nothing is said.
    pub(super) const USUAL: Self = Self {
        heading: None,
        suffix: None,
        numbered: None,
        is_tight: false,
        gap: None,
        base: 1,
    };
}

/// A section as its node hands it out, or an item as its list does, without what is in it.
pub(super) struct Start<'a> {
    /// Of an item, that of its list.
    pub(super) info: &'a SectionInfo,
    pub(super) key: Cow<'a, str>,
    /// The place of an item.
    pub(super) item: Option<u32>,
    pub(super) visibility: Visibility,
    pub(super) priority: Option<Priority>,
    pub(super) is_empty: bool,
    /// Whether a value decided that it is there, or its form.
    pub(super) varies: bool,
}

/// What its list says of an item.
pub(super) struct Item<'n> {
    pub(super) index: usize,
    pub(super) name: Option<&'n str>,
    /// The title of the list.
    pub(super) list_title: Range,
}

/// The place of a section among those below the same heading that are declared with one; 0 for none.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Number {
    pub(crate) place: u32,
    /// The place before the node that begins to number headings, where those around it have no numbers.
    pub(super) since: u32,
    /// Whether it would be another with other values.
    pub(crate) varies: bool,
}

impl Number {
    /// What is printed, in a tree whose headings are all numbered or not.
    pub(crate) fn printed(self, are_all: bool) -> u32 {
        if are_all {
            self.place
        } else {
            self.place - self.since
        }
    }

    /// That of the next section.
    pub(super) fn next(&mut self, is_numbered: bool) -> Self {
        if !is_numbered {
            return Self::default();
        }
        self.place += 1;
        *self
    }
}

/// What is in a section.
#[derive(Clone, Copy)]
pub(crate) enum Holds<'a> {
    Node(NodeRef<'a>),
    Messages(&'a [Message]),
    Markdown(&'a Markdown),
    /// Only the introduction.
    Unit,
    /// Text, or a list that prints as one.
    Text,
    Other,
}

impl<'a> Holds<'a> {
    #[inline]
    pub(crate) fn of(content: &Content<'a>) -> Self {
        match content {
            Content::Node(node) => Self::Node(*node),
            Content::Messages(messages) => Self::Messages(messages),
            Content::Markdown(markdown) => Self::Markdown(markdown),
            Content::Unit => Self::Unit,
            Content::Text(_) | Content::Items { .. } => Self::Text,
            _ => Self::Other,
        }
    }
}

/// The tag around a section.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum TagName<'a> {
    /// In no style.
    None,
    /// In XML.
    Implied(&'a str),
    /// In every style.
    Written(&'a str),
}

/// What stands before a section that follows another one.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Between<'a> {
    /// So many blank lines, or the usual ones; inside tags those between tags are none.
    Gap {
        lines: Option<u8>,
        is_joined: bool,
    },
    Join(Join<'a>),
}

/// What stands between the items of a list, and before the last one that prints something.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Join<'a> {
    pub(crate) words: &'a str,
    pub(crate) last: &'a str,
}

impl<'a> Join<'a> {
    /// What a list of texts says.
    pub(crate) fn of_texts(info: &'a SectionInfo) -> Self {
        let usual = Self {
            words: "\n",
            last: "\n",
        };
        Self::of(&info.items, None).unwrap_or(usual)
    }

    /// What a list says, or these words.
    fn of(items: &'a Items, otherwise: Option<&'a str>) -> Option<Self> {
        let words = items.join.as_deref().or(otherwise)?;
        let last = items.last.as_deref().unwrap_or(words);
        Some(Self { words, last })
    }

    pub(crate) fn has_break(self) -> bool {
        self.words.contains('\n') || self.last.contains('\n')
    }

    pub(crate) fn before(self, is_last: bool) -> &'a str {
        if is_last { self.last } else { self.words }
    }
}

impl<'a> Section<'a> {
    pub(crate) fn is_item(&self) -> bool {
        self.item.is_some()
    }

    /// The node in it.
    pub(crate) fn node(&self) -> Option<NodeRef<'a>> {
        match self.holds {
            Holds::Node(node) => Some(node),
            _ => None,
        }
    }

    pub(crate) fn child(&self) -> Option<&'a NodeInfo> {
        self.node().map(NodeRef::info)
    }

    pub(crate) fn messages(&self) -> Option<&'a [Message]> {
        match self.holds {
            Holds::Messages(messages) => Some(messages),
            _ => None,
        }
    }

    pub(crate) fn markdown(&self) -> Option<&'a Markdown> {
        match self.holds {
            Holds::Markdown(markdown) => Some(markdown),
            _ => None,
        }
    }

    /// The text of its short form.
    pub(crate) fn short_text(&self) -> Option<&'a Text> {
        let own = self.info.summary.as_ref();
        own.or_else(|| self.child()?.container.summary.as_ref())
    }

    pub(crate) fn is_openable(&self) -> bool {
        !self.is_whole() && self.short_text().is_some()
    }

    /// Whether it has no short form, whatever is said: a list, or what is empty.
    pub(crate) fn is_whole(&self) -> bool {
        self.is_list || self.is_empty
    }

    pub(crate) fn policy(&self) -> Policy {
        if self.is_item() {
            Policy::DEFAULT
        } else {
            self.info.policy
        }
    }

    /// Whether it has no words of its own: it is there for what is in it.
    pub(crate) fn is_wrapper(&self) -> bool {
        let has_intro = !self.is_item() && has_words(&self.info.intro);
        let is_empty = |child: &NodeInfo| {
            let Container { start, end, .. } = &child.container;
            !has_words(&child.text) && start.is_empty() && end.is_empty()
        };
        self.is_list || !has_intro && self.child().is_some_and(is_empty)
    }
}

impl Section<'_> {
    /// Whether it is shown in full: it is not closed, or has no short form.
    pub(crate) fn is_in_full(&self) -> bool {
        self.form == Form::Full
    }

    /// Whether it goes where its body prints nothing.
    pub(crate) fn may_vanish(&self) -> bool {
        let holds_sections = |child: &NodeInfo| !child.sections.is_empty();
        !self.is_empty && (self.is_list || self.child().is_some_and(holds_sections))
    }

    /// Whether a tag around it stands on one line with what is in it, if that is one.
    pub(crate) fn is_inline(&self) -> bool {
        self.info.markup.inline
            || (self.is_item() && matches!(self.holds, Holds::Text))
            || self
                .child()
                .is_some_and(|child| child.container.markup.inline)
    }

    /// Whether a tag around it ends itself: nobody wrote anything into it.
    pub(crate) fn is_hollow(&self) -> bool {
        let has_intro = !self.is_item() && !self.info.intro.is_empty();
        !has_intro
            && match self.holds {
                Holds::Unit => true,
                Holds::Node(node) => {
                    let info = node.info();
                    info.text.is_empty() && info.sections.is_empty()
                }
                _ => false,
            }
    }

    /// Whether no blank line stands below its heading.
    pub(crate) fn is_tight(&self, shared: &Shared) -> bool {
        shared.is_tight || self.info.heading.tight
    }

    /// Its own level, relative to the first one of the text around it.
    #[inline]
    pub(crate) fn level(&self, shared: &Shared) -> Option<i8> {
        let level = self.info.heading.level.filter(|_| !self.is_item());
        level.map(|level| below(level, shared.base))
    }

    /// Another form of its heading: its own, or that of its node.
    pub(crate) fn heading(&self, shared: &Shared) -> Option<Range> {
        self.heading.or(shared.heading)
    }
}

impl<'a> Section<'a> {
    /// What stands before it, if it follows another one.
    pub(crate) fn between(&self, shared: &Shared) -> Between<'a> {
        let keys: &'a SectionKeys = &self.info.said;
        let mut gap = keys.heading.gap;
        if self.is_item() {
            let otherwise = self.follows_bullet.then_some("\n");
            if let Some(join) = Join::of(&keys.items, otherwise) {
                return Between::Join(join);
            }
            gap = None;
        }
        Between::Gap {
            lines: gap.or(shared.gap),
            is_joined: keys.items.tag.is_some(),
        }
    }
}

/// Whether an item is text.
pub(super) fn is_text(content: &Content<'_>) -> bool {
    matches!(content, Content::Text(_) | Content::Items { .. })
}

/// Whether the items of a list are sections of their own: nodes, or with titles or keys.
#[inline]
pub(super) fn has_rows(content: &Content<'_>, keys: &SectionKeys) -> bool {
    let is_named = || keys.items.key.is_some() || keys.items.title.is_some();
    match content {
        Content::List(_) => content.is_node_list() || (is_named() && !content.is_empty()),
        Content::Items { is_empty } => is_named() && !is_empty,
        _ => false,
    }
}

/// Whether all that is in a section is messages.
pub(super) fn holds_messages(content: &Content<'_>) -> bool {
    match content {
        Content::List(entries) => {
            let mut there = entries.iter().filter(|entry| !entry.content.is_empty());
            there.clone().next().is_some() && there.all(|entry| holds_messages(&entry.content))
        }
        Content::Node(node) => are_turns(node.info()),
        Content::Messages(_) => true,
        _ => false,
    }
}

fn are_turns(info: &NodeInfo) -> bool {
    let container = &info.container;
    let is_turn = |info: &SectionInfo| info.policy.role.is_some() || info.policy.messages;
    !has_words(&info.text)
        && container.start.is_empty()
        && container.end.is_empty()
        && !info.sections.is_empty()
        && info.sections.iter().all(is_turn)
}
