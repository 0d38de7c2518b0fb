//! Lists: items with rows of their own, and lists of texts.

use super::{
    frame::Frame,
    place::{Context, Done, Fault, NoNode, Place, failed, path},
    reading::{Host, source},
    section::{between, has_rows, holds_messages},
    template::ItemScope,
    unit::Unit,
    walk::Walk,
};
use crate::errors::PromptError;
use crate::layout::{Between, Style, Title, Treatment, Words};
use crate::node::{Content, Entry, NodeInfo, NodeRef, Output, SectionInfo, Title as Named};
use crate::node::{Form, Visibility};
use crate::print::rows::{Row, RowContent, Step, number};
use std::{borrow::Cow, collections::BTreeSet};

/// Describes the items of a root that is a list.
static ROOT: SectionInfo = SectionInfo {
    title: Named::Fallback(Cow::Borrowed("Item")),
    ..SectionInfo::DEFAULT
};

/// A list while its items are visited.
struct Items<'a> {
    info: &'a SectionInfo,
    context: Context<'a>,
    declared: Visibility,
    gap: Option<u8>,
    /// Its title, once an item asked for it.
    title: Option<Title<'a>>,
    keys: BTreeSet<String>,
    after_bullet: bool,
    /// The last one that prints something.
    last: Option<usize>,
    /// Where the run of items began.
    from: usize,
}

fn is_there(entry: &Entry<'_>) -> bool {
    !entry.content.is_empty()
}

impl<'a> Walk<'_, '_, 'a> {
    /// The items of a root that is a list.
    pub(super) fn root_items(&mut self, entries: Vec<Entry<'a>>, context: &Context<'a>) -> Done {
        self.items(None, None, &ROOT, context, entries)
    }

    /// The items of a list: of a section, or of the root.
    pub(super) fn items(
        &mut self,
        frame: Option<&mut Frame<'_, 'a>>,
        place: Option<&Place<'_>>,
        info: &'a SectionInfo,
        context: &Context<'a>,
        entries: Vec<Entry<'a>>,
    ) -> Done {
        if let Some(frame) = frame {
            return self.items_of(frame, place, info, context, entries);
        }
        let mut nobody = Box::new(Frame::new(NodeRef::new(&NoNode), None, context));
        self.items_of(&mut nobody, place, info, context, entries)
    }

    fn items_of(
        &mut self,
        frame: &mut Frame<'_, 'a>,
        place: Option<&Place<'_>>,
        info: &'a SectionInfo,
        context: &Context<'a>,
        entries: Vec<Entry<'a>>,
    ) -> Done {
        let mut items = Items {
            info,
            context: *context,
            declared: place.map_or(Visibility::Full, |place| place.declared),
            gap: frame.info.container.heading.gap,
            title: None,
            keys: BTreeSet::new(),
            after_bullet: false,
            last: entries.iter().rposition(is_there),
            from: self.page.len(),
        };
        let Some(list) = info.items.list else {
            for (index, entry) in entries.into_iter().enumerate() {
                if is_there(&entry) {
                    self.item(frame, place, &mut items, (index, None), entry)?;
                }
            }
            return Ok(());
        };
        let (node, mut fault) = (frame.node, None);
        let mut entries = entries.into_iter();
        let each = node.scope().each(list.into(), &mut |scope, at| {
            let Some(entry) = entries.next().filter(is_there) else {
                return Ok(());
            };
            let done = self.item(frame, place, &mut items, (at.index(), Some(scope)), entry);
            done.map_err(|error| {
                fault = Some(error);
                std::fmt::Error
            })
        });
        match fault {
            Some(fault) => Err(fault),
            None => each.map_err(|_| failed(&info.field, place).into()),
        }
    }

    fn item(
        &mut self,
        frame: &mut Frame<'_, 'a>,
        around: Option<&Place<'_>>,
        items: &mut Items<'a>,
        (index, scope): (usize, ItemScope<'_>),
        entry: Entry<'a>,
    ) -> Done {
        let key = match Self::item_key(frame, around, items, scope)? {
            Some(own) => Cow::Owned(own),
            None => number(index),
        };
        let mut place = Place::new(around, &key);
        let at = (index, &key, scope);
        if let Some(mut unit) = self.visit_item(frame, &mut place, items, at, entry)? {
            self.unit(frame, &place, &mut unit, items.from, scope)?;
            self.leave(&place);
            self.put_back(unit);
        }
        Ok(())
    }

    fn visit_item(
        &mut self,
        frame: &mut Frame<'_, 'a>,
        place: &mut Place<'_>,
        items: &mut Items<'a>,
        (index, key, scope): (usize, &Cow<'static, str>, ItemScope<'_>),
        entry: Entry<'a>,
    ) -> Result<Option<Box<Unit<'a>>>, Fault> {
        let info = items.info;
        let Entry { name, content } = entry;
        Self::check_depth(place)?;
        self.depends_if_reduced();
        place.declared = items.declared;
        let is_list = has_rows(&content, &info.said);
        let child = content.node();
        let parent = place.around.and_then(|around| around.row);
        let form = if let Some(again) = &self.again {
            let Some(row) = again.row(parent, index) else {
                return Ok(None);
            };
            let form = again.form(row);
            self.find_again(row);
            place.row = Some(row);
            form
        } else {
            let (form, is_opened) = self.form(place, is_list);
            if self.notes {
                let row = self.rows.push(Row {
                    step: Step::Item(u32::try_from(index).unwrap_or(u32::MAX)),
                    key: key.clone(),
                    content: RowContent::of(&content),
                    declared: items.declared,
                    form,
                    is_opened,
                    priority: place.priority,
                    is_list,
                    ..Row::new(parent, info, index, place.depth)
                });
                place.row = Some(row);
                if let Some(child) = child {
                    self.tools(child, None, Some(row));
                }
            }
            form
        };
        let mut unit = self.take_unit();
        unit.begin(info, content, &items.context, form);
        unit.name = name;
        unit.item = Some(index);
        unit.is_conditional = true;
        unit.is_list = is_list;
        self.find_summary(place, &mut unit)?;
        self.resolve_item(frame, place, items, &mut unit, (index, scope))?;
        Ok(Some(unit))
    }

    /// What stands around an item: its title, tag and number.
    fn resolve_item(
        &mut self,
        frame: &mut Frame<'_, 'a>,
        place: &Place<'_>,
        items: &mut Items<'a>,
        unit: &mut Unit<'a>,
        (index, scope): (usize, ItemScope<'_>),
    ) -> Done {
        let info = items.info;
        let of_items = &unit.keys.items;
        let is_bullet = unit.content.is_text() && of_items.title.is_none();
        unit.is_hidden = self.hidden > 0 || unit.form == Form::Gone;
        if !unit.is_hidden || self.titles.is_some() {
            let title = if is_bullet {
                Ok(Title::Words(Words::fixed(place.key.to_owned())))
            } else {
                let name = unit.name.as_deref();
                self.item_title(frame, place, items, (index, scope), (name, &unit.content))
            };
            if let Some(titles) = &mut self.titles {
                let title = title.as_ref().map(Title::to_words);
                titles.push(title.map_err(|error| (**error).clone()));
            }
            if !unit.is_hidden {
                unit.title = title?;
            }
        }
        if unit.is_hidden {
            if self.hidden == 0 {
                self.page.depends();
            }
            return Ok(());
        }
        let child = unit.child_info;
        unit.is_bare = (unit.is_list || unit.form == Form::Full) && holds_messages(&unit.content);
        let style = self.page.style();
        let tag = item_tag(info, child, &unit.content, unit.is_list, style);
        unit.tag = tag.filter(|_| !unit.is_bare);
        let is_untitled = (info.is_untitled() || of_items.untitled) && of_items.title.is_none();
        unit.is_titled =
            unit.tag.is_none() && !is_untitled && !is_bullet && !unit.is_bare && unit.has_title();
        let after_bullet = std::mem::replace(&mut items.after_bullet, is_bullet);
        let join = join_before(info, items.last == Some(index), is_bullet && after_bullet);
        unit.between = match join {
            Some(join) => {
                self.page.look_for_angles(join);
                Between::Words(join)
            }
            None => between(items.gap, unit),
        };
        unit.number = (items.context.is_numbered && unit.is_titled).then_some(0);
        unit.is_counted = true;
        Ok(())
    }

    /// The key of an item from its own field; that of others is their position.
    fn item_key(
        frame: &Frame<'_, 'a>,
        around: Option<&Place<'_>>,
        items: &mut Items<'a>,
        scope: ItemScope<'_>,
    ) -> Result<Option<String>, Fault> {
        let (Some(variable), Some(scope)) = (items.info.items.key, scope) else {
            return Ok(None);
        };
        let mut key = String::new();
        let mut output = Output::new(&mut key);
        if scope.value(usize::from(variable), &mut output).is_err() {
            return Err(failed(source(frame.info, variable), around).into());
        }
        let path = || path(around);
        if !prompt_syntax::is_key(&key) {
            return Err(PromptError::InvalidKey { path: path(), key }.into());
        }
        if !items.keys.insert(key.clone()) {
            return Err(PromptError::DuplicateKey { path: path(), key }.into());
        }
        Ok(Some(key))
    }

    /// The title of an item: from its template, its name in a map, its own type, or that of the list and its number.
    fn item_title(
        &mut self,
        frame: &mut Frame<'_, 'a>,
        place: &Place<'_>,
        items: &mut Items<'a>,
        (index, scope): (usize, ItemScope<'_>),
        (name, content): (Option<&str>, &Content<'a>),
    ) -> Result<Title<'a>, Fault> {
        let info = items.info;
        if let Some(title) = &info.items.title {
            return self.words(title, Host::Frame(frame), Some(place), scope);
        }
        if let Some(name) = name {
            return Ok(Title::Words(Words::value(name.to_owned())));
        }
        if let Some(child) = content.node()
            && let Some(title) = &child.info().container.title
        {
            return self.words(title, Host::Node(child), Some(place), None);
        }
        if items.title.is_none() {
            items.title = Some(match &info.title {
                Named::Explicit(title) => {
                    self.words(title, Host::Frame(frame), Some(place), None)?
                }
                Named::Untitled(title) | Named::Fallback(title) => Title::Fixed(title),
            });
        }
        Ok(match &items.title {
            Some(Title::Fixed(list)) => Title::Item(list, index + 1),
            list => {
                let list = list.as_ref().map_or_else(Cow::default, Title::text);
                let title = format!("{list} {}", index + 1);
                Title::Words(Words {
                    is_computed: true,
                    ..Words::fixed(title)
                })
            }
        })
    }

    /// A list of texts: bullets, or what an `item` template made of them.
    pub(super) fn texts(
        &mut self,
        entries: &[Entry<'a>],
        info: &'a SectionInfo,
        context: &Context<'a>,
        place: Option<&Place<'_>>,
    ) -> Done {
        let last = entries.iter().rposition(is_there);
        let from = self.page.len();
        for (index, entry) in entries.iter().enumerate() {
            if !is_there(entry) {
                continue;
            }
            let join = join_before(info, Some(index) == last, true).unwrap_or("\n");
            self.page.look_for_angles(join);
            self.page.next(from, Between::Words(join));
            let Some(tag) = &info.items.tag else {
                self.bullet(entry.name.as_deref(), &entry.content, context, place)?;
                continue;
            };
            let row = place.and_then(|place| place.row);
            let page = &mut self.page;
            let mut tag = page.new_tag(tag.as_ref());
            tag.is_inline = true;
            page.open_tag(&mut tag, context.depth, context.indent, row);
            if let Some(name) = &entry.name {
                page.attribute(&mut tag, "name", name, false);
            }
            page.end_of_open_tag(&mut tag);
            let treatment = context.treatment();
            self.item_text(&treatment, &entry.content, &info.field, place)?;
            self.page.end_tag(&tag);
        }
        Ok(())
    }

    /// `- text`, `- name: text`, or what an `item` template made of it.
    pub(super) fn bullet(
        &mut self,
        name: Option<&str>,
        content: &Content<'a>,
        context: &Context<'a>,
        place: Option<&Place<'_>>,
    ) -> Done {
        let treatment = context.treatment();
        if !matches!(content, Content::Text(_)) {
            return self.item_text(&treatment, content, "", place);
        }
        self.page.words("- ");
        if let Some(name) = name {
            let inside = Treatment {
                block: false,
                ..treatment
            };
            self.text(&inside, name);
            self.page.words(": ");
        }
        let outer = self.page.indent_by(2);
        let written = self.item_text(&treatment, content, "", place);
        self.page.end_indent(outer);
        written
    }

    fn item_text(
        &mut self,
        treatment: &Treatment<'a>,
        content: &Content<'a>,
        name: &str,
        place: Option<&Place<'_>>,
    ) -> Done {
        match content {
            Content::Text(text) => self.text(treatment, text),
            Content::Printed(printed) => {
                let page = &mut self.page;
                page.pieces(treatment, &printed.text, &printed.values);
            }
            Content::Failed => return Err(failed(name, place).into()),
            _ => {}
        }
        Ok(())
    }
}

fn item_tag<'a>(
    info: &'a SectionInfo,
    child: Option<&'a NodeInfo>,
    content: &Content<'_>,
    is_list: bool,
    style: Style,
) -> Option<&'a str> {
    let container = child.map(|child| &child.container);
    let own = container.and_then(|container| container.markup.tag.as_ref());
    let explicit = info.items.tag.as_ref().or(own);
    let default = match container.and_then(|container| container.item_tag.as_deref()) {
        Some(tag) => tag,
        None if is_list => "group",
        None => "item",
    };
    let is_named = info.items.title.is_some() || (!info.is_untitled() && !content.is_text());
    let is_implied = style == Style::Xml && is_named;
    explicit
        .map(AsRef::as_ref)
        .or(is_implied.then_some(default))
}

/// What stands before an item: `last` of the attribute where no other follows, `join` elsewhere; without these a bullet
/// stands directly below another.
fn join_before(info: &SectionInfo, is_last: bool, are_bullets: bool) -> Option<&str> {
    let last = info.items.last.as_deref().filter(|_| is_last);
    let join = last.or(info.items.join.as_deref());
    join.or(are_bullets.then_some("\n"))
}
