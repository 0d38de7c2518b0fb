//! Opens and closes one section, or one item of a list: heading or tag, then introduction, summary or content.

use super::{
    Style,
    plan::Action,
    record::Entry,
    tag::{OpenTag, has_values},
    walk::{CloseFrame, Frame, Host, Scope, Walk},
    writer::{Point, Treatment},
};
use crate::error::PromptError;
use crate::node::Embedded;
use crate::node::Guarding;
use crate::node::SectionInfo;
use crate::node::Text;
use crate::tree;
use crate::tree::Step;
use crate::visibility::Visibility;
use prompt_syntax::{Mark, MarkKind};
use std::borrow::Cow;

/// A section or an item that is about to be printed.
pub(super) struct Unit<'a> {
    /// The node whose variables its templates use.
    pub(super) host: Host<'a>,
    pub(super) info: &'a SectionInfo,
    /// The item (from 0) that its templates are about.
    pub(super) item: usize,
    pub(super) step: Step,
    pub(super) key: Cow<'static, str>,
    pub(super) title: Cow<'static, str>,
    pub(super) titled: bool,
    /// The title is the key of a map's entry, which a tag carries as an attribute.
    pub(super) named: bool,
    pub(super) number: u32,
    pub(super) tag: Option<Cow<'a, str>>,
    /// The node that is embedded: its container attributes join those of the section.
    pub(super) child: Option<Host<'a>>,
    pub(super) body: Body<'a>,
    pub(super) scope: Scope<'a>,
}

/// What stands under the heading.
pub(super) enum Body<'a> {
    /// The short form of this content.
    Summary(&'a Text, Embedded<'a>),
    /// Printed instead of nothing.
    Empty(&'a Text),
    Full {
        intro: &'a Text,
        content: Embedded<'a>,
        /// Visibility that the items of a list have by declaration.
        items: Visibility,
    },
}

impl<'a> Walk<'_, 'a> {
    /// Prints the section with this index, unless it is switched off, empty, or dropped by a budget.
    pub(super) fn section(
        &mut self,
        host: Host<'a>,
        index: usize,
        mut scope: Scope<'a>,
        start: usize,
        number: u32,
    ) -> Result<(), PromptError> {
        let Some(info) = host.info.sections.get(index) else {
            return Ok(());
        };
        let section = host.node.section(index);
        let value = !matches!(section.content, Embedded::Unit | Embedded::Node(_));
        if section.conditional || value {
            self.writer.depends();
        }
        let empty = tree::is_empty(&section.content);
        if !section.when || (empty && info.empty.is_none()) {
            return Ok(());
        }
        let declared = section.visibility.unwrap_or(info.visibility);
        let visibility = if tree::is_node_list(&section.content) {
            Visibility::Full
        } else {
            self.visibility(&info.key, declared, &scope)
        };
        scope.chain = scope.chain.map(|depth| depth + 1);
        scope.priority =
            tree::effective_priority(scope.priority, section.priority.or(info.priority));
        let Some(visibility) = self.planned(visibility) else {
            return Ok(());
        };
        let child = tree::child(&section.content).map(Host::of);
        let title = tree::title(host.node, info, child.map(|child| child.node), None)?;
        // A history is not part of the text.
        let spliced = matches!(section.content, Embedded::Messages(_));
        let tag = self.tag_of(info, child).filter(|_| !spliced);
        let titled = !info.untitled && tag.is_none() && info.role.is_none() && !spliced;
        if info.role.is_some() {
            scope.level = i32::from(self.options.base_level);
        }
        let body = match (&info.empty, visibility) {
            (Some(text), _) if empty => Body::Empty(text),
            (_, Visibility::Summary) => {
                Body::Summary(self.summary_of(info, &info.key)?, section.content)
            }
            _ => Body::Full {
                intro: &info.intro,
                content: section.content,
                items: declared,
            },
        };
        if info.has_tools && visibility == Visibility::Full {
            self.offer_tools(host, Some(index));
        }
        let step = Step::Section(index);
        let key = info.key.clone();
        self.open(
            Unit {
                host,
                info,
                item: 0,
                step,
                key,
                title,
                titled,
                named: false,
                number,
                tag,
                child,
                body,
                scope,
            },
            start,
        )
    }

    /// How the section with this key is shown: as overridden, or as declared; what leads to the focus is full.
    pub(super) fn visibility(
        &self,
        key: &str,
        declared: Visibility,
        scope: &Scope<'a>,
    ) -> Visibility {
        if scope.chain.is_some_and(|depth| depth < self.chain.len()) {
            return Visibility::Full;
        }
        let overrides = self
            .options
            .overrides
            .filter(|overrides| !overrides.is_empty());
        overrides
            .and_then(|overrides| overrides.get(&self.path_with(key)))
            .unwrap_or(declared)
    }

    /// What a budget makes of the section that comes now; `None` if it is dropped with everything in it.
    pub(super) fn planned(&mut self, visibility: Visibility) -> Option<Visibility> {
        let action = self.action();
        if action != Action::Keep {
            self.writer.depends();
        }
        match (action, self.plan) {
            (Action::Drop, Some(plan)) => {
                self.ordinal = plan.end(self.ordinal);
                None
            }
            (Action::Summarise, _) => Some(Visibility::Summary),
            _ => Some(visibility),
        }
    }

    pub(super) fn summary_of(
        &self,
        info: &'a SectionInfo,
        key: &str,
    ) -> Result<&'a Text, PromptError> {
        info.summary
            .as_ref()
            .ok_or_else(|| PromptError::SummaryMissing {
                path: self.path_with(key),
            })
    }

    /// The tag that takes the place of a heading, if one does.
    fn tag_of(&self, info: &'a SectionInfo, child: Option<Host<'a>>) -> Option<Cow<'a, str>> {
        if info.role.is_some() {
            return None;
        }
        let explicit = info
            .tag
            .as_deref()
            .or_else(|| child.and_then(|child| child.info.tag.as_deref()));
        let implied =
            (self.options.style == Style::Xml && !info.untitled).then_some(info.key.as_ref());
        explicit.or(implied).map(Cow::Borrowed)
    }

    /// Prints heading or tag, and begins the body. `start` is where the run of sections began.
    pub(super) fn open(&mut self, unit: Unit<'a>, start: usize) -> Result<(), PromptError> {
        if let Some(gap) = self.gap_before(&unit.scope, unit.tag.is_some(), start) {
            self.writer.owe(gap);
        }
        let before = self.writer.point();
        let entry = self.enter(&unit, before);
        let Unit {
            host,
            info,
            item,
            scope,
            ..
        } = unit;
        let mut inner = Scope {
            level: scope.level + i32::from(unit.titled),
            untrusted: scope.untrusted || info.untrusted,
            indent: info.indent.map_or(scope.indent, usize::from),
            ..scope
        };
        if info.guarding != Guarding::Default {
            inner.guarding = info.guarding;
        }
        let tag = self.open_unit_tag(&unit)?;
        inner.depth += usize::from(tag.is_some());
        if unit.titled {
            self.heading(&unit)?;
        }
        let in_tag = tag.is_some();
        self.keys.push(unit.key);
        self.trail
            .push((unit.step, if unit.titled { unit.number } else { 0 }));
        self.frames.push(Frame::Close(CloseFrame {
            entry,
            before,
            tag,
            keyed: true,
        }));
        match unit.body {
            Body::Empty(text) => self.template(text, host, &inner, item).map(drop),
            Body::Summary(text, content) => {
                self.template(text, host, &inner, item)?;
                self.suffix(&inner, &content, in_tag, before.len)
            }
            Body::Full {
                intro,
                content,
                items,
            } => {
                if !intro.is_empty() && self.template(intro, host, &inner, item)? {
                    self.writer.owe("\n\n");
                }
                self.content(host, info, content, Some(items), inner)
            }
        }
    }

    fn open_unit_tag(&mut self, unit: &Unit<'a>) -> Result<Option<OpenTag<'a>>, PromptError> {
        let Some(name) = unit.tag.clone() else {
            return Ok(None);
        };
        let before = self.writer.len();
        let own = unit.child.map_or(&[][..], |child| &child.info.attributes);
        let computed = is_computed(&unit.title);
        if has_values(&unit.info.attributes, computed) || has_values(own, computed) {
            self.writer.depends();
        }
        let inline = unit.info.inline || unit.child.is_some_and(|child| child.info.inline);
        let mut tag = self.open_tag(name, unit.scope, inline);
        if matches!(unit.step, Step::Section(_)) {
            self.attributes(
                &mut tag,
                &unit.info.attributes,
                unit.host,
                unit.item,
                &unit.title,
            )?;
        }
        if unit.named {
            self.attribute(&mut tag, "name", &unit.title);
        }
        if let Some(child) = unit.child {
            self.attributes(&mut tag, &child.info.attributes, child, 0, &unit.title)?;
        }
        tag.hollow = match &unit.body {
            Body::Full { intro, content, .. } => intro.is_empty() && tree::is_hollow(content),
            _ => false,
        };
        self.end_of_open_tag(&mut tag);
        self.writer.tentative_since(before);
        Ok(Some(tag))
    }

    /// Enters the section into the table.
    fn enter(&mut self, unit: &Unit<'a>, before: Point<'a>) -> Option<usize> {
        let ordinal = self.ordinal;
        self.ordinal = match (self.action(), self.plan) {
            (Action::Summarise, Some(plan)) => plan.end(ordinal),
            _ => ordinal + 1,
        };
        let record = self.record.as_deref_mut()?;
        let summary = matches!(unit.body, Body::Summary(..));
        let index = record.entries.len();
        record.entries.push(Entry {
            parent: record.open,
            key: unit.key.clone(),
            title: unit.title.clone(),
            level: u8::try_from(unit.scope.level.clamp(1, 6)).unwrap_or(6),
            visibility: if summary {
                Visibility::Summary
            } else {
                Visibility::Full
            },
            start: before.len + before.pending.len(),
            end: before.len,
            location: unit.info.location,
            role: unit.info.role,
            cache: unit.info.cache,
            volatile: unit.info.volatile,
            priority: unit.scope.priority,
            has_summary: unit.info.summary.is_some() && !matches!(unit.body, Body::Empty(_)),
            list: matches!(&unit.body, Body::Full { content, .. } if tree::is_node_list(content)),
            messages: None,
        });
        record.open = Some(index);
        Some(index)
    }

    /// `## 1. Title`, or the form that the attribute gives.
    fn heading(&mut self, unit: &Unit<'a>) -> Result<(), PromptError> {
        let title = one_line(&unit.title);
        // A title that is not written in the source may hold anything.
        let is_value = !matches!(unit.title, Cow::Borrowed(_));
        let treatment = Treatment {
            guarding: unit.scope.guarding,
            untrusted: unit.scope.untrusted || unit.info.untrusted,
            ..Treatment::default()
        };
        if let Some(form) = unit.info.heading.as_ref().or(unit.scope.heading) {
            if is_computed(&unit.title) || form.marks.iter().any(prints_value) {
                self.writer.depends();
            }
            let mut words = String::new();
            tree::print(
                form,
                unit.host.node,
                unit.item,
                [&title, "", ""],
                &mut words,
            )?;
            self.words(is_value.then_some(treatment), &words)?;
        } else {
            self.writer
                .hashes(self.options.overflow.level(unit.scope.level)?);
            self.writer.literal(" ");
            if unit.scope.numbered {
                self.number(unit.number);
            }
            if is_value {
                self.writer.depends();
            }
            self.words(is_value.then_some(treatment), &title)?;
        }
        self.writer.owe(if unit.scope.tight || unit.info.tight {
            "\n"
        } else {
            "\n\n"
        });
        Ok(())
    }

    /// Prints text of the source, or a value for which there is a treatment.
    pub(super) fn words(
        &mut self,
        treatment: Option<Treatment>,
        words: &str,
    ) -> Result<(), PromptError> {
        match treatment {
            Some(treatment) => self.value(treatment, words)?,
            None => self.writer.literal(words),
        }
        Ok(())
    }

    fn number(&mut self, last: u32) {
        let mut text = String::new();
        for number in self
            .trail
            .iter()
            .map(|(_, number)| *number)
            .filter(|number| *number > 0)
            .chain([last])
        {
            text.push_str(&number.to_string());
            text.push('.');
        }
        text.push(' ');
        self.writer.literal(&text);
    }

    /// How the model asks for the rest.
    fn suffix(
        &mut self,
        scope: &Scope<'a>,
        content: &Embedded<'a>,
        in_tag: bool,
        start: usize,
    ) -> Result<(), PromptError> {
        if let Some(record) = &mut self.record {
            record.summarised = true;
        }
        if self.writer.len() > start && !self.writer.owes() {
            self.writer.owe("\n\n");
        }
        let path = self.keys.join(".");
        let subsections = tree::present_keys(content);
        if tree::child(content).is_some_and(|child| !child.info().sections.is_empty()) {
            self.writer.depends();
        }
        if let Some(wording) = scope.suffix {
            let mut words = String::new();
            tree::print(
                wording,
                tree::UNIT,
                0,
                ["", &path, &subsections.join(", ")],
                &mut words,
            )?;
            self.writer.literal(&words);
            return Ok(());
        }
        let words = crate::disclosure::suffix(&path, &subsections, in_tag);
        self.writer.literal(&words);
        Ok(())
    }

    /// Ends a section: closes its tag, or takes it back if nothing came.
    pub(super) fn close(&mut self, frame: CloseFrame<'a>) {
        if let Some(tag) = frame.tag {
            self.close_tag(tag, frame.before, false);
        }
        if frame.keyed {
            self.keys.pop();
            self.trail.pop();
        }
        let len = self.writer.len();
        let Some(record) = self.record.as_deref_mut() else {
            return;
        };
        let Some(index) = frame.entry else { return };
        let Some(entry) = record.entries.get_mut(index) else {
            return;
        };
        entry.end = len;
        entry.start = entry.start.min(len);
        record.open = entry.parent;
    }
}

/// Whether a title was printed from values.
#[allow(clippy::ptr_arg, reason = "whether it is borrowed is the question")]
pub(super) fn is_computed(title: &Cow<'_, str>) -> bool {
    matches!(title, Cow::Owned(_))
}

/// Whether a mark of a template prints a value, and not the title or the like.
fn prints_value(mark: &Mark) -> bool {
    matches!(mark.kind, MarkKind::Variable(index) | MarkKind::Block(index) if index < Text::SUBSECTIONS)
}

/// A heading ends with its line.
pub(super) fn one_line(title: &str) -> Cow<'_, str> {
    if title.bytes().any(|byte| matches!(byte, b'\n' | b'\r')) {
        Cow::Owned(title.lines().collect::<Vec<_>>().join(" "))
    } else {
        Cow::Borrowed(title)
    }
}
