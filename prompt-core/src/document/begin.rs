//! Sections and items of lists begin: what is known of them before what is in them is asked, their titles, headings and
//! attributes.

use super::{
    Attribute, AttributeValue, Holds, Number, Piece, Range, Section, SectionId, TagName, Treatment,
    form,
    resolve::{Asking, Context, Host, Resolve},
    section::{self, Item, Start, is_text},
    text::Env,
};
use crate::node::{
    AttributeSource, Content, Form, NodeInfo, NodeRef, Priority, SectionInfo, SectionKeys, Text,
    Title, Visibility,
};
use prompt_syntax::TagPlace;
use std::borrow::Cow;

impl<'a> Resolve<'_, 'a> {
    /// A section that is a title and fixed words: nothing is asked.
    pub(super) fn literal(
        &mut self,
        info: &'a SectionInfo,
        context: &Context,
        number: Number,
    ) -> SectionId {
        let (form, is_opened) = self.form(context, &info.key, false, Visibility::Full);
        let title = match &info.title {
            Title::Fallback(title) => self.fixed(title),
            _ => Range::default(),
        };
        self.push(Section {
            is_literal: true,
            title,
            number,
            form,
            is_opened,
            is_titled: true,
            tag: TagName::Implied(&info.key),
            ..Self::new_section(info, Cow::Borrowed(&info.key), context)
        })
    }

    /// A section or an item, with nothing in it yet.
    pub(super) fn begin(
        &mut self,
        start: Start<'a>,
        content: &Content<'a>,
        context: &Context,
    ) -> SectionId {
        let info = start.info;
        let keys: &'a SectionKeys = &info.said;
        let is_item = start.item.is_some();
        let is_empty = start.is_empty;
        let is_text_item = is_item && matches!(content, Content::Items { .. });
        let is_list = !is_text_item && section::has_rows(content, keys);
        let is_bare = matches!(content, Content::Messages(_))
            || ((is_list || is_item) && section::holds_messages(content));
        let tag = match content.node().map(NodeRef::info) {
            _ if is_bare => TagName::None,
            child if is_item => item_tag(info, child, content, is_list),
            child => section_tag(info, child),
        };
        let (form, is_opened) =
            self.form(context, &start.key, is_list || is_empty, start.visibility);
        self.push(Section {
            item: start.item,
            holds: Holds::of(content),
            declared: start.visibility,
            form,
            is_opened,
            priority: effective(context.priority, start.priority),
            own_priority: start.priority,
            is_empty,
            is_list,
            tag,
            varies: start.varies || !matches!(content, Content::Unit | Content::Node(_)),
            is_bare,
            ..Self::new_section(info, start.key, context)
        })
    }

    pub(super) fn push(&mut self, mut section: Section<'a>) -> SectionId {
        let id = self.document.len();
        section.end = id + 1;
        self.document.has_messages |= matches!(section.holds, Holds::Messages(_));
        self.document.sections.push(section);
        id
    }

    #[inline]
    fn new_section(info: &'a SectionInfo, key: Cow<'a, str>, context: &Context) -> Section<'a> {
        Section {
            parent: context.parent,
            end: 0,
            shared: context.shared,
            info,
            key,
            item: None,
            depth: context.depth + 1,
            holds: Holds::Other,
            declared: Visibility::Full,
            form: Form::Full,
            is_opened: false,
            priority: context.priority,
            own_priority: None,
            is_empty: false,
            is_list: false,
            is_literal: false,
            follows_bullet: false,
            title: Range::default(),
            is_titled: false,
            is_title_computed: false,
            tag: TagName::None,
            attributes: Range::default(),
            number: Number::default(),
            heading: None,
            body: Range::default(),
            summary: None,
            varies: false,
            is_bare: false,
        }
    }

    /// The form of a section, and whether an override shows it in full.
    #[inline]
    fn form(
        &mut self,
        context: &Context,
        key: &str,
        is_whole: bool,
        declared: Visibility,
    ) -> (Form, bool) {
        let Asking {
            overrides, focus, ..
        } = self.asking;
        if overrides.is_none() && focus.is_none() {
            let form = if is_whole {
                Form::Full
            } else {
                declared.into()
            };
            return (form, false);
        }
        self.asked_form(context, key, is_whole, declared)
    }

    /// The same where overrides or a focus may say another one.
    fn asked_form(
        &mut self,
        context: &Context,
        key: &str,
        is_whole: bool,
        declared: Visibility,
    ) -> (Form, bool) {
        let Asking {
            overrides, focus, ..
        } = self.asking;
        let mut path = std::mem::take(&mut self.path);
        path.clear();
        if let Some(parent) = context.parent {
            self.document.write_path(parent, &mut path);
            path.push('.');
        }
        path.push_str(key);
        let form = form(&path, is_whole, declared, overrides.as_slice(), focus);
        self.path = path;
        form
    }

    /// Title, heading form, and attributes, as far as they are asked.
    pub(super) fn title_and_tag(
        &mut self,
        host: Host<'_, 'a>,
        id: SectionId,
        item: Option<&Item<'_>>,
        content: &Content<'a>,
        context: &Context,
    ) {
        let section = self.document.section(id);
        let (info, form, tag) = (section.info, section.form, section.tag);
        let keys: &'a SectionKeys = &info.said;
        if !self.asks_title(context, form) {
            return;
        }
        let has_heading = if item.is_some() {
            section.number.place > 0
        } else {
            let is_tagged = matches!(tag, TagName::Written(_));
            let is_bare = section.is_bare || keys.policy.role.is_some();
            !info.is_untitled() && !is_tagged && !is_bare
        };
        let treatment = Treatment {
            is_untrusted: context.treatment.is_untrusted || keys.markup.untrusted,
            ..context.treatment
        };
        let child = content.node();
        let title = match item {
            Some(item) => self.item_title(host, id, item, content, treatment),
            None => self.section_title(host, id, child, treatment),
        };
        let (title, is_computed) = title;
        let is_blank = self.is_blank(title);
        let section = &mut self.document.sections[id as usize];
        section.title = title;
        section.is_title_computed = is_computed;
        section.varies |= is_blank && is_computed;
        section.is_titled = has_heading && !is_blank;
        if !self.is_wanted(context, form) {
            return;
        }
        if let Some(form) = &keys.heading.form {
            let heading = self.text(host, form, treatment, Some(id));
            self.document.sections[id as usize].heading = Some(heading);
        }
        if tag == TagName::None {
            return;
        }
        let from = self.document.attributes.len();
        let own = child.map_or(&[][..], |child| &child.info().container.markup.attributes);
        if let Some(item) = item {
            self.item_names(info, item, own, is_blank);
        } else if !keys.markup.attributes.is_empty() {
            self.attributes(host, &keys.markup.attributes, title, from, Some(id));
        }
        if let Some(child) = child.filter(|_| !own.is_empty()) {
            self.attributes(Host::of(&child, 0), own, title, from, Some(id));
        }
        let attributes = Range::new(from, self.document.attributes.len());
        self.document.sections[id as usize].attributes = attributes;
    }

    /// Whether the title of a section is asked, for itself or for the numbers behind it.
    pub(super) fn asks_title(&self, context: &Context, form: Form) -> bool {
        context.is_counted || self.is_wanted(context, form)
    }

    /// Whether the texts of a section are wanted at all.
    fn is_wanted(&self, context: &Context, form: Form) -> bool {
        self.asking.is_whole || (!context.is_closed && form != Form::Gone)
    }

    /// Whether a title prints nothing: mostly its first letter tells.
    fn is_blank(&self, title: Range) -> bool {
        let pieces = &self.document.lists.pieces[title.usize()];
        let has_letter = |words: &str| {
            words
                .bytes()
                .next()
                .is_some_and(|byte| byte.is_ascii_graphic())
        };
        match pieces {
            [Piece::Words(words), ..] if has_letter(words) => false,
            pieces => self.document.is_blank(pieces),
        }
    }

    fn section_title(
        &mut self,
        host: Host<'_, 'a>,
        id: SectionId,
        child: Option<NodeRef<'a>>,
        treatment: Treatment,
    ) -> (Range, bool) {
        let info = self.document.section(id).info;
        if let Title::Explicit(title) = &info.title {
            return self.words(host, title, treatment, Some(id));
        }
        if let Some(child) = child
            && let Some(title) = &child.info().container.title
        {
            return self.words(Host::of(&child, 0), title, treatment, Some(id));
        }
        match &info.title {
            Title::Fallback(words) | Title::Untitled(words) => (self.fixed(words), false),
            Title::Explicit(_) => (Range::default(), false),
        }
    }

    pub(super) fn fixed(&mut self, words: &'a str) -> Range {
        let at = self.document.lists.pieces.len();
        self.document.lists.pieces.push(Piece::Words(words));
        Range::new(at, at + 1)
    }

    /// The attributes of a tag that are there; none stands twice.
    pub(super) fn attributes(
        &mut self,
        host: Host<'_, 'a>,
        attributes: &'a [crate::node::Attribute],
        title: Range,
        from: usize,
        at: Option<SectionId>,
    ) {
        // Its own names are different ones.
        let before = from..self.document.attributes.len();
        for attribute in attributes {
            let name: &'a str = &attribute.name;
            let mut known = self.document.attributes[before.clone()].iter();
            if known.any(|known| known.name == name) {
                continue;
            }
            let value = match &attribute.value {
                AttributeSource::Title => (!self.is_blank(title)).then_some(AttributeValue::Title),
                source => self.computed_attribute(host, source, at),
            };
            let value = value.map(|value| Attribute { name, value });
            self.document.attributes.extend(value);
        }
    }

    /// An attribute that values say: one that prints nothing is left out.
    fn computed_attribute(
        &mut self,
        host: Host<'_, 'a>,
        source: &'a AttributeSource,
        at: Option<SectionId>,
    ) -> Option<AttributeValue> {
        let text = match source {
            AttributeSource::Text(text) => text,
            _ => &Text::EMPTY,
        };
        let env = Env {
            owner: at,
            ..host.env(text, Treatment::default(), at)
        };
        let document = &mut self.document;
        let words = if let AttributeSource::Variable(index) = source {
            let from = document.lists.pieces.len();
            let piece = document.ask_value(&env, *index, ("", TagPlace::Outside), false);
            document.lists.pieces.extend(piece);
            Range::new(from, document.lists.pieces.len())
        } else {
            document.read_pieces(&env, &text.elements)
        };
        let from = document.written.len();
        for piece in &document.lists.pieces[words.usize()] {
            match *piece {
                Piece::Words(words) => document.written.push_str(words),
                Piece::Value { text, .. } => document.written.extend_from_within(text.usize()),
                Piece::Failed(fault) => return Some(AttributeValue::Failed(fault)),
                _ => {}
            }
        }
        let text = Range::new(from, document.written.len());
        (!text.is_empty()).then_some(AttributeValue::Text(text))
    }
}

/// The tag around a section: the section's, or that of its type; in XML its key.
fn section_tag<'a>(info: &'a SectionInfo, child: Option<&'a NodeInfo>) -> TagName<'a> {
    let own = child.and_then(|child| child.container.markup.tag.as_ref());
    match info.markup.tag.as_ref().or(own) {
        Some(tag) => TagName::Written(tag),
        None if !info.is_untitled() && info.policy.role.is_none() => TagName::Implied(&info.key),
        None => TagName::None,
    }
}

/// The tag around an item: the one that the list or its type gives, in XML `item` where it is named.
fn item_tag<'a>(
    info: &'a SectionInfo,
    child: Option<&'a NodeInfo>,
    content: &Content<'_>,
    is_list: bool,
) -> TagName<'a> {
    let container = child.map(|child| &child.container);
    let own = container.and_then(|container| container.markup.tag.as_ref());
    if let Some(tag) = info.items.tag.as_ref().or(own) {
        return TagName::Written(tag);
    }
    let is_named = info.items.title.is_some() || (!info.is_untitled() && !is_text(content));
    match container.and_then(|container| container.item_tag.as_deref()) {
        _ if !is_named => TagName::None,
        Some(tag) => TagName::Implied(tag),
        None if is_list => TagName::Implied("group"),
        None => TagName::Implied("item"),
    }
}

fn effective(parent: Option<i32>, own: Option<Priority>) -> Option<i32> {
    match (parent, own) {
        (parent, None | Some(Priority::Required)) => parent,
        (None, Some(Priority::Level(own))) => Some(own),
        (Some(parent), Some(Priority::Level(own))) => Some(own.min(parent)),
    }
}
