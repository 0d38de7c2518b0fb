//! The items of a list section: a bullet for each text, a titled subsection or a tag for each node.

use super::{
    Style,
    section::{Body, Unit},
    walk::{Frame, Host, Scope, Walk},
    writer::Treatment,
};
use crate::error::PromptError;
use crate::node::Embedded;
use crate::node::List;
use crate::node::NodeInfo;
use crate::node::SectionInfo;
use crate::tree;
use crate::tree::Step;
use crate::visibility::Visibility;
use std::borrow::Cow;

pub(super) struct ItemsFrame<'a> {
    host: Host<'a>,
    info: &'a SectionInfo,
    list: Items<'a>,
    /// Visibility of the items by declaration.
    declared: Visibility,
    scope: Scope<'a>,
    next: usize,
    /// How many came out.
    printed: u32,
    start: usize,
    keys: Vec<String>,
}

enum Items<'a> {
    List(&'a dyn List),
    Gathered(Vec<(Option<String>, Embedded<'a>)>),
}

impl<'a> ItemsFrame<'a> {
    pub(super) fn list(
        host: Host<'a>,
        info: &'a SectionInfo,
        list: &'a dyn List,
        declared: Option<Visibility>,
        scope: Scope<'a>,
    ) -> Self {
        Self::new(host, info, Items::List(list), declared, scope)
    }

    pub(super) fn gathered(
        host: Host<'a>,
        info: &'a SectionInfo,
        list: Vec<(Option<String>, Embedded<'a>)>,
        declared: Option<Visibility>,
        scope: Scope<'a>,
    ) -> Self {
        Self::new(host, info, Items::Gathered(list), declared, scope)
    }

    fn new(
        host: Host<'a>,
        info: &'a SectionInfo,
        list: Items<'a>,
        declared: Option<Visibility>,
        scope: Scope<'a>,
    ) -> Self {
        let declared = declared.unwrap_or_default();
        Self {
            host,
            info,
            list,
            declared,
            scope,
            next: 0,
            printed: 0,
            start: 0,
            keys: Vec::new(),
        }
    }

    fn len(&self) -> usize {
        match &self.list {
            Items::List(list) => list.len(),
            Items::Gathered(items) => items.len(),
        }
    }

    /// What the attribute puts before this item: `last` where no other follows, `join` elsewhere.
    fn join(&self, index: usize) -> Option<&'a str> {
        let ends = || (index + 1..self.len()).all(|later| tree::is_empty(&self.get(later).1));
        let last = self.info.item.last.as_deref().filter(|_| ends());
        last.or(self.info.item.join.as_deref())
    }

    /// The item with this index, with its key in a map.
    fn get(&self, index: usize) -> (Option<String>, Embedded<'a>) {
        match &self.list {
            Items::List(list) => (None, list.item(index)),
            Items::Gathered(items) => items
                .get(index)
                .cloned()
                .unwrap_or((None, Embedded::Absent)),
        }
    }
}

impl<'a> Walk<'_, 'a> {
    pub(super) fn begin_items(&mut self, mut frame: ItemsFrame<'a>) {
        frame.start = self.writer.len();
        self.frames.push(Frame::Items(frame));
    }

    pub(super) fn step_items(&mut self, mut frame: ItemsFrame<'a>) -> Result<(), PromptError> {
        let index = frame.next;
        if index >= frame.len() {
            return Ok(());
        }
        frame.next += 1;
        let focused = match frame.scope.chain.and_then(|depth| self.chain.get(depth)) {
            Some(step) => *step == Step::Item(index),
            None => true,
        };
        let (name, item) = frame.get(index);
        if !focused || tree::is_empty(&item) {
            self.frames.push(Frame::Items(frame));
            return Ok(());
        }
        match item {
            Embedded::Text(text) => {
                self.text_item(&mut frame, index, name.as_deref(), &text)?;
                self.frames.push(Frame::Items(frame));
                Ok(())
            }
            item => self.node_item(frame, index, name, item),
        }
    }

    /// A bullet, or an inline tag.
    fn text_item(
        &mut self,
        frame: &mut ItemsFrame<'a>,
        index: usize,
        name: Option<&str>,
        text: &str,
    ) -> Result<(), PromptError> {
        let info = frame.info;
        let scope = frame.scope;
        if self.writer.len() > frame.start {
            self.writer.owe(frame.join(index).unwrap_or("\n"));
        }
        let treatment = Treatment {
            block: true,
            guarding: scope.guarding,
            untrusted: scope.untrusted,
            ..Treatment::default()
        };
        let before = self.writer.point();
        if let Some(tag) = &info.item.tag {
            let mut tag = self.open_tag(Cow::Borrowed(tag.as_ref()), scope, true);
            if let Some(name) = name {
                self.attribute(&mut tag, "name", name);
            }
            self.end_of_open_tag(&mut tag);
            self.value(treatment, text)?;
            self.close_tag(tag, before, false);
        } else {
            let indent = self.writer.indent();
            self.writer.literal("- ");
            if let Some(name) = name {
                self.value(
                    Treatment {
                        block: false,
                        ..treatment
                    },
                    name,
                )?;
                self.writer.literal(": ");
            }
            self.writer.set_indent(indent + 2);
            let written = self.value(treatment, text);
            self.writer.set_indent(indent);
            written?;
        }
        frame.printed += 1;
        Ok(())
    }

    fn node_item(
        &mut self,
        mut frame: ItemsFrame<'a>,
        index: usize,
        name: Option<String>,
        item: Embedded<'a>,
    ) -> Result<(), PromptError> {
        let (host, info, mut scope) = (frame.host, frame.info, frame.scope);
        let key = self.item_key(&mut frame, index)?;
        let child = tree::child(&item).map(Host::of);
        let tag = self.item_tag(info, child, &item);
        let titled = tag.is_none() && (!info.untitled || info.item.title.is_some());
        let named = name.is_some()
            && info.item.title.is_none()
            && child.is_none_or(|child| !has_name(child.info));
        let title = match name.filter(|_| info.item.title.is_none()) {
            Some(name) => Cow::Owned(name),
            None => tree::title(host.node, info, child.map(|child| child.node), Some(index))?,
        };
        let visibility = self.visibility(&key, frame.declared_for_items(), &scope);
        frame.printed += 1;
        let (number, start) = (frame.printed, frame.start);
        let join = frame.join(index).filter(|_| self.writer.len() > start);
        self.frames.push(Frame::Items(frame));
        let Some(visibility) = self.planned(visibility) else {
            return Ok(());
        };
        scope.chain = scope.chain.map(|depth| depth + 1);
        let body = if visibility == Visibility::Summary {
            Body::Summary(self.summary_of(info, &key)?, item)
        } else {
            Body::Full {
                intro: &tree::NO_TEXT,
                content: item,
                items: Visibility::Full,
            }
        };
        let step = Step::Item(index);
        let unit = Unit {
            host,
            info,
            item: index,
            step,
            key,
            title,
            titled,
            named,
            number,
            tag,
            child,
            body,
            scope,
        };
        let Some(join) = join else {
            return self.open(unit, start);
        };
        self.writer.owe(join);
        self.open(unit, usize::MAX)
    }

    /// The key of an item: from its own field, or its position.
    fn item_key(
        &self,
        frame: &mut ItemsFrame<'a>,
        index: usize,
    ) -> Result<Cow<'static, str>, PromptError> {
        let Some(variable) = frame.info.item.key else {
            return Ok(Cow::Owned(index.to_string()));
        };
        let key = tree::written(frame.host.node, variable, index)?;
        let path = || self.keys.join(".");
        if !prompt_syntax::is_key(&key) {
            return Err(PromptError::InvalidKey { path: path(), key });
        }
        match frame.keys.binary_search(&key) {
            Ok(_) => return Err(PromptError::DuplicateKey { path: path(), key }),
            Err(at) => frame.keys.insert(at, key.clone()),
        }
        Ok(Cow::Owned(key))
    }

    fn item_tag(
        &self,
        info: &'a SectionInfo,
        child: Option<Host<'a>>,
        item: &Embedded<'a>,
    ) -> Option<Cow<'a, str>> {
        let explicit = info
            .item
            .tag
            .as_deref()
            .or_else(|| child.and_then(|child| child.info.tag.as_deref()));
        let default = match child.and_then(|child| child.info.item_tag.as_deref()) {
            Some(tag) => tag,
            None if tree::is_node_list(item) => "group",
            None => "item",
        };
        let implied = (self.options.style == Style::Xml && !info.untitled).then_some(default);
        explicit.or(implied).map(Cow::Borrowed)
    }
}

impl ItemsFrame<'_> {
    fn declared_for_items(&self) -> Visibility {
        self.declared
    }
}

fn has_name(info: &NodeInfo) -> bool {
    info.attributes
        .iter()
        .any(|attribute| attribute.name == "name")
}
