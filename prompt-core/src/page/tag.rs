//! Tags on the page.

use super::{Page, Point, WrittenTag, op::TagOp};
use crate::node::DEEPEST_COLUMN;
use crate::visibility::Form;
use crate::xml;
use std::borrow::Cow;

/// A tag that waits to be closed.
pub(super) struct OpenTag<'a> {
    name: Cow<'a, str>,
    before: Point<'a>,
    /// Where the text after the open tag begins.
    content: usize,
    /// Columns before open and close tag.
    columns: usize,
    pub(super) is_inline: bool,
    has_attributes: bool,
    pub(super) is_hollow: bool,
    /// Indentation to return to.
    indent: usize,
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
        }
    }
}

impl<'a> Page<'_, 'a> {
    pub(crate) fn tag(&mut self, op: &TagOp<'a>) {
        let is_full = self.open.last().is_none_or(|open| open.form == Form::Full);
        let before = self.point();
        if op.is_computed {
            self.depends();
        }
        let mut tag = OpenTag::new(op.name.clone(), before);
        tag.is_inline = op.is_inline;
        tag.is_hollow = op.is_hollow && is_full;
        self.open_tag(&mut tag, op.depth, op.indent);
        for (name, value) in &op.attributes {
            let from = self.len() + 1 + name.len() + "=\"".len();
            self.attribute(&mut tag, name, value);
            if op.is_computed {
                self.comes_from_own(from..self.len() - 1, name);
            }
        }
        self.end_of_open_tag(&mut tag);
        self.open_tags.push(tag);
    }

    pub(super) fn end_tag(&mut self) {
        let tag = self.open_tags.pop().expect("a tag ends after it began");
        self.close_tag(&tag, false);
    }

    /// Prints `<name`.
    pub(super) fn open_tag(&mut self, tag: &mut OpenTag<'a>, depth: usize, indent: usize) {
        tag.indent = self.indent;
        let depth = depth + self.title_tags;
        tag.columns = if self.look.indent_text {
            0
        } else {
            depth.saturating_mul(indent).min(DEEPEST_COLUMN)
        };
        self.blanks(tag.columns);
        self.literal("<");
        self.literal(&tag.name);
        if self.look.indent_text {
            self.indent = self.indent.saturating_add(indent).min(DEEPEST_COLUMN);
        }
        let row = self.open.last().map(|section| section.row);
        let name = tag.name.clone();
        self.tags.push(WrittenTag { name, depth, row });
    }

    pub(super) fn attribute(&mut self, tag: &mut OpenTag<'a>, name: &str, value: &str) {
        let value = xml::escape_attribute(value);
        for piece in [" ", name, "=\"", &value, "\""] {
            self.literal(piece);
        }
        tag.has_attributes = true;
    }

    /// Prints `>`.
    pub(super) fn end_of_open_tag(&mut self, tag: &mut OpenTag<'a>) {
        self.literal(">");
        tag.content = self.len();
        self.owe(if tag.is_inline { "" } else { "\n" });
        self.tentative_since(tag.before.place.len);
    }

    /// Prints the close tag. A tag with nothing in it is taken back, unless it closes itself.
    pub(super) fn close_tag(&mut self, tag: &OpenTag<'a>, keep: bool) {
        let inner = std::mem::replace(&mut self.indent, tag.indent);
        if self.len() == tag.content {
            if keep || self.look.render_empty || (tag.is_hollow && tag.has_attributes) {
                self.truncate(tag.content - 1);
                self.owe("");
                self.literal("/>");
            } else {
                self.rollback(tag.before);
                self.vanish();
            }
            return;
        }
        let fits = tag.is_inline && !self.since(tag.content).contains('\n');
        if tag.is_inline {
            // Whether a line break stands there depends on what follows.
            self.depends_in(tag.content);
        }
        if tag.is_inline && !fits {
            // What stands behind the tag was written into its line, without indentation.
            let columns = if self.look.indent_text { inner } else { 0 };
            self.breaks.push((tag.content, columns));
        }
        self.owe(if fits { "" } else { "\n" });
        if !fits {
            self.blanks(tag.columns);
        }
        for piece in ["</", &tag.name, ">"] {
            self.literal(piece);
        }
    }
}
