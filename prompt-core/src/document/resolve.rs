//! Asks a tree. The sections of a node come first, in the order of their declaration, whatever order their slots have;
//! then its text, whose slots name them. What is closed and stays closed is asked for its short form alone; where headings
//! are numbered also for its titles, since what is behind one that prints nothing counts on.

use super::{
    ABSENT, Absence, Absent, Attribute, AttributeValue, Between, Document, Event, Holds, Lists,
    MAX_DEPTH, Number, Piece, Range, RootTag, Section, SectionId, Slot, TagName, Treatment, form,
    reached::Reached,
    section,
    text::{Env, Place, below, literal},
};
use crate::errors::PromptError;
use crate::messages::tool::ToolSpec;
use crate::node::{
    AttributeSource, Container, Content, Embedded, Form, Guarding, NodeInfo, NodeRef, Overrides,
    Priority, Scope, SectionInfo, SectionKeys, Text, Title, Visibility, has_slot,
};
use prompt_syntax::{TagPlace, Target};
use std::{borrow::Cow, collections::BTreeSet};

/// A tree that cannot be asked to its end.
pub(super) type Fault = Box<PromptError>;
pub(super) type Done<T = ()> = Result<T, Fault>;

/// What is wanted of a tree.
#[derive(Clone, Copy)]
pub(crate) struct Asking<'v> {
    pub(crate) overrides: Option<&'v Overrides>,
    pub(crate) focus: Option<&'v str>,
    /// All texts of all sections; otherwise those that are shown.
    pub(crate) is_whole: bool,
    pub(crate) with_tools: bool,
    /// Whether headings are numbered.
    pub(crate) is_numbered: bool,
    /// Whether its values are not to be trusted, whatever it says of them.
    pub(crate) is_untrusted: bool,
}

impl Asking<'_> {
    /// All that can be asked.
    pub(crate) fn whole() -> Self {
        Self {
            overrides: None,
            focus: None,
            is_whole: true,
            with_tools: true,
            is_numbered: false,
            is_untrusted: false,
        }
    }
}

/// What a node passes on to its sections.
#[derive(Clone, Copy, Default)]
pub(super) struct Context {
    pub(super) parent: Option<SectionId>,
    pub(super) depth: u32,
    pub(super) treatment: Treatment,
    priority: Option<i32>,
    suffix: Option<Range>,
    numbered: Option<bool>,
    /// Whether headings are numbered, here or further out.
    is_counted: bool,
    /// Nothing of it is shown, nor wanted.
    pub(super) is_closed: bool,
    // What the container says of its own sections.
    heading: Option<Range>,
    pub(super) is_tight: bool,
    gap: Option<u8>,
    base: u8,
}

/// The sections of a node in the order of sections.
#[derive(Default)]
pub(super) struct Placed {
    from: usize,
    rest: Range,
    answers: Vec<(u16, bool)>,
}

/// Who answers a text of a section: its node, or an item of its list.
#[derive(Clone, Copy)]
pub(super) struct Host<'s, 'a> {
    pub(super) scope: &'s dyn Scope,
    pub(super) info: &'a NodeInfo,
    /// The place of the node's sections in the order of sections.
    pub(super) sections: usize,
    /// The section in which the node stands: what its values print is told of that.
    pub(super) owner: Option<SectionId>,
    /// Where the item stands, in a text about one.
    pub(super) place: Option<&'s Place<'s>>,
}

/// In the order of sections: one that is there and was not asked to its end.
const PENDING: SectionId = ABSENT - 1;

/// Nobody.
struct NoScope;

impl Scope for NoScope {}

/// A tree that is being asked.
pub(super) struct Resolve<'v, 'a> {
    pub(super) document: Document<'a>,
    pub(super) asking: Asking<'v>,
    /// A path that was looked for, and is made anew for the next one.
    path: String,
}

impl<'a> Document<'a> {
    /// Asks a tree.
    ///
    /// # Errors
    /// A tree that is too deep, keys of items that are none, a focus that is not in it.
    pub(crate) fn of(root: Embedded<'a>, asking: Asking<'_>) -> Result<Self, PromptError> {
        let document = Self::new(root.clone());
        let path = String::new();
        let mut resolve = Resolve {
            document,
            asking,
            path,
        };
        resolve.root(root).map_err(|fault| *fault)?;
        let document = resolve.document;
        document.check_focus(asking.focus)?;
        Ok(document)
    }

    fn new(root: Embedded<'a>) -> Self {
        Self {
            node: root.content.node(),
            varies: root.varies,
            root,
            written: String::new(),
            values: Vec::new(),
            marks: Vec::new(),
            phrase_tags: BTreeSet::new(),
            lists: Lists::default(),
            heads: Vec::new(),
            fences: Vec::new(),
            sections: Vec::new(),
            order: Vec::new(),
            attributes: Vec::new(),
            tools: Vec::new(),
            absent: Vec::new(),
            faults: Vec::new(),
            missing: None,
            body: Range::default(),
            tag: RootTag::default(),
            is_open: false,
            has_messages: false,
        }
    }

    /// # Errors
    /// A focus that is not in the tree.
    pub(crate) fn check_focus(&self, focus: Option<&str>) -> Result<(), PromptError> {
        match focus {
            Some(focus) if self.index().find(focus).is_none() => Err(PromptError::UnknownPath {
                path: focus.to_owned(),
                nearest: self.nearest(focus),
            }),
            _ => Ok(()),
        }
    }

    /// What it was asked of.
    pub(crate) fn root(&self) -> Embedded<'_> {
        self.root.clone()
    }
}

impl Context {
    /// The blank lines between the sections of the node that is asked.
    pub(super) fn container_gap(&self) -> Option<u8> {
        self.gap
    }
}

impl<'a> Resolve<'_, 'a> {
    fn root(&mut self, root: Embedded<'a>) -> Done {
        let mut context = Context {
            base: 1,
            is_counted: self.asking.is_numbered,
            treatment: Treatment {
                is_untrusted: self.asking.is_untrusted,
                ..Treatment::default()
            },
            ..Context::default()
        };
        match root.content {
            Content::Node(node) => self.root_node(node, &mut context),
            content if content.is_node_list() => self.root_items(content, &context),
            content => {
                let from = self.document.lists.events.len();
                self.content(Host::NOBODY, SectionInfo::EMPTY, &content, &context);
                self.document.body = Range::new(from, self.document.lists.events.len());
                Ok(())
            }
        }
    }

    fn root_node(&mut self, node: NodeRef<'a>, context: &mut Context) -> Done {
        let info = node.info();
        self.reserve(info);
        self.tools(node, None, None, context);
        let placed = self.sections(node, context, &mut Number::default())?;
        if let Some(name) = &info.container.markup.tag {
            self.root_tag(node, name);
        }
        let from = self.document.lists.events.len();
        self.node(node, &placed, context, 1);
        self.document.body = Range::new(from, self.document.lists.events.len());
        Ok(())
    }

    /// Lists that grow step by step cost more than a little room.
    fn reserve(&mut self, info: &NodeInfo) {
        let (count, document) = (info.sections.len(), &mut self.document);
        document.sections.reserve(2 * count + 2);
        let events = info.text.elements.len() + 8 * count + 8;
        document.lists.events.reserve(events);
        document.lists.pieces.reserve(8 * count + 16);
        document.values.reserve(info.variables.len() + count + 4);
        document.order.reserve(2 * count);
        document.written.reserve(512);
    }

    fn root_tag(&mut self, node: NodeRef<'a>, name: &'a str) {
        let container = &node.info().container;
        let host = Host::of(&node, 0);
        let title = container.title.as_ref();
        let title = title.map(|title| self.words(host, title, Treatment::default(), None));
        let (title, is_computed) = title.unwrap_or_default();
        let varies = |attribute: &crate::node::Attribute| match attribute.value {
            AttributeSource::Title => is_computed,
            AttributeSource::Variable(_) | AttributeSource::Text(_) => true,
        };
        let varies = container.markup.attributes.iter().any(varies);
        let from = self.document.attributes.len();
        self.attributes(host, &container.markup.attributes, title, from, None);
        self.document.tag = RootTag {
            name,
            attributes: Range::new(from, self.document.attributes.len()),
            title,
            varies,
            is_inline: container.markup.inline,
            columns: container.markup.indent,
        };
    }

    /// The sections of a node. `count` is the number of the last heading below the one that is open.
    pub(super) fn sections(
        &mut self,
        node: NodeRef<'a>,
        context: &mut Context,
        count: &mut Number,
    ) -> Done<Placed> {
        let info = node.info();
        self.check_values(info, context.parent);
        let is_numbered = context.numbered == Some(true);
        self.enter(node, context);
        let len = info.sections.len();
        if len == 0 {
            return Ok(Placed::default());
        }
        let since = count.since;
        if !is_numbered && context.numbered == Some(true) {
            count.since = count.place;
        }
        let from = self.document.order.len();
        self.document.order.resize(from + len, ABSENT);
        let reached = Reached::of(info, node.scope());
        let mut asked = self.ask_first(node, &reached, from);
        for index in 0..len {
            let asked = asked.get_mut(index).and_then(Option::take);
            let id = self.declared(node, index, asked, context, (&reached, from), count)?;
            self.document.order[from + index] = id.unwrap_or(ABSENT);
        }
        count.since = since;
        let mut rest = Range::new(from, from + len);
        if info.sections.iter().any(|section| section.placed) {
            let start = self.document.order.len();
            for (index, section) in info.sections.iter().enumerate() {
                if !section.placed {
                    let id = self.document.order[from + index];
                    self.document.order.push(id);
                }
            }
            rest = Range::new(start, self.document.order.len());
        }
        Ok(Placed {
            from,
            rest,
            answers: reached.answers,
        })
    }

    /// The sections of a node whose texts ask which of them are there: they are asked before all texts.
    fn ask_first(
        &mut self,
        node: NodeRef<'a>,
        reached: &Reached,
        from: usize,
    ) -> Vec<Option<crate::node::Section<'a>>> {
        let info = node.info();
        if info
            .conditions
            .iter()
            .all(|condition| condition.section.is_none())
        {
            return Vec::new();
        }
        let sections = info.sections.iter().enumerate();
        let ask = |(index, info): (usize, &SectionInfo)| {
            if !reached.holds(index, info.placed) {
                return None;
            }
            let asked = node.section(index);
            let is_there = asked.when && !(asked.content.is_empty() && info.empty.is_none());
            if is_there {
                self.document.order[from + index] = PENDING;
            }
            Some(asked)
        };
        sections.map(ask).collect()
    }

    fn check_values(&mut self, info: &NodeInfo, at: Option<SectionId>) {
        let missing = info.variables.iter().find(|variable| variable.missing);
        if let (Some(variable), None) = (missing, &self.document.missing) {
            self.document.missing = Some(PromptError::MissingValue {
                path: self.document.path(at),
                name: variable.source.to_string(),
            });
        }
    }

    /// What a container says of the sections of its node.
    fn enter(&mut self, node: NodeRef<'a>, context: &mut Context) {
        let info = node.info();
        let Container {
            heading,
            summary_suffix,
            numbered,
            ..
        } = &info.container;
        context.heading = None;
        if let Some(form) = heading.form.as_ref().filter(|_| !context.is_closed) {
            let host = Host::of(&node, self.document.order.len());
            context.heading = Some(self.text(host, form, context.treatment, context.parent));
        }
        if let Some(suffix) = summary_suffix {
            let host = Host::of(&node, self.document.order.len());
            context.suffix = Some(self.text(host, suffix, context.treatment, context.parent));
        }
        context.is_tight = heading.tight;
        context.gap = heading.gap;
        context.numbered = numbered.or(context.numbered);
        context.is_counted |= *numbered == Some(true);
    }

    /// A section as it is declared, if it is there.
    fn declared(
        &mut self,
        node: NodeRef<'a>,
        index: usize,
        asked: Option<crate::node::Section<'a>>,
        context: &Context,
        (reached, order): (&Reached, usize),
        count: &mut Number,
    ) -> Done<Option<SectionId>> {
        let info = &node.info().sections[index];
        let number = count.next(info.is_numbered());
        let is_counted = self.asking.is_whole || context.is_counted;
        if !reached.holds(index, info.placed) {
            self.absent(context, info, None, Absence::NotReached);
            count.varies |= is_counted && !is_sure(info, None);
            return Ok(None);
        }
        let is_deep = context.depth >= MAX_DEPTH;
        if !info.lead.is_empty() && !context.is_tight && context.heading.is_none() && !is_deep {
            return Ok(Some(self.literal(info, context, number)));
        }
        let asked = asked.unwrap_or_else(|| node.section(index));
        let is_empty = asked.content.is_empty();
        if !asked.when || (is_empty && info.empty.is_none()) {
            let reason = if asked.when {
                Absence::Empty
            } else {
                Absence::Off
            };
            self.absent(context, info, asked.content.node(), reason);
            count.varies |= is_counted && !is_sure(info, Some(&asked.content));
            return Ok(None);
        }
        if is_deep {
            return Err(self.too_deep(context, &info.key).into());
        }
        let host = Host {
            owner: context.parent,
            ..Host::of(&node, order)
        };
        let id = self.begin_section(host, info, &asked, context, number);
        if is_counted {
            let is_sure_there = !self.document.section(id).varies && !reached.is_divided;
            let may_vary = info.is_numbered() || !is_sure_there;
            count.varies |= may_vary && !is_sure(info, Some(&asked.content));
        }
        self.tools(node, Some(index), Some(id), context);
        self.inside(host, id, (asked.content, None), context, count)?;
        Ok(Some(id))
    }

    fn absent(
        &mut self,
        context: &Context,
        info: &'a SectionInfo,
        node: Option<NodeRef<'a>>,
        reason: Absence,
    ) {
        if self.asking.is_whole {
            self.document.absent.push(Absent {
                parent: context.parent,
                info,
                node,
                reason,
            });
        }
    }

    #[cold]
    pub(super) fn too_deep(&self, context: &Context, key: &str) -> PromptError {
        let mut path = self.document.path(context.parent);
        path.push('.');
        path.push_str(key);
        PromptError::TooDeep { path }
    }

    /// A section that is a title and fixed words: nothing is asked.
    fn literal(&mut self, info: &'a SectionInfo, context: &Context, number: Number) -> SectionId {
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

    pub(super) fn fixed(&mut self, words: &'a str) -> Range {
        let at = self.document.lists.pieces.len();
        self.document.lists.pieces.push(Piece::Words(words));
        Range::new(at, at + 1)
    }

    pub(super) fn push(&mut self, mut section: Section<'a>) -> SectionId {
        let id = self.document.len();
        section.end = id + 1;
        self.document.has_messages |= matches!(section.holds, Holds::Messages(_));
        self.document.sections.push(section);
        id
    }

    #[inline]
    pub(super) fn new_section(
        info: &'a SectionInfo,
        key: Cow<'a, str>,
        context: &Context,
    ) -> Section<'a> {
        Section {
            parent: context.parent,
            end: 0,
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
            title: Range::default(),
            is_titled: false,
            is_title_computed: false,
            tag: TagName::None,
            attributes: Range::default(),
            number: Number::default(),
            numbered: context.numbered,
            level: None,
            between: Between::Gap {
                lines: context.gap,
                is_joined: false,
            },
            is_tight: context.is_tight,
            heading: context.heading,
            body: Range::default(),
            summary: None,
            suffix: context.suffix,
            varies: false,
            may_vanish: false,
            is_bare: false,
            is_inline: false,
            is_hollow: false,
        }
    }

    /// The form of a section, and whether an override shows it in full.
    #[inline]
    pub(super) fn form(
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

    /// All of a section but what is in it.
    fn begin_section(
        &mut self,
        host: Host<'_, 'a>,
        info: &'a SectionInfo,
        asked: &crate::node::Section<'a>,
        context: &Context,
        number: Number,
    ) -> SectionId {
        let keys: &'a SectionKeys = &info.said;
        let content = &asked.content;
        let child = content.node().map(NodeRef::info);
        let is_empty = content.is_empty();
        let is_list = section::has_rows(content, keys);
        let declared = asked.visibility.unwrap_or(keys.visibility.into());
        let own_priority = asked.priority.or(keys.policy.priority);
        let (form, is_opened) = self.form(context, &info.key, is_list || is_empty, declared);
        let level = keys.heading.level;
        let tag = tag_of(info, keys, child);
        let is_bare = matches!(content, Content::Messages(_))
            || (is_list && section::holds_messages(content));
        let id = self.push(Section {
            number,
            holds: Holds::of(content),
            declared,
            form,
            is_opened,
            priority: effective(context.priority, own_priority),
            own_priority,
            is_empty,
            is_list,
            tag: if is_bare { TagName::None } else { tag },
            level: level.map(|level| below(level, context.base)),
            between: Between::Gap {
                lines: keys.heading.gap.or(context.gap),
                is_joined: keys.items.tag.is_some(),
            },
            is_tight: context.is_tight || keys.heading.tight,
            varies: asked.conditional || !matches!(content, Content::Unit | Content::Node(_)),
            may_vanish: !is_empty
                && (is_list || child.is_some_and(|child| !child.sections.is_empty())),
            is_bare,
            is_inline: keys.markup.inline
                || child.is_some_and(|child| child.container.markup.inline),
            is_hollow: section::is_hollow(content) && info.intro.is_empty(),
            ..Self::new_section(info, Cow::Borrowed(&info.key), context)
        });
        if self.asks_title(context, form) {
            self.section_words(host, id, content.node(), context);
        }
        id
    }

    /// Whether the title of a section is asked, for itself or for the numbers behind it.
    pub(super) fn asks_title(&self, context: &Context, form: Form) -> bool {
        context.is_counted || self.is_wanted(context, form)
    }

    /// Whether the texts of a section are wanted at all.
    pub(super) fn is_wanted(&self, context: &Context, form: Form) -> bool {
        self.asking.is_whole || (!context.is_closed && form != Form::Gone)
    }

    /// Title, heading form, and attributes.
    fn section_words(
        &mut self,
        host: Host<'_, 'a>,
        id: SectionId,
        child: Option<NodeRef<'a>>,
        context: &Context,
    ) {
        let info = self.document.section(id).info;
        let keys: &'a SectionKeys = &info.said;
        let treatment = Treatment {
            is_untrusted: context.treatment.is_untrusted || keys.markup.untrusted,
            ..context.treatment
        };
        let (title, is_computed) = self.section_title(host, info, child, treatment, id);
        let section = self.document.section(id);
        let has_heading = !info.is_untitled()
            && !matches!(section.tag, TagName::Written(_))
            && keys.policy.role.is_none()
            && !section.is_bare;
        self.set_title(id, (title, is_computed), has_heading);
        if !self.is_wanted(context, self.document.section(id).form) {
            return;
        }
        self.heading_form(host, id, treatment);
        let from = self.document.attributes.len();
        if self.document.section(id).tag != TagName::None {
            self.attributes(host, &keys.markup.attributes, title, from, Some(id));
            if let Some(child) = child {
                let own = &child.info().container.markup.attributes;
                self.attributes(Host::of(&child, 0), own, title, from, Some(id));
            }
        }
        let attributes = Range::new(from, self.document.attributes.len());
        self.document.sections[id as usize].attributes = attributes;
    }

    /// The title of a section, which is its heading if it is declared with one and prints something.
    pub(super) fn set_title(
        &mut self,
        id: SectionId,
        (title, is_computed): (Range, bool),
        has_heading: bool,
    ) {
        let is_blank = self.is_blank(title);
        let section = &mut self.document.sections[id as usize];
        section.title = title;
        section.is_title_computed = is_computed;
        section.varies |= is_blank && is_computed;
        section.is_titled = has_heading && !is_blank;
    }

    /// Another form of its heading, if the section says one.
    pub(super) fn heading_form(&mut self, host: Host<'_, 'a>, id: SectionId, treatment: Treatment) {
        if let Some(form) = &self.document.section(id).info.said.heading.form {
            let heading = self.text(host, form, treatment, Some(id));
            self.document.sections[id as usize].heading = Some(heading);
        }
    }

    /// Whether a title prints nothing.
    pub(super) fn is_blank(&self, title: Range) -> bool {
        let pieces = &self.document.lists.pieces[title.usize()];
        self.document.is_blank(pieces)
    }

    fn section_title(
        &mut self,
        host: Host<'_, 'a>,
        info: &'a SectionInfo,
        child: Option<NodeRef<'a>>,
        treatment: Treatment,
        id: SectionId,
    ) -> (Range, bool) {
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

    /// A text on one line, and whether it depends on values.
    pub(super) fn words(
        &mut self,
        host: Host<'_, 'a>,
        text: &'a Text,
        treatment: Treatment,
        at: Option<SectionId>,
    ) -> (Range, bool) {
        if let Some(words) = literal(text) {
            return (self.on_one_line(Piece::Words(words)), false);
        }
        let env = Env {
            owner: at,
            ..host.env(text, treatment, at)
        };
        let values = self.document.values.len();
        let pieces = self.document.read_pieces(&env, &text.elements);
        for at in pieces.usize() {
            let piece = self.document.lists.pieces[at];
            self.document.lists.pieces[at] = self.document.without_breaks(piece);
        }
        for value in &mut self.document.values[values..] {
            value.name = "title";
        }
        (pieces, true)
    }

    pub(super) fn on_one_line(&mut self, piece: Piece<'a>) -> Range {
        let piece = self.document.without_breaks(piece);
        let at = self.document.lists.pieces.len();
        self.document.lists.pieces.push(piece);
        Range::new(at, at + 1)
    }

    /// A text without slots, in lines.
    pub(super) fn text(
        &mut self,
        host: Host<'_, 'a>,
        text: &'a Text,
        treatment: Treatment,
        at: Option<SectionId>,
    ) -> Range {
        let from = self.document.lists.events.len();
        let env = host.env(text, treatment, at);
        self.document.read(&env, &text.elements);
        Range::new(from, self.document.lists.events.len())
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
        for attribute in attributes {
            let name: &'a str = &attribute.name;
            let mut known = self.document.attributes[from..].iter();
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

    /// What is in a section: its short form, its sections, its body. An item comes with its name.
    pub(super) fn inside(
        &mut self,
        host: Host<'_, 'a>,
        id: SectionId,
        (content, name): (Content<'a>, Option<&str>),
        context: &Context,
        count: &mut Number,
    ) -> Done {
        let mut inner = self.inner(id, context);
        self.short_form(host, id, content.node(), &inner);
        let mut own_count = Number::default();
        let count = if self.counts_apart(id, context) {
            &mut own_count
        } else {
            count
        };
        match content {
            Content::Node(child) => {
                self.tools(child, None, Some(id), &inner);
                let placed = self.sections(child, &mut inner, count)?;
                self.node_body(host, id, child, &placed, &inner);
            }
            content if self.document.section(id).is_list => {
                self.items(host, id, content, &inner, count)?;
            }
            content if self.document.section(id).is_item() => {
                self.item_body(host, id, name, &content, &inner);
            }
            content => self.other_body(host, id, &content, &inner),
        }
        let end = self.document.len();
        self.document.sections[id as usize].end = end;
        Ok(())
    }

    /// Whether what is in a section is numbered below its heading, as it is declared where that is not asked for.
    fn counts_apart(&self, id: SectionId, context: &Context) -> bool {
        let section = self.document.section(id);
        if self.asks_title(context, section.form) {
            section.is_titled
        } else {
            section.number.place > 0
        }
    }

    /// What a section passes on.
    pub(super) fn inner(&self, id: SectionId, context: &Context) -> Context {
        let section = self.document.section(id);
        let markup = &section.info.markup;
        let mut inner = *context;
        inner.parent = Some(id);
        inner.depth += 1;
        inner.priority = section.priority;
        if markup.guarding != Guarding::Default {
            inner.treatment.guarding = markup.guarding;
        }
        inner.treatment.is_untrusted |= markup.untrusted;
        inner.is_closed |= !self.asking.is_whole && !section.is_in_full();
        inner.base = section.child().map_or(1, |child| child.text.base);
        inner
    }

    pub(super) fn short_form(
        &mut self,
        host: Host<'_, 'a>,
        id: SectionId,
        child: Option<NodeRef<'a>>,
        inner: &Context,
    ) {
        let section = self.document.section(id);
        let is_shown = self.asking.is_whole
            || (section.form == Form::Summary && self.is_shown_at(section.parent));
        if !is_shown || !section.is_openable() {
            return;
        }
        let own = section.info.summary.as_ref();
        let host = Host {
            owner: Some(id),
            ..host
        };
        let events = if let Some(summary) = own {
            self.text(host, summary, inner.treatment, Some(id))
        } else if let Some(child) = child
            && let Some(summary) = &child.info().container.summary
        {
            let host = Host {
                owner: Some(id),
                ..Host::of(&child, 0)
            };
            self.text(host, summary, inner.treatment, Some(id))
        } else {
            return;
        };
        self.document.sections[id as usize].summary = Some(events);
    }

    /// Whether what stands in a section is shown, as the forms are that it was asked with.
    fn is_shown_at(&self, parent: Option<SectionId>) -> bool {
        parent.is_none_or(|parent| {
            self.document.section(parent).is_in_full()
                && self
                    .document
                    .around(parent)
                    .all(|around| self.document.section(around).is_in_full())
        })
    }

    pub(super) fn node_body(
        &mut self,
        host: Host<'_, 'a>,
        id: SectionId,
        child: NodeRef<'a>,
        placed: &Placed,
        inner: &Context,
    ) {
        if inner.is_closed {
            return;
        }
        let from = self.document.lists.events.len();
        self.intro(host, id, inner);
        self.node(child, placed, inner, child.info().text.base);
        self.close_body(id, from);
    }

    fn other_body(
        &mut self,
        host: Host<'_, 'a>,
        id: SectionId,
        content: &Content<'a>,
        inner: &Context,
    ) {
        if inner.is_closed {
            return;
        }
        let from = self.document.lists.events.len();
        let section = self.document.section(id);
        let info = section.info;
        if section.is_empty
            && let Some(empty) = &info.empty
        {
            self.text(host, empty, inner.treatment, inner.parent);
        } else {
            self.intro(host, id, inner);
            self.content(host, info, content, inner);
        }
        self.close_body(id, from);
    }

    pub(super) fn close_body(&mut self, id: SectionId, from: usize) {
        let body = Range::new(from, self.document.lists.events.len());
        self.document.sections[id as usize].body = body;
    }

    pub(super) fn intro(&mut self, host: Host<'_, 'a>, id: SectionId, inner: &Context) {
        let section = self.document.section(id);
        let intro: &'a Text = &section.info.intro;
        if !section.is_item() && !intro.is_empty() {
            self.text(host, intro, inner.treatment, Some(id));
            self.document.lists.events.push(Event::Join);
        }
    }

    /// A node: its text, and behind it the sections that have no place in it.
    pub(super) fn node(&mut self, node: NodeRef<'a>, placed: &Placed, context: &Context, base: u8) {
        let info = node.info();
        let container = &info.container;
        self.document.lists.events.push(Event::Own);
        let from = self.document.lists.events.len();
        self.frame(&container.start, false);
        if !info.text.is_empty() {
            let host = Host {
                owner: context.parent,
                ..Host::of(&node, placed.from)
            };
            let env = Env {
                base,
                rest: placed.rest,
                answers: &placed.answers,
                ..host.env(&info.text, context.treatment, context.parent)
            };
            self.document.read(&env, &info.text.elements);
        }
        if !placed.rest.is_empty() && !has_slot(&info.text, Target::Subtree) {
            let level = container.heading.level.unwrap_or(info.text.end);
            let is_rest = self.document.lists.events.len() > from;
            self.document.lists.events.push(Event::Slot(Slot {
                sections: placed.rest,
                level: below(level, base),
                indent: 0,
                is_rest,
            }));
        }
        self.frame(&container.end, true);
    }

    fn frame(&mut self, words: &'a str, is_end: bool) {
        if !words.is_empty() {
            let frame = Event::Frame { words, is_end };
            self.document.lists.events.push(frame);
        }
    }

    pub(super) fn tools(
        &mut self,
        node: NodeRef<'a>,
        section: Option<usize>,
        id: Option<SectionId>,
        context: &Context,
    ) {
        let info = node.info();
        let has_tools = match section {
            Some(index) => info.sections[index].policy.has_tools,
            None => info.container.has_tools,
        };
        if has_tools && self.asking.with_tools && (self.asking.is_whole || !context.is_closed) {
            let tools: Vec<ToolSpec> = node.tools(section);
            let tools = tools.into_iter().map(|tool| (id, tool));
            self.document.tools.extend(tools);
        }
    }
}

impl Host<'_, '_> {
    /// Nobody answers.
    pub(super) const NOBODY: Self = Self {
        scope: &NoScope,
        info: NodeInfo::EMPTY,
        sections: 0,
        owner: None,
        place: None,
    };
}

impl<'s, 'a> Host<'s, 'a> {
    pub(super) fn env(
        self,
        text: &Text,
        treatment: Treatment,
        at: Option<SectionId>,
    ) -> Env<'s, 'a> {
        Env {
            scope: self.scope,
            info: self.info,
            treatment,
            base: text.base,
            at,
            owner: self.owner,
            sections: self.sections,
            rest: Range::default(),
            answers: &[],
            place: self.place,
        }
    }

    pub(super) fn of(node: &'s NodeRef<'a>, sections: usize) -> Self {
        Self {
            scope: node.scope(),
            info: node.info(),
            sections,
            owner: None,
            place: None,
        }
    }
}

/// Whether the numbers behind a section are the same, be it there or not: what is in it is numbered below its heading.
fn is_sure(info: &SectionInfo, content: Option<&Content<'_>>) -> bool {
    let is_fixed =
        |title: &Option<Text>| title.as_ref().is_none_or(|title| literal(title).is_some());
    let title = match &info.title {
        Title::Explicit(title) => literal(title).is_some(),
        Title::Untitled(_) => false,
        // A type may have a title of its own.
        Title::Fallback(_) => content.is_some_and(|content| match content {
            Content::Absent => false,
            Content::Node(node) => is_fixed(&node.info().container.title),
            _ => true,
        }),
    };
    info.is_numbered() && title
}

/// The tag around a section: the section's, or that of its type; in XML its key.
fn tag_of<'a>(
    info: &'a SectionInfo,
    keys: &'a SectionKeys,
    child: Option<&'a NodeInfo>,
) -> TagName<'a> {
    let own = child.and_then(|child| child.container.markup.tag.as_ref());
    match keys.markup.tag.as_ref().or(own) {
        Some(tag) => TagName::Written(tag),
        None if !info.is_untitled() && keys.policy.role.is_none() => TagName::Implied(&info.key),
        None => TagName::None,
    }
}

fn effective(parent: Option<i32>, own: Option<Priority>) -> Option<i32> {
    match (parent, own) {
        (parent, None | Some(Priority::Required)) => parent,
        (None, Some(Priority::Level(own))) => Some(own),
        (Some(parent), Some(Priority::Level(own))) => Some(own.min(parent)),
    }
}
