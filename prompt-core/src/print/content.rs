//! Prints what a section embeds: text and Markdown at once, nodes and lists by a frame of their own; and what has been
//! collected.

use super::{
    run::{self, Run},
    state::{Frame, ItemsFrame, Printer, Scope, join_before},
    writer::{Treatment, Writer},
};
use crate::error::PromptError;
use crate::node::{Content, DEEPEST_COLUMN, Entry, Guarding};
use crate::outline::{Host, NO_HOST, Row, RowId};
use std::borrow::Cow;

impl<'p, 'a> Printer<'p, 'a> {
    /// Prints what the section at a row embeds, or begins to.
    pub(super) fn content(
        &mut self,
        id: RowId,
        row: &'p Row<'a>,
        scope: Scope<'a>,
    ) -> Result<(), PromptError> {
        if row.is_list {
            self.frames.push(Frame::Items(ItemsFrame {
                next: id + 1,
                end: row.end,
                scope,
                printed: 0,
                after_bullet: false,
                start: self.writer.len(),
                list_title: None,
            }));
            return Ok(());
        }
        let is_bullet = row.is_item() && row.content.is_text();
        let plain_item = row.info.items.title.is_none() && row.info.items.tag.is_none();
        let before = self.writer.len();
        if is_bullet && plain_item {
            self.bullet(row.name.as_deref(), &row.content, &scope)?;
        } else {
            self.embedded(Some(id), &row.content, row, scope)?;
        }
        if row.content.node().is_none() {
            let source = || (row.host.row, row.info.field.to_string());
            self.writer.comes_from(before, source);
        }
        Ok(())
    }

    /// Prints what a root, or a section, is.
    pub(super) fn embedded(
        &mut self,
        id: Option<RowId>,
        content: &'p Content<'a>,
        row: &Row<'a>,
        scope: Scope<'a>,
    ) -> Result<(), PromptError> {
        let treatment = treatment(&scope);
        match content {
            Content::Absent | Content::Unit | Content::Messages(_) => Ok(()),
            Content::Failed => Err(PromptError::FailedValue {
                path: String::new(),
                name: row.info.field.to_string(),
            }),
            Content::Text(text) => self.value(treatment, text),
            Content::Printed(printed) => self.printed(treatment, printed),
            Content::Written { variable, .. } => {
                let treatment = Treatment {
                    item: row.item(),
                    ..treatment
                };
                self.writer
                    .value(treatment, |output| {
                        self.ask.variable(row.host, *variable, output)
                    })
                    .map_err(|_| run::failed(row.host.info, *variable))
            }
            // Its headings are what is not to be trusted, or part of what is escaped.
            Content::Markdown(markdown)
                if scope.untrusted
                    || matches!(scope.guarding, Guarding::Escaped | Guarding::Cdata) =>
            {
                self.value(treatment, markdown.as_str())
            }
            Content::Markdown(markdown) => {
                let text = markdown.printable()?;
                let (mut printed, shift) = (String::new(), scope.level - i32::from(text.base));
                let mut writer = Writer::new(&mut printed);
                let place = self.place(NO_HOST, &scope, shift, 0);
                Run::new(text, place, &writer).advance(&self.ask, &mut Vec::new(), &mut writer)?;
                self.value(treatment, &printed)
            }
            Content::Node(node) => {
                let host = Host::new(*node, id);
                let shift = scope.level - i32::from(host.info.text.base);
                self.node(host, scope, shift)
            }
            // The items of a root that is a list of nodes.
            Content::List(_) if id.is_none() && self.outline.len() > 0 => {
                self.frames.push(Frame::Items(ItemsFrame {
                    next: 0,
                    end: self.outline.len(),
                    scope,
                    printed: 0,
                    after_bullet: false,
                    start: self.writer.len(),
                    list_title: None,
                }));
                Ok(())
            }
            Content::List(entries) => self.texts(entries, row, &scope),
        }
    }

    /// A list of texts: bullets, or what an `item` template made of them.
    fn texts(
        &mut self,
        entries: &[Entry<'a>],
        row: &Row<'a>,
        scope: &Scope<'a>,
    ) -> Result<(), PromptError> {
        let info = row.info;
        let start = self.writer.len();
        let is_there = |entry: &&Entry<'_>| !entry.content.is_empty();
        let last = entries.iter().rposition(|entry| is_there(&entry));
        for (index, entry) in entries.iter().enumerate() {
            if !is_there(&entry) {
                continue;
            }
            if self.writer.len() > start {
                let join = join_before(info, Some(index) == last, true);
                self.writer.owe(join.unwrap_or("\n"));
            }
            let Some(tag) = info.items.tag.as_ref() else {
                self.bullet(entry.name.as_deref(), &entry.content, scope)?;
                continue;
            };
            let before = self.writer.point();
            let mut tag = self.open_tag(Cow::Borrowed(tag), *scope, true);
            if let Some(name) = &entry.name {
                self.attribute(&mut tag, "name", name);
            }
            self.end_of_open_tag(&mut tag);
            self.text(treatment(scope), &entry.content, info.field.as_ref())?;
            self.close_tag(&tag, before, false);
        }
        Ok(())
    }

    /// `- text`, `- name: text`, or what an `item` template made of it.
    fn bullet(
        &mut self,
        name: Option<&str>,
        content: &Content<'_>,
        scope: &Scope<'a>,
    ) -> Result<(), PromptError> {
        let treatment = treatment(scope);
        if !matches!(content, Content::Text(_)) {
            return self.text(treatment, content, "");
        }
        let indent = self.writer.indent();
        self.writer.literal("- ");
        if let Some(name) = name {
            let inside = Treatment {
                block: false,
                ..treatment
            };
            self.value(inside, name)?;
            self.writer.literal(": ");
        }
        self.writer.set_indent(indent + 2);
        let written = self.text(treatment, content, "");
        self.writer.set_indent(indent);
        written
    }

    fn text(
        &mut self,
        treatment: Treatment,
        content: &Content<'_>,
        name: &str,
    ) -> Result<(), PromptError> {
        match content {
            Content::Text(text) => self.value(treatment, text),
            Content::Printed(printed) => self.printed(treatment, printed),
            Content::Failed => Err(PromptError::FailedValue {
                path: String::new(),
                name: name.to_owned(),
            }),
            _ => Ok(()),
        }
    }

    /// Prints what has been collected below a node: the titles between it and the collected section, each once, then the
    /// text.
    pub(super) fn print_collected(
        &mut self,
        owner: Option<RowId>,
        scope: &Scope<'a>,
        columns: usize,
    ) -> Result<(), PromptError> {
        let start = self.writer.len();
        let indent = self.writer.indent();
        self.writer
            .set_indent((indent + columns).min(DEEPEST_COLUMN));
        self.writer.depends();
        let contexts = self.collected;
        let mut shown: &[RowId] = &[];
        for context in contexts.of_owner(owner) {
            let shared = shown.iter().zip(&context.titles);
            let shared = shared.take_while(|(a, b)| a == b).count();
            for (depth, id) in (0_i32..).zip(&context.titles).skip(shared) {
                self.separate(start);
                let title = self.title(*id, &mut None)?;
                let level = self.look.overflow.level(scope.level + depth)?;
                self.writer.hashes(level);
                let treatment = Treatment {
                    untrusted: scope.untrusted,
                    ..Treatment::default()
                };
                self.value(treatment, &title.on_one_line().text)?;
            }
            self.separate(start);
            if context.is_value {
                self.value(treatment(scope), &context.text)?;
            } else {
                self.writer.literal(&context.text);
            }
            shown = &context.titles;
        }
        self.writer.set_indent(indent);
        Ok(())
    }

    fn separate(&mut self, start: usize) {
        if self.writer.len() > start {
            self.writer.owe("\n\n");
        }
    }
}

/// How a value that is a block stands in a place.
fn treatment(scope: &Scope<'_>) -> Treatment {
    Treatment {
        block: true,
        guarding: scope.guarding,
        untrusted: scope.untrusted,
        ..Treatment::default()
    }
}
