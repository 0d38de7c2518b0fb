//! Sections: who they are, in which form they stand, and what is printed of them.

use super::{
    list::Sequence,
    walk::{Context, Frame, Host, Known, Sink, Walk},
};
use crate::error::PromptError;
use crate::node::{
    Attribute, AttributeSource, Content, Guarding, NodeInfo, Output, Priority, Section,
    SectionInfo, Text, Title, has_words,
};
use crate::page::{Between, Op, Page, SectionOp, Style, SuffixOp, TagOp, Treatment, Words, run};
use crate::rows::{Row, RowId, Step};
use crate::visibility::Form;
use prompt_syntax::Special;
use std::borrow::Cow;

/// A section, or an item, that is about to be printed.
pub(super) struct Unit<'a> {
    pub(super) row: RowId,
    pub(super) info: &'a SectionInfo,
    pub(super) content: Content<'a>,
    pub(super) title: Words,
    pub(super) is_titled: bool,
    pub(super) number: Option<u32>,
    pub(super) is_counted: bool,
    pub(super) tag: Option<&'a str>,
    /// Its name in a map, as an attribute of its tag.
    pub(super) name: Option<String>,
    /// Number of the item, if it is one.
    pub(super) item: Option<usize>,
    pub(super) is_conditional: bool,
    pub(super) context: Context<'a>,
    pub(super) between: Between<'a>,
    pub(super) form: Form,
    pub(super) is_bare: bool,
}

impl<'a> Walk<'_, '_, 'a> {
    /// Meets a section of a node.
    pub(super) fn section(
        &mut self,
        frame: &mut Frame<'a>,
        index: usize,
        asked: Section<'a>,
        level: i32,
    ) -> Result<(), PromptError> {
        let info: &'a SectionInfo = &frame.info.sections[index];
        let is_empty = asked.content.is_empty();
        if !asked.when || (is_empty && info.empty.is_none()) {
            // It was switched off, or empty: the text depends on that from here on.
            self.op(Op::Depends);
            return Ok(());
        }
        let is_list = has_rows(&asked.content, info);
        let before = self.enter(&info.key)?;
        let declared = asked.visibility.unwrap_or(info.visibility);
        let (form, is_opened) = self.view.form(&self.path, is_list, declared);
        self.note_focus();
        let parent = frame.context.row;
        let own_priority = asked.priority.or(info.policy.priority);
        let around = parent.and_then(|row| self.rows.row(row).priority);
        let id = self.rows.push(Row {
            parent,
            end: 0,
            info,
            step: Step::Section(u32::try_from(index).unwrap_or(u32::MAX)),
            key: Cow::Borrowed(&info.key),
            node: asked.content.node(),
            messages: asked.content.messages(),
            markdown: asked.content.markdown(),
            declared,
            form,
            is_opened,
            priority: effective(around, own_priority),
            own_priority,
            depth: self.depth,
            is_empty,
            is_list,
        });
        self.tools(frame.node, Some(index), Some(id));
        if let Some(child) = asked.content.node() {
            self.tools(child, None, Some(id));
        }
        if let Some(known) = frame.asked.get_mut(index) {
            *known = Known::Met(form != Form::Gone);
        }
        let printed = self.print_section(frame, id, asked, form, level);
        self.rows.close(id);
        self.leave(before);
        printed
    }

    pub(super) fn note_focus(&mut self) {
        let focus = self.view.focus.as_deref();
        self.has_met_focus |= focus == Some(self.path.as_str());
    }

    fn print_section(
        &mut self,
        frame: &mut Frame<'a>,
        id: RowId,
        asked: Section<'a>,
        form: Form,
        level: i32,
    ) -> Result<(), PromptError> {
        let row = self.rows.row(id);
        let (info, is_list, step) = (row.info, row.is_list, row.step);
        let child = asked.content.node();
        let context = Context {
            level,
            ..frame.context
        };
        if self.is_quiet() || (form == Form::Gone && !self.takes_both) {
            if self.titles.is_some() {
                let title = self.section_title(frame, info, child.map(Host::Node));
                self.titles.get_or_insert_default().push(title);
            }
            if !self.is_quiet() && is_conditional(&asked) {
                self.op(Op::Depends);
            }
            let mut unit = Unit::silent(id, info, asked.content, context, form);
            return self.quietly(|walk| walk.full(frame, &mut unit));
        }
        let title = self.section_title(frame, info, child.map(Host::Node))?;
        if let Some(titles) = &mut self.titles {
            titles.push(Ok(title.clone()));
        }
        // A history is not part of the text.
        let is_spliced = matches!(asked.content, Content::Messages(_));
        let is_bare = is_spliced || (is_list && holds_messages(&asked.content));
        let style = self.view.look.style;
        let tag = tag_of(info, child.map(|child| child.info()), style).filter(|_| !is_bare);
        let has_role = info.policy.role.is_some();
        let is_titled = !info.is_untitled() && tag.is_none() && !has_role && !is_bare;
        let context = Context {
            level: if has_role {
                i32::from(self.view.look.base_level)
            } else {
                context.level
            },
            ..context
        };
        let number = (context.is_numbered && is_titled)
            .then(|| declared_number(frame.info, step.index() as usize));
        let lines = info.heading.gap.or(frame.info.container.heading.gap);
        let between = between(lines, tag.is_some(), info, is_titled, context.depth);
        let is_conditional = is_conditional(&asked);
        let mut unit = Unit {
            row: id,
            info,
            content: asked.content,
            title,
            is_titled,
            number,
            is_counted: context.is_counted,
            tag,
            name: None,
            item: None,
            is_conditional,
            context,
            between,
            form,
            is_bare,
        };
        self.unit(frame, &mut unit)
    }

    /// Prints heading or tag, and what stands in it.
    pub(super) fn unit(
        &mut self,
        frame: &mut Frame<'a>,
        unit: &mut Unit<'a>,
    ) -> Result<(), PromptError> {
        let (id, info) = (unit.row, unit.info);
        let takes_both = self.takes_both;
        let is_empty = self.rows.row(id).is_empty;
        let is_list = self.rows.row(id).is_list;
        let summary = self.rows.row(id).summary();
        let summary = summary.filter(|_| !is_empty && !is_list);
        if unit.form == Form::Summary && summary.is_none() && !is_empty {
            return Err(PromptError::SummaryMissing {
                path: self.path.clone(),
            });
        }
        let child = unit.content.node();
        let has_sections = child.is_some_and(|child| !child.info().sections.is_empty());
        let op = SectionOp {
            row: id,
            level: unit.context.level,
            title: std::mem::take(&mut unit.title),
            is_titled: unit.is_titled,
            number: unit.number,
            is_counted: unit.is_counted,
            may_vanish: (is_list || has_sections) && !is_empty,
            between: unit.between,
            head: 0,
            full: 0,
            summary: 0,
            tail: 0,
        };
        let title = op.title.clone();
        if unit.is_conditional {
            self.op(Op::Depends);
        }
        let noted = match &mut self.sink {
            Sink::Page(page) => {
                page.begin_section(&op, unit.form);
                0
            }
            Sink::Tape(tape) => {
                tape.push(Op::Section(Box::new(op)));
                tape.len() - 1
            }
            Sink::Nowhere => 0,
        };
        self.head(frame, unit, &title)?;
        self.op(Op::Body);
        let body = self.tape_len();
        let tail = 1 + usize::from(unit.tag.is_some());
        if is_empty {
            let inner = inside(unit);
            if let Some(text) = &info.empty {
                self.template(text, Host::Frame(frame), 0, inner, None)?;
            }
            self.note_parts(noted, body, self.tape_len(), tail);
        } else {
            if takes_both || unit.form == Form::Full {
                self.full(frame, unit)?;
            } else {
                self.quietly(|walk| walk.full(frame, unit))?;
            }
            let full = self.tape_len();
            if let Some(summary) = summary.filter(|_| takes_both || unit.form == Form::Summary) {
                self.summary(frame, unit, summary, child)?;
            }
            self.note_parts(noted, body, full, tail);
        }
        if unit.tag.is_some() {
            self.op(Op::EndTag);
        }
        match &mut self.sink {
            Sink::Page(page) => page.end_section(),
            _ => self.op(Op::EndSection),
        }
        Ok(())
    }

    fn tape_len(&self) -> usize {
        match &self.sink {
            Sink::Tape(tape) => tape.len(),
            _ => 0,
        }
    }

    /// Notes on the tape where the two forms of a section stand: the full one first.
    fn note_parts(&mut self, noted: usize, body: usize, full: usize, tail: usize) {
        if let Sink::Tape(tape) = &mut self.sink {
            let end = tape.len();
            if let Some(Op::Section(op)) = tape.get_mut(noted) {
                (op.head, op.full, op.summary) = (body - noted - 1, full - body, end - full);
                op.tail = tail;
            }
        }
    }

    /// The tag, and the heading.
    fn head(
        &mut self,
        frame: &mut Frame<'a>,
        unit: &Unit<'a>,
        title: &Words,
    ) -> Result<(), PromptError> {
        if unit.tag.is_some() {
            let tag = self.tag(frame, unit, title)?;
            self.op(Op::Tag(Box::new(tag)));
        }
        if !unit.is_titled {
            return Ok(());
        }
        let info = unit.info;
        let treatment = Treatment {
            block: false,
            guarding: unit.context.guarding,
            untrusted: unit.context.is_untrusted || info.markup.untrusted,
            ..Treatment::default()
        };
        let item = unit.item.unwrap_or(0);
        match info.heading.form.as_ref().or(unit.context.heading) {
            Some(form) => {
                let special = |_: Special| Op::TitleWords(treatment);
                self.template(form, Host::Frame(frame), item, unit.context, Some(&special))?;
            }
            None => self.op(Op::Heading(treatment)),
        }
        let tight = unit.context.is_tight || info.heading.tight;
        self.op(Op::EndHeading { tight });
        Ok(())
    }

    fn tag(
        &mut self,
        frame: &Frame<'a>,
        unit: &Unit<'a>,
        title: &Words,
    ) -> Result<TagOp<'a>, PromptError> {
        let info = unit.info;
        let child = unit.content.node();
        let markup = child.map(|child| &child.info().container.markup);
        let own: &'a [Attribute] = markup.map_or(&[], |markup| &markup.attributes);
        let attributes: &'a [Attribute] = if unit.item.is_none() {
            &info.markup.attributes
        } else {
            &[]
        };
        let is_computed = |attributes: &[Attribute]| {
            attributes.iter().any(|attribute| {
                attribute.value != AttributeSource::Title || title.is_computed
            })
        };
        let mut tag = TagOp {
            name: Cow::Borrowed(unit.tag.unwrap_or_default()),
            attributes: Vec::new(),
            depth: unit.context.depth,
            indent: unit.context.indent,
            is_inline: info.markup.inline
                || markup.is_some_and(|markup| markup.inline)
                || (unit.item.is_some() && unit.content.is_text()),
            is_hollow: is_hollow(&unit.content)
                && (unit.item.is_some() || info.intro.is_empty()),
            is_computed: is_computed(attributes) || is_computed(own),
        };
        self.attributes(&mut tag, attributes, frame.node, title)?;
        let has_name = |attribute: &Attribute| attribute.name == "name";
        if let Some(name) = &unit.name
            && info.items.title.is_none()
            && !own.iter().any(has_name)
        {
            tag.attributes.push(("name", name.clone()));
        }
        if let Some(child) = child {
            self.attributes(&mut tag, own, child, title)?;
        }
        Ok(tag)
    }

    /// The attributes that have a value. One that stands already is not repeated: the section's goes before its type's.
    pub(super) fn attributes(
        &mut self,
        tag: &mut TagOp<'a>,
        attributes: &'a [Attribute],
        node: &'a dyn crate::node::Node,
        title: &Words,
    ) -> Result<(), PromptError> {
        for attribute in attributes {
            if tag.attributes.iter().any(|(name, _)| *name == attribute.name) {
                continue;
            }
            let AttributeSource::Variable(index) = attribute.value else {
                let title = title.text.replace('\n', " ");
                tag.attributes.push((&attribute.name, title));
                continue;
            };
            let mut value = String::new();
            let mut output = Output::new(&mut value);
            if node.value(usize::from(index), &mut output).is_err() {
                return Err(self.failed(&attribute.name));
            }
            if !output.is_omitted() && !value.is_empty() {
                tag.attributes.push((&attribute.name, value));
            }
        }
        Ok(())
    }

    /// Introduction and content.
    pub(super) fn full(
        &mut self,
        frame: &mut Frame<'a>,
        unit: &mut Unit<'a>,
    ) -> Result<(), PromptError> {
        let info = unit.info;
        let inner = inside(unit);
        self.op(Op::Run { from_text: false });
        if unit.item.is_none() && !info.intro.is_empty() && !self.is_quiet() {
            self.template(&info.intro, Host::Frame(frame), 0, inner, None)?;
            self.op(Op::Next(Between::Words("\n\n")));
        }
        self.op(Op::EndRun);
        let content = std::mem::replace(&mut unit.content, Content::Unit);
        self.content(frame, unit, content, inner)
    }

    fn content(
        &mut self,
        frame: &mut Frame<'a>,
        unit: &Unit<'a>,
        content: Content<'a>,
        inner: Context<'a>,
    ) -> Result<(), PromptError> {
        if self.rows.row(unit.row).is_list {
            let Content::List(entries) = content else {
                return Ok(());
            };
            let list = Sequence {
                info: unit.info,
                entries,
                row: Some(unit.row),
            };
            return self.items(Some(frame), list, inner);
        }
        let comes_from_field = self.with_sources && content.node().is_none();
        if comes_from_field {
            self.op(Op::Mark);
        }
        let row = frame.context.row;
        let is_plain_item = unit.info.items.title.is_none() && unit.info.items.tag.is_none();
        if unit.item.is_some() && content.is_text() && is_plain_item {
            self.bullet(unit.name.as_deref(), content, &inner)?;
        } else {
            self.embedded(Some((frame, unit)), content, inner)?;
        }
        if comes_from_field {
            self.op(Op::ComesFrom(row, &unit.info.field));
        }
        Ok(())
    }

    /// What a section, or the root, embeds.
    pub(super) fn embedded(
        &mut self,
        section: Option<(&mut Frame<'a>, &Unit<'a>)>,
        content: Content<'a>,
        context: Context<'a>,
    ) -> Result<(), PromptError> {
        let treatment = context.treatment();
        let (info, item) = match &section {
            Some((_, unit)) => (unit.info, unit.item.unwrap_or(0)),
            None => (SectionInfo::EMPTY, 0),
        };
        match content {
            Content::Absent | Content::Unit | Content::Messages(_) => Ok(()),
            Content::Failed => Err(self.failed(&info.field)),
            Content::Text(text) => self.text(treatment, &text),
            Content::Printed(printed) => {
                let written = self.value(treatment, |output| {
                    output.pieces(&printed.text, &printed.values);
                    Ok(())
                });
                written.map_err(|_| self.failed(&info.field))
            }
            Content::Written { variable, .. } => {
                let Some((frame, _)) = section else {
                    return Ok(());
                };
                let own = crate::page::treatment(frame.info, variable);
                let treatment = Treatment {
                    untrusted: treatment.untrusted || own.untrusted,
                    raw: own.raw,
                    hang: own.hang,
                    ..treatment
                };
                let node = frame.node;
                let written = self.value(treatment, |output| {
                    output.set_item(item);
                    node.value(usize::from(variable), output)
                });
                let failed = frame.info.failed(usize::from(variable));
                written.map_err(|_| failed.at(|| self.path.clone()))
            }
            // Its headings are what is not to be trusted, or part of what is escaped.
            Content::Markdown(markdown)
                if context.is_untrusted
                    || matches!(context.guarding, Guarding::Escaped | Guarding::Cdata) =>
            {
                self.text(treatment, markdown.as_str())
            }
            Content::Markdown(markdown) => {
                if self.is_quiet() {
                    return Ok(());
                }
                let text = markdown
                    .printable()
                    .map_err(|error| error.at(|| self.path.clone()))?;
                let look = crate::page::Look {
                    overflow: self.view.look.overflow,
                    ..Default::default()
                };
                let mut printed = String::new();
                let mut page = Page::new(&mut printed, &look);
                let place = crate::page::Place {
                    scope: &NoScope,
                    item: 0,
                    shift: context.level - i32::from(text.base),
                    depth: 0,
                    indent: 0,
                };
                let mut line = crate::page::Line {
                    page: &mut page,
                    info: NodeInfo::EMPTY,
                    is_shown: &mut |_| false,
                };
                run(&mut line, place, text)?;
                page.into_values()
                    .map_err(|error| error.at(|| self.path.clone()))?;
                self.text(treatment, &printed)
            }
            Content::Node(node) => {
                let context = Context {
                    row: section.map(|(_, unit)| unit.row),
                    ..context
                };
                let shift = context.level - i32::from(node.info().text.base);
                self.node(node, context, shift)
            }
            Content::List(entries) => self.texts(entries, info, &context),
        }
    }

    /// Prints a text that is a value.
    pub(super) fn text(&mut self, treatment: Treatment<'a>, text: &str) -> Result<(), PromptError> {
        let written = self.value(treatment, |output| {
            output.push_str(text);
            Ok(())
        });
        written.map_err(|_| self.failed(""))
    }

    /// The short form, and how the model asks for the rest.
    fn summary(
        &mut self,
        frame: &mut Frame<'a>,
        unit: &Unit<'a>,
        summary: &'a Text,
        child: Option<&'a dyn crate::node::Node>,
    ) -> Result<(), PromptError> {
        let inner = inside(unit);
        let is_own = unit.info.summary.is_some();
        match child.filter(|_| !is_own) {
            Some(child) => self.template(summary, Host::Node(child), 0, inner, None)?,
            None => {
                let item = unit.item.unwrap_or(0);
                self.template(summary, Host::Frame(frame), item, inner, None)?;
            }
        }
        if child.is_some_and(|child| !child.info().sections.is_empty()) {
            self.op(Op::Depends);
        }
        self.op(Op::SuffixGap);
        let key = self.path.clone();
        let end = self.rows.len();
        let mut keys: Vec<&str> = Vec::new();
        if child.is_some() {
            let mut next = unit.row + 1;
            while next < end {
                let row = self.rows.row(next);
                if row.form != Form::Gone {
                    keys.push(&row.key);
                }
                next = row.end;
            }
        }
        let subsections = keys.join(", ");
        let Some(wording) = inner.suffix else {
            self.op(Op::Suffix(Box::new(SuffixOp {
                in_tag: unit.tag.is_some(),
                key,
                subsections,
            })));
            return Ok(());
        };
        let special = |special: Special| {
            let words = match special {
                Special::Key => key.clone(),
                Special::Subsections => subsections.clone(),
                _ => String::new(),
            };
            Op::Printed(Box::new(Words::fixed(words)), Treatment::default())
        };
        self.template(wording, Host::Node(&NoNode), 0, inner, Some(&special))
    }

    /// The title of a section: explicit, the child's own, or made from the field's name.
    fn section_title(
        &mut self,
        frame: &mut Frame<'a>,
        info: &'a SectionInfo,
        child: Option<Host<'_, 'a>>,
    ) -> Result<Words, PromptError> {
        if let Title::Explicit(title) = &info.title {
            return self.words(title, Host::Frame(frame), 0);
        }
        if let Some(child) = child
            && let Some(title) = &child.info().container.title
        {
            return self.words(title, child, 0);
        }
        match &info.title {
            Title::Untitled(title) | Title::Fallback(title) => Ok(Words::fixed(title.clone())),
            Title::Explicit(_) => Ok(Words::default()),
        }
    }
}

impl<'a> Unit<'a> {
    /// A section of which nothing is printed.
    pub(super) fn silent(
        row: RowId,
        info: &'a SectionInfo,
        content: Content<'a>,
        context: Context<'a>,
        form: Form,
    ) -> Self {
        Self {
            row,
            info,
            content,
            title: Words::default(),
            is_titled: false,
            number: None,
            is_counted: false,
            tag: None,
            name: None,
            item: None,
            is_conditional: false,
            context,
            between: Between::NOTHING,
            form,
            is_bare: false,
        }
    }
}

/// A scope without values.
struct NoScope;
impl crate::node::Scope for NoScope {}

/// A node without anything.
pub(super) struct NoNode;
impl crate::node::Scope for NoNode {}
impl crate::node::Node for NoNode {
    fn info(&self) -> &NodeInfo {
        NodeInfo::EMPTY
    }
}

/// What a section passes on to what is inside it.
fn inside<'a>(unit: &Unit<'a>) -> Context<'a> {
    let (context, markup) = (unit.context, &unit.info.markup);
    let guarding = match markup.guarding {
        Guarding::Default => context.guarding,
        guarding => guarding,
    };
    Context {
        level: context.level + i32::from(unit.is_titled),
        depth: context.depth + usize::from(unit.tag.is_some()),
        is_counted: !unit.is_titled && !unit.is_bare,
        guarding,
        is_untrusted: context.is_untrusted || markup.untrusted,
        indent: markup.indent.map_or(context.indent, usize::from),
        ..context
    }
}

/// Whether a value decided that the section is there, or what it is.
fn is_conditional(asked: &Section<'_>) -> bool {
    asked.conditional || !matches!(asked.content, Content::Unit | Content::Node(_))
}

/// The tag that takes the place of a heading, if one does.
fn tag_of<'a>(
    info: &'a SectionInfo,
    child: Option<&'a NodeInfo>,
    style: Style,
) -> Option<&'a str> {
    let own = child.and_then(|child| child.container.markup.tag.as_ref());
    let explicit = info.markup.tag.as_ref().or(own);
    let is_implied = style == Style::Xml && !info.is_untitled() && info.policy.role.is_none();
    explicit
        .or(is_implied.then_some(&info.key))
        .map(AsRef::as_ref)
}

/// What stands between a section and what was printed before it.
pub(super) fn between<'a>(
    lines: Option<u8>,
    is_tag: bool,
    info: &SectionInfo,
    is_titled: bool,
    depth: usize,
) -> Between<'a> {
    Between::Gap {
        lines,
        is_tag: is_tag || (!is_titled && info.items.tag.is_some()),
        depth,
    }
}

/// The number of a section among those of its node that have a heading, switched-off ones included.
fn declared_number(info: &NodeInfo, index: usize) -> u32 {
    let is_numbered = |info: &&SectionInfo| {
        !info.is_untitled() && info.markup.tag.is_none() && info.policy.role.is_none()
    };
    let sections = info.sections.iter().take(index + 1).filter(is_numbered);
    u32::try_from(sections.count()).unwrap_or(u32::MAX)
}

/// Whether neither text nor sections were written for it.
fn is_hollow(content: &Content<'_>) -> bool {
    match content {
        Content::Unit => true,
        Content::Node(node) => {
            let info = node.info();
            info.text.is_empty() && info.sections.is_empty()
        }
        _ => false,
    }
}

/// Whether all that a list holds are messages: nodes without words of their own whose sections have roles.
pub(super) fn holds_messages(content: &Content<'_>) -> bool {
    match content {
        Content::List(entries) => {
            let mut there = entries.iter().filter(|entry| !entry.content.is_empty());
            there.clone().next().is_some() && there.all(|entry| holds_messages(&entry.content))
        }
        Content::Node(node) => {
            let info = node.info();
            let container = &info.container;
            let is_turn = |info: &SectionInfo| info.policy.role.is_some() || info.policy.messages;
            !has_words(&info.text)
                && container.start.is_empty()
                && container.end.is_empty()
                && !info.sections.is_empty()
                && info.sections.iter().all(is_turn)
        }
        Content::Messages(_) => true,
        _ => false,
    }
}

/// Whether the items of a list have rows: they are nodes, or have keys or titles of their own.
pub(super) fn has_rows(content: &Content<'_>, info: &SectionInfo) -> bool {
    let is_named = info.items.key.is_some() || info.items.title.is_some();
    content.is_node_list()
        || (is_named && matches!(content, Content::List(_)) && !content.is_empty())
}

/// `None` is required; a child is never kept longer than its parent.
fn effective(parent: Option<i32>, own: Option<Priority>) -> Option<i32> {
    match (parent, own) {
        (parent, None | Some(Priority::Required)) => parent,
        (None, Some(Priority::Level(own))) => Some(own),
        (Some(parent), Some(Priority::Level(own))) => Some(own.min(parent)),
    }
}
