//! Tags: opening, attributes, closing, and the headings of a text that become tags in XML.

use super::{
    record::Tag,
    text::TitleStop,
    walk::{Host, NodeFrame, Scope, TitleTag, Walk},
    writer::{Point, Writer},
};
use crate::error::PromptError;
use crate::node::Attribute;
use crate::node::Output;
use crate::node::Text;
use crate::xml;
use std::borrow::Cow;

/// A tag that waits to be closed.
pub(super) struct OpenTag<'a> {
    name: Cow<'a, str>,
    /// Where the text after the open tag begins.
    content: usize,
    /// Columns before open and close tag.
    columns: usize,
    inline: bool,
    has_attributes: bool,
    /// Neither text nor sections belong to it: with attributes, or as a heading, it closes itself.
    pub(super) hollow: bool,
    /// Indentation to return to.
    indent: usize,
}

impl<'a> Walk<'_, 'a> {
    /// Prints `<name`.
    pub(super) fn open_tag(
        &mut self,
        name: Cow<'a, str>,
        scope: Scope<'a>,
        inline: bool,
    ) -> OpenTag<'a> {
        let indent = self.writer.indent();
        let columns = if self.options.indent_text {
            0
        } else {
            scope.depth * scope.indent
        };
        self.writer.repeat(' ', columns);
        self.writer.literal("<");
        self.writer.literal(&name);
        if self.options.indent_text {
            self.writer.set_indent(indent + scope.indent);
        }
        self.note_tag(&name, scope.depth);
        if self.tags.last() != Some(&name) {
            self.tags.push(name.clone());
        }
        OpenTag {
            name,
            content: 0,
            columns,
            inline,
            has_attributes: false,
            hollow: false,
            indent,
        }
    }

    /// Enters a tag into the table, where tags are wanted.
    fn note_tag(&mut self, name: &str, depth: usize) {
        let Some(record) = self.record.as_deref_mut() else {
            return;
        };
        let entry = record.open;
        if let Some(tags) = &mut record.tags {
            tags.push(Tag {
                name: name.to_owned(),
                depth,
                entry,
            });
        }
    }

    /// Prints ` name="value"` for each attribute that has a value.
    pub(super) fn attributes(
        &mut self,
        tag: &mut OpenTag<'a>,
        attributes: &'a [Attribute],
        host: Host<'a>,
        item: usize,
        title: &str,
    ) -> Result<(), PromptError> {
        for attribute in attributes {
            let mut value = String::new();
            if attribute.variable == Text::TITLE {
                value.push_str(title);
            } else {
                let index = usize::from(attribute.variable);
                let mut output = Output::text(&mut value).for_item(item);
                let name = || attribute.name.to_string();
                let written = host.node.variable(index, &mut output);
                written.map_err(|_| PromptError::FailedValue {
                    path: String::new(),
                    name: name(),
                })?;
                if output.is_omitted() {
                    continue;
                }
            }
            self.attribute(tag, &attribute.name, &value);
        }
        Ok(())
    }

    pub(super) fn attribute(&mut self, tag: &mut OpenTag<'a>, name: &str, value: &str) {
        for piece in [" ", name, "=\"", &xml::escape_attribute(value), "\""] {
            self.writer.literal(piece);
        }
        tag.has_attributes = true;
    }

    /// Prints `>`.
    pub(super) fn end_of_open_tag(&mut self, tag: &mut OpenTag<'a>) {
        self.writer.literal(">");
        tag.content = self.writer.len();
        self.writer.owe(if tag.inline { "" } else { "\n" });
    }

    /// Prints the close tag. A tag with nothing in it is taken back up to `before`, unless it closes itself.
    pub(super) fn close_tag(&mut self, mut tag: OpenTag<'a>, before: Point<'a>, keep: bool) {
        self.writer.set_indent(tag.indent);
        if self.writer.len() == tag.content {
            if keep || self.options.render_empty || (tag.hollow && tag.has_attributes) {
                self.writer.truncate(tag.content - 1);
                self.writer.owe("");
                self.writer.literal("/>");
            } else {
                self.writer.rollback(before);
            }
            return;
        }
        if tag.inline && self.writer.since(tag.content).contains('\n') {
            self.writer.insert(tag.content, "\n");
            self.moved(tag.content, 1);
            tag.inline = false;
        }
        self.writer.owe(if tag.inline { "" } else { "\n" });
        if !tag.inline {
            self.writer.repeat(' ', tag.columns);
        }
        for piece in ["</", &tag.name, ">"] {
            self.writer.literal(piece);
        }
    }

    /// Bytes were put in at `at`: what the table says of the text behind moves along.
    fn moved(&mut self, at: usize, by: usize) {
        let Some(record) = &mut self.record else {
            return;
        };
        for entry in record
            .entries
            .iter_mut()
            .rev()
            .take_while(|entry| entry.start >= at)
        {
            entry.start += by;
            entry.end += by;
        }
    }

    /// A heading of a text becomes a tag, in which everything up to the next title of its level or above stands.
    pub(super) fn title_tag(
        &mut self,
        frame: &mut NodeFrame<'a>,
        title: &TitleStop,
    ) -> Result<(), PromptError> {
        self.close_titles(frame, title.level);
        let mut words = String::new();
        frame.run.title_words(title, &mut Writer::new(&mut words))?;
        let depth = frame.scope.depth + frame.titles.len();
        if self.writer.len() > frame.start {
            self.writer.owe(if depth > 0 { "\n" } else { "\n\n" });
        }
        let before = self.writer.point();
        if title.marks > 0 {
            self.writer.depends();
        }
        let scope = Scope {
            depth,
            ..frame.scope
        };
        let name = tag_name(&words);
        let named = name.is_some();
        let mut tag = self.open_tag(
            Cow::Owned(name.unwrap_or_else(|| "section".into())),
            scope,
            false,
        );
        if !named {
            self.attribute(&mut tag, "title", &words);
        }
        self.end_of_open_tag(&mut tag);
        if title.optional {
            self.writer.tentative_since(before.len);
        }
        frame.run.restart(&self.writer);
        frame.titles.push(TitleTag {
            level: title.level,
            optional: title.optional,
            before,
            tag,
        });
        Ok(())
    }

    /// Closes the headings of this level and below.
    pub(super) fn close_titles(&mut self, frame: &mut NodeFrame<'a>, level: u8) {
        while let Some(title) = frame.titles.pop_if(|title| title.level >= level) {
            self.close_tag(title.tag, title.before, !title.optional);
        }
    }
}

/// Whether one of the attributes prints a value.
pub(super) fn has_values(attributes: &[Attribute], computed_title: bool) -> bool {
    attributes
        .iter()
        .any(|attribute| attribute.variable != Text::TITLE || computed_title)
}

/// `How to work` -> `how_to_work`; `None` where that is no valid name.
fn tag_name(title: &str) -> Option<String> {
    let name = title
        .split_whitespace()
        .collect::<Vec<_>>()
        .join("_")
        .to_lowercase();
    xml::is_valid_name(&name).then_some(name)
}
