//! Sections: who they are, in which form they stand, and what is printed of them.

use super::walk::{Context, Frame, Host, Known, Sink, Walk};
use crate::error::PromptError;
use crate::node::{
    Attribute, AttributeSource, Content, Guarding, Node, NodeInfo, Output, Priority, Section,
    SectionInfo, Text, Title, has_words,
};
use crate::page::{Between, Op, Page, SectionOp, Style, SuffixOp, TagOp, Treatment, Words, run};
use crate::rows::{Absent, Row, RowId, Step};
use crate::visibility::Form;
use prompt_syntax::Special;
use std::borrow::Cow;

/// A section, or an item, that is about to be printed.
pub(super) struct Unit<'a> {
    pub(super) row: RowId,
    /// How long the path was before it.
    pub(super) before: usize,
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
    /// Whether it prints no heading because all it holds are messages.
    pub(super) is_bare: bool,
    /// Whether only its rows are wanted.
    pub(super) is_quiet: bool,
}

/// What is to be done behind the full form of a section.
struct Parts<'a> {
    /// Where it is on the tape, and where its body begins there.
    section: usize,
    body: usize,
    is_empty: bool,
    /// Whether the full form is printed.
    is_shown: bool,
    summary: Option<&'a Text>,
    child: Option<&'a dyn crate::node::Node>,
}

impl<'a> Walk<'_, '_, '_, 'a> {
    /// Meets a section of a node: asks for it, and notes its row. Nothing where it is not there.
    pub(super) fn meet(
        &mut self,
        frame: &mut Frame<'a>,
        index: usize,
        level: i32,
    ) -> Result<Option<Box<Unit<'a>>>, PromptError> {
        let info: &'a SectionInfo = &frame.info.sections[index];
        self.is_disordered |= index < frame.met;
        frame.met = frame.met.max(index + 1);
        let known = frame.asked.get_mut(index);
        let known = known.map(|known| std::mem::replace(known, Known::Met(false)));
        let asked = match known {
            Some(Known::Asked(asked)) => asked,
            _ => frame.node.section(index),
        };
        let is_empty = asked.content.is_empty();
        if !asked.when || (is_empty && info.empty.is_none()) {
            // It was switched off, or empty: the text depends on that from here on.
            self.op(Op::Depends);
            if self.titles.is_some() {
                self.rows.absent.push(Absent {
                    parent: frame.context.row,
                    info,
                    node: asked.content.node(),
                    is_off: !asked.when,
                });
            }
            return Ok(None);
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
        let mut unit = Box::new(Unit::silent(id, info, frame.context, form));
        unit.before = before;
        unit.is_conditional = is_conditional(&asked);
        unit.content = asked.content;
        unit.context.level = match info.heading.level {
            Some(level) => i32::from(level) + frame.shift,
            None => level,
        };
        self.dress(frame, &mut unit, index)?;
        Ok(Some(unit))
    }

    pub(super) fn note_focus(&mut self) {
        let focus = self.view.focus.as_deref();
        self.has_met_focus |= focus == Some(self.path.as_str());
    }

    /// What stands around a section: its title, tag and number; where it is printed.
    fn dress(
        &mut self,
        frame: &mut Frame<'a>,
        unit: &mut Unit<'a>,
        index: usize,
    ) -> Result<(), PromptError> {
        let info = unit.info;
        let child = unit.content.node();
        if self.is_quiet() || (unit.form == Form::Gone && !self.takes_both) {
            unit.is_quiet = true;
            if self.titles.is_some() {
                let title = self.section_title(frame, info, child.map(Host::Node));
                self.titles.get_or_insert_default().push(title);
            }
            if unit.is_conditional {
                self.op(Op::Depends);
            }
            return Ok(());
        }
        unit.title = self.section_title(frame, info, child.map(Host::Node))?;
        if let Some(titles) = &mut self.titles {
            titles.push(Ok(unit.title.clone()));
        }
        // A history is not part of the text.
        let is_spliced = matches!(unit.content, Content::Messages(_));
        let is_list = self.rows.row(unit.row).is_list;
        unit.is_bare = is_spliced || (is_list && holds_messages(&unit.content));
        let style = self.view.look.style;
        let tag = tag_of(info, child.map(Node::info), style);
        unit.tag = tag.filter(|_| !unit.is_bare);
        let has_role = info.policy.role.is_some();
        unit.is_titled = !info.is_untitled() && unit.tag.is_none() && !has_role && !unit.is_bare;
        if has_role {
            unit.context.level = i32::from(self.view.look.base_level);
        }
        unit.number = (unit.context.is_numbered && unit.is_titled)
            .then(|| declared_number(frame.info, index));
        unit.is_counted = unit.context.is_counted;
        let lines = info.heading.gap.or(frame.info.container.heading.gap);
        unit.between = between(
            lines,
            unit.tag.is_some(),
            info,
            unit.is_titled,
            unit.context.depth,
        );
        Ok(())
    }

    /// Prints a section, or an item, that was met.
    pub(super) fn stand(
        &mut self,
        frame: &mut Frame<'a>,
        unit: &mut Unit<'a>,
    ) -> Result<(), PromptError> {
        if unit.is_quiet {
            self.quiet += 1;
            self.full(frame, unit)?;
            self.quiet -= 1;
        } else {
            let parts = self.begin(frame, unit)?;
            let is_shown = parts.is_shown;
            self.quiet += u32::from(!is_shown);
            if !parts.is_empty {
                self.full(frame, unit)?;
            }
            self.quiet -= u32::from(!is_shown);
            self.finish(frame, unit, &parts)?;
        }
        self.rows.close(unit.row);
        self.leave(unit.before);
        Ok(())
    }

    /// Heading and tag; and what is printed instead of nothing.
    fn begin(
        &mut self,
        frame: &mut Frame<'a>,
        unit: &mut Unit<'a>,
    ) -> Result<Parts<'a>, PromptError> {
        let row = self.rows.row(unit.row);
        let (is_empty, is_list) = (row.is_empty, row.is_list);
        let summary = row.summary().filter(|_| !is_empty && !is_list);
        if unit.form == Form::Summary && summary.is_none() && !is_empty {
            return Err(PromptError::SummaryMissing {
                path: self.path.clone(),
            });
        }
        let child = unit.content.node();
        let has_sections = child.is_some_and(|child| !child.info().sections.is_empty());
        let op = SectionOp {
            row: unit.row,
            level: unit.context.level,
            title: unit.title.clone(),
            is_titled: unit.is_titled,
            number: unit.number,
            is_counted: unit.is_counted,
            may_vanish: (is_list || has_sections) && !is_empty,
            between: unit.between,
            head: 0,
            full: 0,
            summary: 0,
            tail: 1 + usize::from(unit.tag.is_some()),
        };
        if unit.is_conditional {
            self.op(Op::Depends);
        }
        let section = match &mut self.sink {
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
        self.head(frame, unit)?;
        self.op(Op::Body);
        let body = self.tape_len();
        if let Some(text) = unit.info.empty.as_ref().filter(|_| is_empty) {
            let inner = inside(unit);
            self.template(text, Host::Frame(frame), 0, &inner, None)?;
        }
        Ok(Parts {
            section,
            body,
            is_empty,
            is_shown: self.takes_both || unit.form == Form::Full,
            summary: summary.filter(|_| self.takes_both || unit.form == Form::Summary),
            child,
        })
    }

    /// The short form, and the end.
    fn finish(
        &mut self,
        frame: &mut Frame<'a>,
        unit: &Unit<'a>,
        parts: &Parts<'a>,
    ) -> Result<(), PromptError> {
        let full = self.tape_len();
        if let Some(summary) = parts.summary {
            self.summary(frame, unit, summary, parts.child)?;
        }
        self.note_parts(parts, full);
        if unit.tag.is_some() {
            self.op(Op::EndTag);
        }
        self.op(Op::EndSection);
        Ok(())
    }

    fn tape_len(&self) -> usize {
        match &self.sink {
            Sink::Tape(tape) => tape.len(),
            _ => 0,
        }
    }

    /// Notes on the tape where the two forms of a section stand: the full one first.
    fn note_parts(&mut self, parts: &Parts<'a>, full: usize) {
        let Parts { section, body, .. } = *parts;
        if let Sink::Tape(tape) = &mut self.sink {
            let end = tape.len();
            if let Some(Op::Section(op)) = tape.get_mut(section) {
                (op.head, op.full, op.summary) = (body - section - 1, full - body, end - full);
            }
        }
    }

    /// The tag, and the heading.
    fn head(&mut self, frame: &mut Frame<'a>, unit: &Unit<'a>) -> Result<(), PromptError> {
        if unit.tag.is_some() {
            let tag = self.tag(frame, unit, &unit.title)?;
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
                self.template(
                    form,
                    Host::Frame(frame),
                    item,
                    &unit.context,
                    Some(&special),
                )?;
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
            attributes
                .iter()
                .any(|attribute| attribute.value != AttributeSource::Title || title.is_computed)
        };
        let mut tag = TagOp {
            name: Cow::Borrowed(unit.tag.unwrap_or_default()),
            attributes: Vec::new(),
            depth: unit.context.depth,
            indent: unit.context.indent,
            is_inline: info.markup.inline
                || markup.is_some_and(|markup| markup.inline)
                || (unit.item.is_some() && unit.content.is_text()),
            is_hollow: is_hollow(&unit.content) && (unit.item.is_some() || info.intro.is_empty()),
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
            if tag
                .attributes
                .iter()
                .any(|(name, _)| *name == attribute.name)
            {
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
    fn full(&mut self, frame: &mut Frame<'a>, unit: &mut Unit<'a>) -> Result<(), PromptError> {
        self.introduction(frame, unit)?;
        match std::mem::replace(&mut unit.content, Content::Unit) {
            Content::Node(node) => {
                let shift = unit.context.level - i32::from(node.info().text.base);
                self.node(node, &unit.context, shift)
            }
            Content::List(entries) if self.rows.row(unit.row).is_list => {
                self.items(Some(frame), unit, entries)
            }
            content => self.alone(frame, unit, content),
        }
    }

    /// The introduction. What stands behind it stands inside the section.
    fn introduction(
        &mut self,
        frame: &mut Frame<'a>,
        unit: &mut Unit<'a>,
    ) -> Result<(), PromptError> {
        unit.context = inside(unit);
        let info = unit.info;
        if unit.item.is_none() && !info.intro.is_empty() && !self.is_quiet() {
            self.op(Op::Run { from_text: false });
            self.template(&info.intro, Host::Frame(frame), 0, &unit.context, None)?;
            self.op(Op::Next(Between::Words("\n\n")));
            self.op(Op::EndRun);
        }
        unit.context.row = Some(unit.row);
        Ok(())
    }

    /// What has no sections of its own.
    fn alone(
        &mut self,
        frame: &mut Frame<'a>,
        unit: &Unit<'a>,
        content: Content<'a>,
    ) -> Result<(), PromptError> {
        let comes_from_field = self.with_sources;
        if comes_from_field {
            self.op(Op::Mark);
        }
        let is_plain_item = unit.info.items.title.is_none() && unit.info.items.tag.is_none();
        if unit.item.is_some() && content.is_text() && is_plain_item {
            self.bullet(unit.name.as_deref(), content, &unit.context)?;
        } else {
            self.embedded(Some((frame, unit)), content, &unit.context)?;
        }
        if comes_from_field {
            self.op(Op::ComesFrom(frame.context.row, &unit.info.field));
        }
        Ok(())
    }

    /// What a section, or the root, embeds.
    pub(super) fn embedded(
        &mut self,
        section: Option<(&mut Frame<'a>, &Unit<'a>)>,
        content: Content<'a>,
        context: &Context<'a>,
    ) -> Result<(), PromptError> {
        let treatment = context.treatment();
        let (info, item) = match &section {
            Some((_, unit)) => (unit.info, unit.item.unwrap_or(0)),
            None => (SectionInfo::EMPTY, 0),
        };
        match content {
            // Nodes have sections of their own.
            Content::Absent | Content::Unit | Content::Messages(_) | Content::Node(_) => Ok(()),
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
                run(&mut line, &place, text)?;
                page.into_values()
                    .map_err(|error| error.at(|| self.path.clone()))?;
                self.text(treatment, &printed)
            }
            Content::List(entries) => self.texts(entries, info, context),
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
        // The full form was met before: the context is that of what stands inside the section.
        let inner = &unit.context;
        let is_own = unit.info.summary.is_some();
        if let Some(child) = child.filter(|_| !is_own) {
            self.template(summary, Host::Node(child), 0, inner, None)?;
        } else {
            let item = unit.item.unwrap_or(0);
            self.template(summary, Host::Frame(frame), item, inner, None)?;
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
    /// A section of which nothing is printed so far.
    pub(super) fn silent(
        row: RowId,
        info: &'a SectionInfo,
        context: Context<'a>,
        form: Form,
    ) -> Self {
        Self {
            row,
            before: 0,
            info,
            content: Content::Unit,
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
            is_quiet: false,
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
fn tag_of<'a>(info: &'a SectionInfo, child: Option<&'a NodeInfo>, style: Style) -> Option<&'a str> {
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
