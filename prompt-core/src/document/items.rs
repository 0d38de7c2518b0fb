//! Lists whose items are sections: nodes, and what has a title or key of its own.

use super::{
    Attribute, AttributeValue, Between, Event, Holds, Join, MAX_DEPTH, Number, Piece, Range,
    Section, SectionId, Slot, TagName, Treatment, number,
    resolve::{Context, Done, Fault, Host, Resolve},
    section,
    text::Place,
};
use crate::errors::PromptError;
use crate::node::{
    At, Content, Entry, NodeInfo, NodeRef, Output, Scope, SectionInfo, Title, Visibility,
};
use std::{borrow::Cow, collections::BTreeSet};

/// What is said of the items of a root that is a list.
static ROOT: SectionInfo = SectionInfo {
    title: Title::Fallback(Cow::Borrowed("Item")),
    ..SectionInfo::DEFAULT
};

/// The items of a list on their way.
struct Items<'a> {
    info: &'a SectionInfo,
    declared: Visibility,
    gap: Option<u8>,
    /// The title of the list, with which those of its items begin that have none.
    title: Range,
    keys: BTreeSet<String>,
    after_bullet: bool,
    /// Those that are there.
    order: Vec<SectionId>,
}

impl<'a> Resolve<'_, 'a> {
    pub(super) fn root_items(&mut self, content: Content<'a>, context: &Context) -> Done {
        let Content::List(entries) = content else {
            return Ok(());
        };
        let title = self.fixed("Item");
        let items = Self::items_of(&ROOT, Visibility::Full, title);
        let order = self.entries(
            Host::NOBODY,
            items,
            entries,
            context,
            &mut Number::default(),
        )?;
        let from = self.document.lists.events.len();
        self.items_slot(&order);
        self.document.body = Range::new(from, self.document.lists.events.len());
        Ok(())
    }

    fn items_of(info: &'a SectionInfo, declared: Visibility, title: Range) -> Items<'a> {
        Items {
            info,
            declared,
            gap: None,
            title,
            keys: BTreeSet::new(),
            after_bullet: false,
            order: Vec::new(),
        }
    }

    /// The items of the list in a section, and its body.
    pub(super) fn items(
        &mut self,
        host: Host<'_, 'a>,
        id: SectionId,
        content: Content<'a>,
        inner: &Context,
        count: &mut Number,
    ) -> Done {
        count.varies = true;
        let section = self.document.section(id);
        let (info, declared, is_item) = (section.info, section.declared, section.is_item());
        let title = match &info.title {
            Title::Explicit(_) => section.title,
            Title::Fallback(words) | Title::Untitled(words) => self.fixed(words),
        };
        let entries = match content {
            Content::List(entries) => entries,
            _ => Vec::new(),
        };
        let mut items = Self::items_of(info, declared, title);
        items.gap = inner.container_gap();
        let list = info.items.list.filter(|_| !is_item);
        let order = match list {
            Some(list) => self.scoped(host, list, items, entries, inner, count)?,
            None => self.entries(host, items, entries, inner, count)?,
        };
        if inner.is_closed {
            return Ok(());
        }
        let from = self.document.lists.events.len();
        self.intro(host, id, inner);
        self.items_slot(&order);
        self.close_body(id, from);
        Ok(())
    }

    fn items_slot(&mut self, order: &[SectionId]) {
        let from = self.document.order.len();
        self.document.order.extend_from_slice(order);
        self.document.lists.events.push(Event::Varies);
        self.document.lists.events.push(Event::Slot(Slot {
            sections: Range::new(from, self.document.order.len()),
            level: 0,
            indent: 0,
            is_rest: false,
        }));
    }

    /// Items of which templates know nothing.
    fn entries(
        &mut self,
        host: Host<'_, 'a>,
        mut items: Items<'a>,
        entries: Vec<Entry<'a>>,
        context: &Context,
        count: &mut Number,
    ) -> Done<Vec<SectionId>> {
        self.reserve_items(entries.len());
        items.order.reserve(entries.len());
        for (index, entry) in entries.into_iter().enumerate() {
            self.item(host, &mut items, index, entry, context, count)?;
        }
        Ok(items.order)
    }

    fn reserve_items(&mut self, count: usize) {
        let document = &mut self.document;
        document.sections.reserve(count);
        document.lists.events.reserve(4 * count);
        document.lists.pieces.reserve(4 * count);
        document.values.reserve(count);
    }

    /// Items that templates see: each is asked in its own scope.
    fn scoped(
        &mut self,
        host: Host<'_, 'a>,
        list: u16,
        mut items: Items<'a>,
        entries: Vec<Entry<'a>>,
        context: &Context,
        count: &mut Number,
    ) -> Done<Vec<SectionId>> {
        let mut fault: Option<Fault> = None;
        let is_text = items.info.items.text.is_some();
        let mut entries = entries.into_iter();
        let each = &mut |scope: &dyn Scope, at: At| {
            let entry = if is_text {
                Some(Entry {
                    name: None,
                    content: Content::Items { is_empty: false },
                })
            } else {
                entries.next()
            };
            let Some(entry) = entry else { return Ok(()) };
            let place = Place {
                number: list,
                at,
                around: host.place,
            };
            let host = Host {
                scope,
                place: Some(&place),
                ..host
            };
            let done = self.item(host, &mut items, at.index(), entry, context, count);
            done.map_err(|error| {
                fault = Some(error);
                std::fmt::Error
            })
        };
        let done = host.scope.each(usize::from(list), each);
        match fault {
            Some(fault) => Err(fault),
            None if done.is_err() => Err(Box::new(PromptError::FailedValue {
                path: self.document.path(context.parent),
                name: items.info.field.to_string(),
            })),
            None => Ok(items.order),
        }
    }

    fn item(
        &mut self,
        host: Host<'_, 'a>,
        items: &mut Items<'a>,
        index: usize,
        entry: Entry<'a>,
        context: &Context,
        count: &mut Number,
    ) -> Done {
        let Entry { name, content } = entry;
        if content.is_empty() {
            return Ok(());
        }
        let key = match items.info.items.key {
            Some(variable) => Cow::Owned(self.item_key(host, items, variable, context)?),
            None => place_of(index),
        };
        if context.depth >= MAX_DEPTH {
            return Err(self.too_deep(context, &key).into());
        }
        let id = self.begin_item_section(items, index, key, &content, context, count);
        items.order.push(id);
        let form = self.document.section(id).form;
        if self.asks_title(context, form) {
            self.item_words(host, items, id, name.as_deref(), &content, context);
        }
        self.inside(host, id, (content, name.as_deref()), context, count)
    }

    fn item_key(
        &self,
        host: Host<'_, 'a>,
        items: &mut Items<'a>,
        variable: u16,
        context: &Context,
    ) -> Done<String> {
        let mut key = String::new();
        let path = || self.document.path(context.parent);
        let mut output = Output::new(&mut key);
        if host
            .scope
            .value(usize::from(variable), &mut output)
            .is_err()
        {
            let error = crate::node::failed(host.info, usize::from(variable));
            return Err(Box::new(error.at(path)));
        }
        if !prompt_syntax::is_key(&key) {
            return Err(Box::new(PromptError::InvalidKey { path: path(), key }));
        }
        if !items.keys.insert(key.clone()) {
            return Err(Box::new(PromptError::DuplicateKey { path: path(), key }));
        }
        Ok(key)
    }

    /// All of an item but its words and what is in it.
    fn begin_item_section(
        &mut self,
        items: &mut Items<'a>,
        index: usize,
        key: Cow<'a, str>,
        content: &Content<'a>,
        context: &Context,
        count: &mut Number,
    ) -> SectionId {
        let info = items.info;
        let keys = &info.said;
        let is_list = section::has_rows(content, keys) && !matches!(content, Content::Items { .. });
        let (form, is_opened) = self.form(context, &key, is_list, items.declared);
        let child = content.node().map(NodeRef::info);
        let is_bare = section::holds_messages(content);
        let is_bullet = is_text(content) && keys.items.title.is_none();
        let after_bullet = std::mem::replace(&mut items.after_bullet, is_bullet);
        let are_bullets = is_bullet && after_bullet;
        let join = Join::of(info, are_bullets.then_some("\n"));
        let tag = item_tag(info, child, content, is_list);
        let markup = child.map(|child| &child.container.markup);
        let is_untitled = (info.is_untitled() || keys.items.untitled) && keys.items.title.is_none();
        let is_tagged = matches!(tag, TagName::Written(_));
        let is_numbered = !is_untitled && !is_tagged && !is_bullet && !is_bare;
        self.push(Section {
            number: count.next(is_numbered),
            item: Some(number(index)),
            holds: Holds::of(content),
            declared: items.declared,
            form,
            is_opened,
            is_list,
            tag: if is_bare { TagName::None } else { tag },
            between: match join {
                Some(join) => Between::Join(join),
                None => Between::Gap {
                    lines: items.gap,
                    is_joined: keys.items.tag.is_some(),
                },
            },
            is_tight: context.is_tight || keys.heading.tight,
            varies: true,
            may_vanish: is_list || child.is_some_and(|child| !child.sections.is_empty()),
            is_bare,
            is_inline: keys.markup.inline
                || markup.is_some_and(|markup| markup.inline)
                || is_text(content),
            is_hollow: section::is_hollow(content),
            ..Self::new_section(info, key, context)
        })
    }

    /// Title, heading form, and attributes of an item.
    fn item_words(
        &mut self,
        host: Host<'_, 'a>,
        items: &Items<'a>,
        id: SectionId,
        name: Option<&str>,
        content: &Content<'a>,
        context: &Context,
    ) {
        let info = items.info;
        let keys = &info.said;
        let treatment = Treatment {
            is_untrusted: context.treatment.is_untrusted || keys.markup.untrusted,
            ..context.treatment
        };
        let is_bullet = is_text(content) && keys.items.title.is_none();
        let (title, is_computed) = if is_bullet {
            let words = match self.document.section(id).key.clone() {
                Cow::Borrowed(key) => Piece::Words(key),
                Cow::Owned(key) => self.document.own_words(&key),
            };
            (self.on_one_line(words), true)
        } else {
            let index = self.document.section(id).item.unwrap_or_default();
            self.item_title(host, items, (index, name), content, treatment, id)
        };
        let has_heading = self.document.section(id).number.place > 0;
        self.set_title(id, (title, is_computed), has_heading);
        if !self.is_wanted(context, self.document.section(id).form) {
            return;
        }
        self.heading_form(host, id, treatment);
        let from = self.document.attributes.len();
        if self.document.section(id).tag != TagName::None {
            let is_blank = self.is_blank(title);
            self.item_attributes(items, id, name, content, (title, is_blank));
        }
        let attributes = Range::new(from, self.document.attributes.len());
        self.document.sections[id as usize].attributes = attributes;
    }

    fn item_title(
        &mut self,
        host: Host<'_, 'a>,
        items: &Items<'a>,
        (index, name): (u32, Option<&str>),
        content: &Content<'a>,
        treatment: Treatment,
        id: SectionId,
    ) -> (Range, bool) {
        if let Some(title) = &items.info.items.title {
            return self.words(host, title, treatment, Some(id));
        }
        if let Some(name) = name {
            let words = self.document.text(
                &name.replace('\n', " "),
                "title",
                treatment,
                crate::node::Hang::None,
                Some(id),
            );
            return (self.on_one_line(words), true);
        }
        if let Some(child) = content.node()
            && let Some(title) = &child.info().container.title
        {
            return self.words(Host::of(&child, 0), title, treatment, Some(id));
        }
        let from = self.document.lists.pieces.len();
        let place = match place_of(index as usize + 1) {
            Cow::Borrowed(place) => Piece::Words(place),
            Cow::Owned(place) => self.document.own_words(&place),
        };
        let pieces = &mut self.document.lists.pieces;
        pieces.extend_from_within(items.title.usize());
        pieces.extend([Piece::Words(" "), place]);
        (Range::new(from, pieces.len()), true)
    }

    /// What names an item stands in its tag.
    fn item_attributes(
        &mut self,
        items: &Items<'a>,
        id: SectionId,
        name: Option<&str>,
        content: &Content<'a>,
        (title, is_blank): (Range, bool),
    ) {
        let keys = &items.info.said.items;
        let from = self.document.attributes.len();
        if keys.title.is_some() && !is_blank {
            self.document.attributes.push(Attribute {
                name: "title",
                value: AttributeValue::Title,
            });
        }
        let child = content.node();
        let own = child.map_or(&[][..], |child| &child.info().container.markup.attributes);
        let has_name = own.iter().any(|attribute| attribute.name == "name");
        if let Some(name) = name.filter(|_| keys.title.is_none() && !has_name) {
            let start = self.document.written.len();
            self.document.written.push_str(name);
            let text = Range::new(start, self.document.written.len());
            self.document.attributes.push(Attribute {
                name: "name",
                value: AttributeValue::Text(text),
            });
        }
        if let Some(child) = child {
            self.attributes(Host::of(&child, 0), own, title, from, Some(id));
        }
    }
}

/// Whether an item is text.
fn is_text(content: &Content<'_>) -> bool {
    matches!(content, Content::Text(_) | Content::Items { .. })
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

/// The place of an item as its key. The first ones are slices of a table.
fn place_of(position: usize) -> Cow<'static, str> {
    const DIGITS: &str = "0123456789";
    let digit = DIGITS.get(position..=position);
    digit.map_or_else(|| Cow::Owned(position.to_string()), Cow::Borrowed)
}
