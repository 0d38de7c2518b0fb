//! Tags: opening, attributes, closing, and the headings of a text that become tags in XML.

use super::{
    run::TitleStop,
    state::{NodeFrame, OpenTag, Printer, Scope, TitleTag},
    words::Words,
    writer::{Point, Writer},
};
use crate::error::PromptError;
use crate::node::{Attribute, AttributeSource, DEEPEST_COLUMN, Output};
use crate::outline::Host;
use crate::xml;
use std::borrow::Cow;

impl<'a> Printer<'_, 'a> {
    /// Prints `<name`.
    pub(super) fn open_tag(
        &mut self,
        name: Cow<'a, str>,
        scope: Scope<'a>,
        is_inline: bool,
    ) -> OpenTag<'a> {
        let indent = self.writer.indent();
        let columns = if self.look.indent_text {
            0
        } else {
            scope.depth.saturating_mul(scope.indent).min(DEEPEST_COLUMN)
        };
        self.writer.blanks(columns);
        self.writer.literals(["<", &name]);
        if self.look.indent_text {
            let inner = indent.saturating_add(scope.indent).min(DEEPEST_COLUMN);
            self.writer.set_indent(inner);
        }
        self.note_tag(name.clone(), scope.depth);
        OpenTag {
            name,
            content: 0,
            columns,
            is_inline,
            has_attributes: false,
            is_hollow: false,
            indent,
        }
    }

    /// Prints ` name="value"` for each attribute that has a value.
    pub(super) fn attributes(
        &mut self,
        tag: &mut OpenTag<'a>,
        attributes: &'a [Attribute],
        host: Host<'a>,
        item: usize,
        title: &Words,
    ) -> Result<(), PromptError> {
        for attribute in attributes {
            let AttributeSource::Variable(index) = attribute.value else {
                self.attribute(tag, &attribute.name, &title.text);
                continue;
            };
            let mut value = String::new();
            let mut output = Output::new(&mut value).for_item(item);
            let written = self.ask.variable(host, index, &mut output);
            if written.is_err() {
                let (path, name) = (String::new(), attribute.name.to_string());
                return Err(PromptError::FailedValue { path, name });
            }
            if !output.is_omitted() {
                self.attribute(tag, &attribute.name, &value);
            }
        }
        Ok(())
    }

    pub(super) fn attribute(&mut self, tag: &mut OpenTag<'a>, name: &str, value: &str) {
        let value = xml::escape_attribute(value);
        self.writer.literals([" ", name, "=\"", &value, "\""]);
        tag.has_attributes = true;
    }

    /// Prints `>`.
    pub(super) fn end_of_open_tag(&mut self, tag: &mut OpenTag<'a>) {
        self.writer.literal(">");
        tag.content = self.writer.len();
        self.writer.owe(if tag.is_inline { "" } else { "\n" });
    }

    /// Prints the close tag. A tag with nothing in it is taken back up to `before`, unless it closes itself.
    pub(super) fn close_tag(&mut self, tag: &OpenTag<'a>, before: Point<'a>, keep: bool) {
        let inner = self.writer.set_indent(tag.indent);
        if self.writer.len() == tag.content {
            if keep || self.look.render_empty || (tag.is_hollow && tag.has_attributes) {
                self.writer.truncate(tag.content - 1);
                self.writer.owe("");
                self.writer.literal("/>");
            } else {
                self.writer.rollback(before);
                self.writer.vanish();
            }
            return;
        }
        let fits = tag.is_inline && !self.writer.since(tag.content).contains('\n');
        if tag.is_inline {
            // Whether a line break stands there depends on what follows.
            self.writer.depends_in(tag.content);
        }
        if tag.is_inline && !fits {
            // What stands behind the tag was written into its line, without indentation.
            let columns = if self.look.indent_text { inner } else { 0 };
            self.writer.break_at(tag.content, columns);
        }
        self.writer.owe(if fits { "" } else { "\n" });
        if !fits {
            self.writer.blanks(tag.columns);
        }
        self.writer.literals(["</", &tag.name, ">"]);
    }

    /// A heading of a text becomes a tag, in which everything up to the next title of its level or above stands. A value
    /// never names a tag: such a heading is `<section title="..">`.
    pub(super) fn title_tag(
        &mut self,
        frame: &mut NodeFrame<'a>,
        title: &TitleStop,
    ) -> Result<(), PromptError> {
        self.close_titles(frame, title.level);
        let mut words = String::new();
        frame
            .run
            .title_words(title, &self.ask, &mut Writer::new(&mut words))?;
        let depth = frame.scope.depth + frame.titles.len();
        if self.writer.len() > frame.start {
            self.writer.owe(if depth > 0 { "\n" } else { "\n\n" });
        }
        let before = self.writer.point();
        if title.is_computed {
            self.writer.depends();
        }
        let scope = Scope {
            depth,
            ..frame.scope
        };
        let name = tag_name(&words).filter(|_| !title.is_computed);
        let is_named = name.is_some();
        let name = Cow::Owned(name.unwrap_or_else(|| "section".into()));
        let mut tag = self.open_tag(name, scope, false);
        if !is_named {
            self.attribute(&mut tag, "title", &words);
        }
        self.end_of_open_tag(&mut tag);
        self.writer.tentative_since(before.len);
        frame.run.restart(&self.writer);
        frame.titles.push(TitleTag {
            level: title.level,
            is_optional: title.optional,
            before,
            tag,
        });
        Ok(())
    }

    /// Closes the headings of this level and below.
    pub(super) fn close_titles(&mut self, frame: &mut NodeFrame<'a>, level: u8) {
        while let Some(title) = frame.titles.pop_if(|title| title.level >= level) {
            self.close_tag(&title.tag, title.before, !title.is_optional);
        }
    }
}

/// Whether one of the attributes prints a value.
pub(super) fn is_computed(attributes: &[Attribute], computed_title: bool) -> bool {
    attributes
        .iter()
        .any(|attribute| attribute.value != AttributeSource::Title || computed_title)
}

/// `How to work` -> `how_to_work`; `None` where that is no valid name.
fn tag_name(title: &str) -> Option<String> {
    let name = title.split_whitespace().collect::<Vec<_>>().join("_");
    let name = name.to_lowercase();
    prompt_syntax::is_tag(&name).then_some(name)
}
