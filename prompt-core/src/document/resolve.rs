//! Asks a tree. The sections of a node come first, in the order of their declaration, whatever order their slots have;
//! then its text, whose slots name them. What is closed and stays closed is asked for its short form alone; where headings
//! are numbered also for its titles, since what is behind one that prints nothing counts on.

use super::{
    ABSENT, Absence, Absent, Document, Event, Lists, MAX_DEPTH, Number, Piece, Range, RootTag,
    SectionId, Shared, Slot, Treatment, number,
    reached::Reached,
    section::Start,
    text::{Env, Place, below, literal},
};
use crate::errors::PromptError;
use crate::messages::tool::ToolSpec;
use crate::node::{
    AttributeSource, Content, Embedded, Form, Guarding, NodeInfo, NodeRef, Overrides, Scope,
    SectionInfo, Text, Title, has_slot,
};
use prompt_syntax::Target;
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
    pub(super) priority: Option<i32>,
    /// The number of what its node says of its sections.
    pub(super) shared: u32,
    /// Whether headings are numbered, here or further out.
    pub(super) is_counted: bool,
    /// Nothing of it is shown, nor wanted.
    pub(super) is_closed: bool,
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
    pub(super) path: String,
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

    /// Lists that grow step by step cost more than a little room.
    fn new(root: Embedded<'a>) -> Self {
        let node = root.content.node();
        let info = node.map_or(NodeInfo::EMPTY, NodeRef::info);
        let count = info.sections.len();
        // A few sections are mostly all that there are, many hold others.
        let all = match count {
            0..4 => count + 1,
            _ => count + (15 * count).min(128),
        };
        Self {
            node,
            varies: root.varies,
            root,
            written: String::with_capacity(384 + 128 * all),
            values: Vec::with_capacity(info.variables.len() + all + 4),
            marks: Vec::new(),
            phrase_tags: BTreeSet::new(),
            lists: Lists::with_capacity(5 * all + 16, info.text.elements.len() + 4 * all + 4),
            heads: Vec::new(),
            fences: Vec::new(),
            sections: Vec::with_capacity(all),
            shared: Vec::new(),
            order: Vec::with_capacity(2 * all),
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

impl<'a> Resolve<'_, 'a> {
    fn root(&mut self, root: Embedded<'a>) -> Done {
        let mut context = Context {
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
        self.tools(node, None, None, context);
        let placed = self.sections(node, 1, context, &mut Number::default())?;
        if let Some(name) = &info.container.markup.tag {
            self.root_tag(node, name);
        }
        let from = self.document.lists.events.len();
        self.node(node, &placed, context, 1);
        self.document.body = Range::new(from, self.document.lists.events.len());
        Ok(())
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
        base: u8,
        context: &mut Context,
        count: &mut Number,
    ) -> Done<Placed> {
        let info = node.info();
        self.check_values(info, context.parent);
        let len = info.sections.len();
        if len == 0 {
            return Ok(Placed::default());
        }
        let since = count.since;
        if self.enter(node, base, context) {
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

    /// What a node says of its sections. Gives whether it begins to number their headings.
    fn enter(&mut self, node: NodeRef<'a>, base: u8, context: &mut Context) -> bool {
        let container = &node.info().container;
        let heading = &container.heading;
        let around = *self.document.shared_of(context.shared);
        let mut shared = Shared {
            heading: None,
            is_tight: heading.tight,
            gap: heading.gap,
            numbered: container.numbered.or(around.numbered),
            base,
            ..around
        };
        let host = Host::of(&node, self.document.order.len());
        if let Some(form) = heading.form.as_ref().filter(|_| !context.is_closed) {
            shared.heading = Some(self.text(host, form, context.treatment, context.parent));
        }
        if let Some(suffix) = &container.summary_suffix {
            shared.suffix = Some(self.text(host, suffix, context.treatment, context.parent));
        }
        context.is_counted |= container.numbered == Some(true);
        if shared != around {
            self.document.shared.push(shared);
            context.shared = number(self.document.shared.len());
        }
        around.numbered != Some(true) && shared.numbered == Some(true)
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
        if !info.lead.is_empty() && !is_deep && self.has_usual_headings(context) {
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
        let start = Start {
            info,
            key: Cow::Borrowed(&info.key),
            item: None,
            visibility: asked.visibility.unwrap_or(info.visibility.into()),
            priority: asked.priority.or(info.policy.priority),
            is_empty,
            varies: asked.conditional,
        };
        let id = self.begin(start, &asked.content, context);
        self.document.sections[id as usize].number = number;
        self.title_and_tag(host, id, None, &asked.content, context);
        if is_counted {
            let is_sure_there = !self.document.section(id).varies && !reached.is_divided;
            let may_vary = info.is_numbered() || !is_sure_there;
            count.varies |= may_vary && !is_sure(info, Some(&asked.content));
        }
        self.tools(node, Some(index), Some(id), context);
        self.inside(host, id, (asked.content, None), context, count)?;
        Ok(Some(id))
    }

    /// Whether the headings of a node's sections are what they are without its saying anything of them.
    fn has_usual_headings(&self, context: &Context) -> bool {
        let shared = self.document.shared_of(context.shared);
        !shared.is_tight && shared.heading.is_none()
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
                let base = child.info().text.base;
                let placed = self.sections(child, base, &mut inner, count)?;
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
