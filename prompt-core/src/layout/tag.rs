//! Tags on the page.

use super::{Page, Point, RowId, WrittenTag};
use crate::node::{DEEPEST_COLUMN, Output};
use crate::xml;
use std::{borrow::Cow, fmt};

/// A tag that waits to be closed.
pub(crate) struct OpenTag<'a> {
    name: Cow<'a, str>,
    before: Point<'a>,
    /// Where the text after the open tag begins.
    content: usize,
    /// Columns before open and close tag.
    columns: usize,
    pub(crate) is_inline: bool,
    has_attributes: bool,
    pub(crate) is_hollow: bool,
    /// Indentation to return to.
    indent: usize,
    /// The section it belongs to; `None` for the root.
    row: Option<RowId>,
}

impl<'a> OpenTag<'a> {
    pub(super) fn new(name: Cow<'a, str>, before: Point<'a>) -> Self {
        Self {
            name,
            before,
            content: 0,
            columns: 0,
            is_inline: false,
            has_attributes: false,
            is_hollow: false,
            indent: 0,
            row: None,
        }
    }
}

impl<'a> Page<'_, 'a> {
    /// A tag that is about to be opened here.
    pub(crate) fn new_tag(&self, name: impl Into<Cow<'a, str>>) -> OpenTag<'a> {
        OpenTag::new(name.into(), self.point())
    }

    /// An attribute that a variable writes; gives whether there is one.
    pub(crate) fn attribute_value(
        &mut self,
        tag: &mut OpenTag<'a>,
        name: &str,
        write: impl FnOnce(&mut Output<'_>) -> fmt::Result,
    ) -> Result<bool, fmt::Error> {
        let before = self.buffer.len();
        self.buffer.push(' ');
        self.buffer.push_str(name);
        self.buffer.push_str("=\"");
        let from = self.buffer.len();
        let mut output = Output::new(self.buffer);
        let written = write(&mut output);
        let is_omitted = output.is_omitted();
        written?;
        if is_omitted || self.buffer.len() == from {
            self.buffer.truncate(before);
            return Ok(false);
        }
        let special = |byte: &u8| matches!(byte, b'"' | b'\t' | b'\n' | b'\r' | b'&' | b'<' | b'>');
        if self.buffer.as_bytes()[from..].iter().any(special) {
            let value = self.buffer.split_off(from);
            self.buffer.push_str(&xml::escape_attribute(&value));
        }
        self.buffer.push('"');
        tag.has_attributes = true;
        self.comes_from_own(from - self.start..self.len() - 1, name, tag.row);
        Ok(true)
    }

    pub(crate) fn end_tag(&mut self, tag: &OpenTag<'a>) {
        self.close_tag(tag, false);
    }

    /// How many tags are open around one, and its columns.
    pub(super) fn tag_columns(&self, depth: usize, indent: usize) -> (usize, usize) {
        let depth = depth + self.title_tags.len();
        let columns = if self.look.indent_text {
            0
        } else {
            depth.saturating_mul(indent).min(DEEPEST_COLUMN)
        };
        (depth, columns)
    }

    #[inline]
    pub(super) fn note_tag(&mut self, name: Cow<'a, str>, depth: usize, row: Option<RowId>) {
        if self.tags.capacity() == 0 {
            self.tags.reserve(16);
        }
        self.tags.push(WrittenTag { name, depth, row });
    }

    /// Prints `<name`.
    pub(crate) fn open_tag(
        &mut self,
        tag: &mut OpenTag<'a>,
        depth: usize,
        indent: usize,
        row: Option<RowId>,
    ) {
        tag.indent = self.indent;
        let (depth, columns) = self.tag_columns(depth, indent);
        (tag.columns, tag.row) = (columns, row);
        self.blanks(columns);
        self.flush();
        self.push("<");
        self.push(&tag.name);
        if self.look.indent_text {
            self.indent = self.indent.saturating_add(indent).min(DEEPEST_COLUMN);
        }
        let name = tag.name.clone();
        self.note_tag(name, depth, row);
    }

    /// An attribute that is known. `is_computed` says whether the tag depends on values.
    pub(crate) fn attribute(
        &mut self,
        tag: &mut OpenTag<'a>,
        name: &str,
        value: &str,
        is_computed: bool,
    ) {
        let from = self.len() + 1 + name.len() + "=\"".len();
        let value = xml::escape_attribute(value);
        for piece in [" ", name, "=\"", &value, "\""] {
            self.literal(piece);
        }
        tag.has_attributes = true;
        if is_computed {
            self.comes_from_own(from..self.len() - 1, name, tag.row);
        }
    }

    /// Prints `>`.
    pub(crate) fn end_of_open_tag(&mut self, tag: &mut OpenTag<'a>) {
        self.literal(">");
        tag.content = self.len();
        self.set_pending(if tag.is_inline { "" } else { "\n" });
        self.tentative_since(tag.before.place.len);
    }

    /// Prints the close tag. A tag with nothing in it is taken back, unless it closes itself.
    pub(super) fn close_tag(&mut self, tag: &OpenTag<'a>, keep: bool) {
        let inner = std::mem::replace(&mut self.indent, tag.indent);
        if self.len() == tag.content {
            if keep || self.look.render_empty || (tag.is_hollow && tag.has_attributes) {
                self.truncate(tag.content - 1);
                self.set_pending("");
                self.literal("/>");
            } else {
                self.rollback(tag.before);
                self.vanish();
            }
            return;
        }
        let fits =
            tag.is_inline && memchr::memchr(b'\n', self.since(tag.content).as_bytes()).is_none();
        if tag.is_inline {
            // Whether a line break stands there depends on what follows.
            self.depends_in(tag.content);
        }
        if tag.is_inline && !fits {
            // What stands behind the tag was written into its line, without indentation.
            let columns = if self.look.indent_text { inner } else { 0 };
            self.breaks.push((tag.content, columns));
        }
        self.set_pending(if fits { "" } else { "\n" });
        if !fits {
            self.blanks(tag.columns);
        }
        self.flush();
        if self.indent == 0 {
            self.buffer.push_str("</");
            self.buffer.push_str(&tag.name);
            self.buffer.push('>');
        } else {
            for piece in ["</", &tag.name, ">"] {
                self.push_indented(piece);
            }
        }
    }
}
