//! Tags: of sections, of the root, of items, of titles in XML. Whether what is in one fits on its line is known before it
//! is opened.

use super::{
    printed::WrittenTag,
    sheet::{OpenTag, Page},
};
use crate::document::{AttributeValue, Join, Piece, Range, SectionId, TITLE_TAG, title_tag};
use crate::node::DEEPEST_COLUMN;
use crate::xml;
use std::borrow::Cow;

impl<'a> Page<'_, 'a> {
    /// `<name`, in its column.
    pub(super) fn begin_tag(&mut self, name: Cow<'a, str>) {
        self.indent_line();
        self.blanks(self.margin);
        self.out.push('<');
        self.out.push_str(&name);
        if self.printing.with_shorts {
            self.printed.tags.push(WrittenTag {
                name,
                depth: self.depth,
                section: self.at,
            });
        }
        self.depth += 1;
    }

    /// An attribute, whose value is escaped.
    pub(super) fn attribute(&mut self, name: &str, value: &str, is_noted: bool) {
        for piece in [" ", name, "=\""] {
            self.out.push_str(piece);
        }
        let from = self.len();
        self.out.push_str(&xml::escape_attribute(value));
        if is_noted {
            self.note_source(from, name);
        }
        self.out.push('"');
    }

    fn attributes(&mut self, attributes: Range, title: Range, is_title_computed: bool) {
        let document = self.document;
        for attribute in &document.attributes[attributes.usize()] {
            match attribute.value {
                AttributeValue::Text(text) => {
                    self.attribute(attribute.name, document.words(text), true);
                }
                AttributeValue::Title => {
                    let title = document.title(title);
                    self.attribute(attribute.name, &title, is_title_computed);
                }
                AttributeValue::Failed(fault) => {
                    self.fail(document.faults[fault as usize].clone());
                }
            }
        }
    }

    /// `>`, and what stands before the first line in it. Tags in it stand by so many columns further right.
    pub(super) fn open_tag(
        &mut self,
        name: Cow<'a, str>,
        from: usize,
        fits: bool,
        is_inline: bool,
        columns: Option<u8>,
    ) -> OpenTag<'a> {
        self.out.push('>');
        let (margin, outer) = (self.margin, self.columns);
        self.columns = columns.map_or(outer, usize::from);
        self.margin = margin.saturating_add(self.columns).min(DEEPEST_COLUMN);
        let first = if fits { "" } else { "\n" };
        let content = self.len();
        self.prefix.tentative(from, content);
        self.space.begin(first);
        OpenTag {
            name,
            content,
            fits,
            is_inline,
            margin,
            columns: outer,
        }
    }

    pub(super) fn close_tag(&mut self, open: &OpenTag<'a>) {
        self.depth -= 1;
        (self.margin, self.columns) = (open.margin, open.columns);
        if open.is_inline {
            // Whether a line break stands there depends on what follows.
            self.prefix.inside(open.content);
        }
        if self.len() == open.content {
            self.out.pop();
            self.out.push_str("/>");
        } else {
            if !open.fits {
                self.out.push('\n');
                self.indent_line();
                self.blanks(self.margin);
            }
            for piece in ["</", &open.name, ">"] {
                self.out.push_str(piece);
            }
        }
        self.space.go_on();
    }

    /// The tag around a section.
    pub(super) fn section_tag(&mut self, id: SectionId, tag: &'a str, from: usize) -> OpenTag<'a> {
        let document = self.document;
        let section = document.section(id);
        let lists = &document.lists;
        let is_inline = section.is_inline();
        let fits =
            is_inline && self.is_full(id) && self.is_one_line(&lists.events[section.body.usize()]);
        self.begin_tag(Cow::Borrowed(tag));
        if !section.attributes.is_empty() {
            self.attributes(section.attributes, section.title, section.is_title_computed);
        }
        let own = section.info.markup.indent.filter(|_| !section.is_item());
        let of_node = || section.child()?.container.markup.indent;
        let columns = own.or_else(of_node);
        self.open_tag(Cow::Borrowed(tag), from, fits, is_inline, columns)
    }

    /// A tag without attributes, around what follows.
    pub(super) fn plain_tag(&mut self, name: String) -> OpenTag<'a> {
        let from = self.len();
        self.begin_tag(Cow::Owned(name.clone()));
        self.open_tag(Cow::Owned(name), from, false, false, None)
    }

    pub(super) fn tagged_root(&mut self, level: i32) {
        let document = self.document;
        let (tag, lists) = (document.tag, &document.lists);
        let body = &lists.events[document.body.usize()];
        if !self.prints(body) && tag.attributes.is_empty() {
            return;
        }
        if tag.varies {
            self.depends();
        }
        let fits = tag.is_inline && self.is_one_line(body);
        let from = self.len();
        self.line_break();
        self.begin_tag(Cow::Borrowed(tag.name));
        self.attributes(tag.attributes, tag.title, false);
        let open = self.open_tag(
            Cow::Borrowed(tag.name),
            from,
            fits,
            tag.is_inline,
            tag.columns,
        );
        self.text(document.body, level);
        self.close_tag(&open);
    }

    /// An item of a list of text.
    pub(super) fn item(&mut self, events: std::ops::Range<usize>, level: i32, name: Range) {
        let (info, last) = self.list;
        if self.len() > self.own_from {
            let is_last = last == Some(events.start);
            self.push(Join::of_texts(info).before(is_last));
            self.space.go_on();
        } else {
            self.line_break();
        }
        self.space.begin("");
        let tag: Option<&'a str> = info.items.tag.as_deref();
        let open = tag.map(|tag| {
            let from = self.len();
            let fits = self.is_one_line(&self.document.lists.events[events.clone()]);
            self.begin_tag(Cow::Borrowed(tag));
            let title = self.document.title(name);
            if !title.is_empty() {
                self.attribute("name", &title, false);
            }
            self.open_tag(Cow::Borrowed(tag), from, fits, true, None)
        });
        let titles = self.titles.len();
        self.run(events, level, titles);
        self.close_titles(titles);
        if let Some(open) = open {
            self.close_tag(&open);
        }
        self.space.go_on();
    }

    // Titles as tags.

    pub(super) fn title_tag(
        &mut self,
        pieces: &[Piece<'a>],
        level: i8,
        is_computed: bool,
        open: usize,
    ) {
        let words = self.title_words(pieces);
        while self.titles.len() > open && self.titles.last().is_some_and(|title| title.0 >= level) {
            self.close_title();
        }
        if is_computed {
            self.depends();
        }
        let from = self.len();
        if self.space.is_started {
            self.space.set(u32::from(self.depth == 0));
        }
        self.line_break();
        let name = title_tag(&words).filter(|_| !is_computed);
        let is_name = name.is_some();
        let name = name.unwrap_or_else(|| TITLE_TAG.to_owned());
        self.begin_tag(Cow::Owned(name.clone()));
        if !is_name {
            self.attribute("title", words.trim_start_matches(['\n', ' ', '\t']), false);
        }
        let tag = self.open_tag(Cow::Owned(name), from, false, false, None);
        self.titles.push((level, tag));
    }

    pub(super) fn close_title(&mut self) {
        if let Some((_, tag)) = self.titles.pop() {
            self.close_tag(&tag);
        }
    }

    /// The words of a title of a text, as they would be printed. A title in an attribute is on one line.
    fn title_words(&mut self, pieces: &[Piece<'a>]) -> String {
        let outer = std::mem::take(&mut self.out);
        let start = std::mem::replace(&mut self.start, 0);
        let (values, sources) = (self.values.len(), self.printed.sources.len());
        let (prefix, first_value) = (self.prefix.end, self.first_value);
        let pieces = self.visible(pieces);
        self.pieces(&pieces);
        (self.prefix.end, self.first_value) = (prefix, first_value);
        self.values.truncate(values);
        self.printed.sources.truncate(sources);
        self.start = start;
        std::mem::replace(&mut self.out, outer).replace('\n', " ")
    }
}
