//! Lists whose items are sections: nodes, and what has a title or key of its own.

use super::{
    Attribute, AttributeValue, Event, MAX_DEPTH, Number, Piece, Range, SectionId, Slot, TagName,
    Treatment, number,
    resolve::{Context, Done, Fault, Host, Resolve},
    section::{Item, Start, is_text},
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
        let items = Self::items_of(info, declared, title);
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
        self.reserve_items(&entries);
        items.order.reserve(entries.len());
        for (index, entry) in entries.into_iter().enumerate() {
            self.item(host, &mut items, index, entry, context, count)?;
        }
        Ok(items.order)
    }

    /// Room for items that are like the first node among them, if they are many.
    fn reserve_items(&mut self, entries: &[Entry<'a>]) {
        let (count, document) = (entries.len(), &mut self.document);
        if count < 8 {
            return;
        }
        let node = entries.iter().find_map(|entry| entry.content.node());
        let info = node.map_or(NodeInfo::EMPTY, NodeRef::info);
        let (sections, values) = (info.sections.len() + 1, info.variables.len() + 1);
        document.sections.reserve(count * sections);
        document.lists.events.reserve(4 * count * sections);
        document
            .lists
            .pieces
            .reserve(4 * count * (sections + values));
        document.values.reserve(count * (sections + values));
        document.written.reserve(16 * count * values);
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
        self.reserve_items(&entries);
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
        let info = items.info;
        let start = Start {
            info,
            key,
            item: Some(number(index)),
            visibility: items.declared,
            priority: None,
            is_empty: false,
            varies: true,
        };
        let id = self.begin(start, &content, context);
        items.order.push(id);
        let is_bullet = is_text(&content) && info.items.title.is_none();
        let is_untitled = (info.is_untitled() || info.items.untitled) && info.items.title.is_none();
        let section = &mut self.document.sections[id as usize];
        section.follows_bullet = is_bullet && items.after_bullet;
        items.after_bullet = is_bullet;
        let is_tagged = matches!(section.tag, TagName::Written(_));
        section.number = count.next(!is_untitled && !is_tagged && !is_bullet && !section.is_bare);
        let item = Item {
            index,
            name: name.as_deref(),
            list_title: items.title,
        };
        self.title_and_tag(host, id, Some(&item), &content, context);
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

    pub(super) fn item_title(
        &mut self,
        host: Host<'_, 'a>,
        id: SectionId,
        item: &Item<'_>,
        content: &Content<'a>,
        treatment: Treatment,
    ) -> (Range, bool) {
        let section = self.document.section(id);
        if let Some(title) = &section.info.items.title {
            return self.words(host, title, treatment, Some(id));
        }
        if is_text(content) {
            let key = section.key.clone();
            let words = self.place(key);
            return (self.on_one_line(words), true);
        }
        if let Some(name) = item.name {
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
        let place = self.place(place_of(item.index + 1));
        let pieces = &mut self.document.lists.pieces;
        pieces.extend_from_within(item.list_title.usize());
        pieces.extend([Piece::Words(" "), place]);
        (Range::new(from, pieces.len()), true)
    }

    fn place(&mut self, place: Cow<'a, str>) -> Piece<'a> {
        match place {
            Cow::Borrowed(place) => Piece::Words(place),
            Cow::Owned(place) => self.document.own_words(&place),
        }
    }

    /// What names an item stands in its tag, before the attributes of its type.
    pub(super) fn item_names(
        &mut self,
        info: &SectionInfo,
        item: &Item<'_>,
        own: &[crate::node::Attribute],
        is_title_blank: bool,
    ) {
        let has_title = info.items.title.is_some();
        if has_title && !is_title_blank {
            self.document.attributes.push(Attribute {
                name: "title",
                value: AttributeValue::Title,
            });
        }
        let has_name = has_title || own.iter().any(|attribute| attribute.name == "name");
        if let Some(name) = item.name.filter(|_| !has_name) {
            let start = self.document.written.len();
            self.document.written.push_str(name);
            let text = Range::new(start, self.document.written.len());
            self.document.attributes.push(Attribute {
                name: "name",
                value: AttributeValue::Text(text),
            });
        }
    }
}

/// The place of an item as its key. The first hundred are slices of a table.
fn place_of(position: usize) -> Cow<'static, str> {
    const PLACES: &str = "0123456789\
        101112131415161718192021222324252627282930313233343536373839404142434445464748495051525354\
        555657585960616263646566676869707172737475767778798081828384858687888990919293949596979899";
    let place = match position {
        0..10 => position..position + 1,
        _ => 2 * position - 10..2 * position - 8,
    };
    match PLACES.get(place) {
        Some(place) => Cow::Borrowed(place),
        None => Cow::Owned(position.to_string()),
    }
}
