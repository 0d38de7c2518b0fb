//! What is in a section and is no node: text, Markdown, lists of text.

use super::{
    Document, Event, Marks, Piece, Range, SectionId, Treatment, Value, number,
    resolve::{Context, Host, Resolve},
    text::Place,
};
use crate::errors::PromptError;
use crate::node::{
    At, Content, Entry, Hang, Markdown, Output, Scope, SectionInfo, without_blank_ends,
};
use memchr::memchr;
use prompt_syntax::TagPlace;

impl<'a> Resolve<'_, 'a> {
    /// What stands in a section below its introduction.
    pub(super) fn content(
        &mut self,
        host: Host<'_, 'a>,
        info: &'a SectionInfo,
        content: &Content<'a>,
        context: &Context,
    ) {
        let (treatment, at) = (context.treatment, context.parent);
        match content {
            // Nodes have sections of their own.
            Content::Absent | Content::Unit | Content::Messages(_) | Content::Node(_) => {}
            Content::Text(text) => {
                self.document.lists.events.push(Event::Varies);
                let piece =
                    self.document
                        .text(text, &info.field, treatment, Hang::None, host.owner);
                self.document.line_of(piece);
            }
            Content::Markdown(markdown) => {
                self.markdown(host, markdown, info, treatment, at);
            }
            Content::Items { .. } => self.items_as_text(host, info, treatment, at),
            Content::List(entries) => self.texts(host, entries, info, treatment),
        }
    }

    fn fault_of(&mut self, info: &SectionInfo, at: Option<SectionId>) {
        let error = PromptError::FailedValue {
            path: self.document.path(at),
            name: info.field.to_string(),
        };
        let piece = self.document.failed(error);
        self.document.line_of(piece);
    }

    /// A Markdown text: its headings move, and what would be values, conditions and slots is text. Under some treatments its
    /// headings are what is not to be trusted, or part of what is escaped.
    fn markdown(
        &mut self,
        host: Host<'_, 'a>,
        markdown: &'a Markdown,
        info: &'a SectionInfo,
        treatment: Treatment,
        at: Option<SectionId>,
    ) {
        let document = &mut self.document;
        document.lists.events.push(Event::Varies);
        if treatment.is_untrusted || treatment.escapes() {
            let name = &info.field;
            let piece = document.text(markdown.body(), name, treatment, Hang::None, host.owner);
            return document.line_of(piece);
        }
        let text = match markdown.printable() {
            Ok(text) => text,
            Err(error) => {
                let path = document.path(at);
                let piece = document.failed(error.at(|| path));
                return document.line_of(piece);
            }
        };
        let place = document.lists.events.len();
        document.lists.events.push(Event::Gone);
        let nobody = Host {
            owner: host.owner,
            ..Host::NOBODY
        };
        let env = nobody.env(text, treatment, at);
        document.read(&env, &text.elements);
        let count = number(document.lists.events.len() - place - 1);
        document.lists.events[place] = Event::Markdown {
            count,
            info,
            owner: host.owner,
            treatment,
        };
    }

    /// A list that prints by an `item` template.
    fn items_as_text(
        &mut self,
        host: Host<'_, 'a>,
        info: &'a SectionInfo,
        treatment: Treatment,
        at: Option<SectionId>,
    ) {
        let keys = &info.said.items;
        let (Some(loop_number), Some(text)) = (keys.list, &keys.text) else {
            return;
        };
        let list = self.begin_list(host, info);
        let each = &mut |scope: &dyn Scope, stands: At| {
            let event = self.begin_item(Range::default());
            let place = Place {
                number: loop_number,
                at: stands,
                around: host.place,
            };
            let host = Host {
                scope,
                place: Some(&place),
                ..host
            };
            self.text(host, text, treatment, at);
            self.end_counted(event);
            Ok(())
        };
        if host.scope.each(usize::from(loop_number), each).is_err() {
            self.fault_of(info, at);
        }
        self.end_counted(list);
    }

    fn begin_item(&mut self, name: Range) -> usize {
        let events = &mut self.document.lists.events;
        events.push(Event::Item { name, count: 0 });
        events.len() - 1
    }

    fn begin_list(&mut self, host: Host<'_, 'a>, info: &'a SectionInfo) -> usize {
        let events = &mut self.document.lists.events;
        events.push(Event::Varies);
        events.push(Event::List {
            info,
            owner: host.owner,
            count: 0,
        });
        events.len() - 1
    }

    /// So many events are inside.
    fn end_counted(&mut self, at: usize) {
        let inside = number(self.document.lists.events.len() - at - 1);
        if let Event::Item { count, .. } | Event::List { count, .. } =
            &mut self.document.lists.events[at]
        {
            *count = inside;
        }
    }

    /// A list of text: bullets, or what joins them says.
    fn texts(
        &mut self,
        host: Host<'_, 'a>,
        entries: &[Entry<'a>],
        info: &'a SectionInfo,
        treatment: Treatment,
    ) {
        let is_there = |entry: &Entry<'_>| !entry.content.is_empty();
        let list = self.begin_list(host, info);
        for entry in entries.iter().filter(|entry| is_there(entry)) {
            let tag = info.items.tag.as_deref();
            let mut name = Range::default();
            if let (Some(words), Some(_)) = (&entry.name, tag) {
                let piece = self
                    .document
                    .text(words, "", Treatment::default(), Hang::None, None);
                let from = self.document.lists.pieces.len();
                self.document.lists.pieces.push(piece);
                name = Range::new(from, from + 1);
            }
            let event = self.begin_item(name);
            if tag.is_some() {
                self.item_text(&entry.content, treatment);
            } else {
                self.bullet(entry.name.as_deref(), &entry.content, treatment);
            }
            self.end_counted(event);
        }
        self.end_counted(list);
    }

    /// A text of a list, whose further lines stand below its first.
    pub(super) fn bullet(
        &mut self,
        name: Option<&str>,
        content: &Content<'a>,
        treatment: Treatment,
    ) {
        let Content::Text(text) = content else {
            return self.item_text(content, treatment);
        };
        let from = self.document.lists.pieces.len();
        let name = name.map(|name| self.document.inline(name, "", treatment));
        let text = self
            .document
            .text(text, "", treatment, Hang::Column(2), None);
        let pieces = &mut self.document.lists.pieces;
        pieces.push(Piece::Words("- "));
        if let Some(name) = name {
            pieces.extend([name, Piece::Words(": ")]);
        }
        pieces.push(text);
        let line = Event::Line(Range::new(from, pieces.len()));
        self.document.lists.events.push(line);
    }

    fn item_text(&mut self, content: &Content<'a>, treatment: Treatment) {
        if let Content::Text(text) = content {
            let piece = self.document.text(text, "", treatment, Hang::None, None);
            self.document.line_of(piece);
        }
    }

    /// An item of a list that is a section, with what is in it.
    pub(super) fn item_body(
        &mut self,
        host: Host<'_, 'a>,
        id: SectionId,
        name: Option<&str>,
        content: &Content<'a>,
        inner: &Context,
    ) {
        if inner.is_closed {
            return;
        }
        let from = self.document.lists.events.len();
        let info = self.document.section(id).info;
        let keys = &info.said.items;
        let is_plain = keys.title.is_none() && keys.tag.is_none();
        match (content, &keys.text) {
            (Content::Items { .. }, Some(text)) => {
                self.text(host, text, inner.treatment, Some(id));
            }
            (Content::Text(_), _) if is_plain => {
                self.bullet(name, content, inner.treatment);
            }
            _ => self.content(host, info, content, inner),
        }
        self.close_body(id, from);
    }
}

impl<'a> Document<'a> {
    /// A text that a value is, without blank lines at its ends.
    pub(super) fn text(
        &mut self,
        text: &str,
        name: &'a str,
        treatment: Treatment,
        hang: Hang,
        owner: Option<SectionId>,
    ) -> Piece<'a> {
        let from = self.written.len();
        Output::new(&mut self.written).push_str(text);
        let written = &self.written[from..];
        let words = without_blank_ends(written);
        let start = from + (words.as_ptr().addr() - written.as_ptr().addr());
        let kept = Range::new(start, start + words.len());
        let mut piece = self.value_from(from, Marks::All, (name, owner), treatment, hang);
        if let Piece::Value { text, .. } = &mut piece {
            *text = kept;
        }
        piece
    }

    /// A text that a value is, as a part of a line.
    fn inline(&mut self, text: &str, name: &'a str, treatment: Treatment) -> Piece<'a> {
        let from = self.written.len();
        Output::new(&mut self.written).push_str(text);
        self.value_from(from, Marks::All, (name, None), treatment, Hang::None)
    }

    fn value_from(
        &mut self,
        from: usize,
        marks: Marks,
        (name, owner): (&'a str, Option<SectionId>),
        treatment: Treatment,
        hang: Hang,
    ) -> Piece<'a> {
        self.value(Value {
            text: Range::new(from, self.written.len()),
            marks,
            name,
            treatment,
            hang,
            is_raw: false,
            is_code: false,
            quote: "",
            tag: TagPlace::Outside,
            owner,
        })
    }

    /// Words that are put together here and are the author's.
    pub(super) fn own_words(&mut self, words: &str) -> Piece<'a> {
        let from = self.written.len();
        self.written.push_str(words);
        let nothing = Marks::Of(Range::default());
        self.value_from(from, nothing, ("", None), Treatment::default(), Hang::None)
    }

    /// A piece of a text that is on one line.
    pub(super) fn without_breaks(&mut self, piece: Piece<'a>) -> Piece<'a> {
        match piece {
            Piece::Words(words) if words.contains('\n') => {
                self.own_words(&words.replace('\n', " "))
            }
            Piece::Value { text, .. } => {
                let range = text.usize();
                if self.written[range.clone()].contains('\n') {
                    let line = self.written[range.clone()].replace('\n', " ");
                    self.written.replace_range(range, &line);
                }
                piece
            }
            piece => piece,
        }
    }

    /// How many marks a fence needs so that no untrusted value in the pieces since then closes it. Runs that are split over
    /// values and words count as one.
    pub(super) fn longest_run(&self, fence: &str, pieces: usize) -> usize {
        let Some(mark) = fence.trim_start_matches([' ', '\t']).bytes().next() else {
            return 0;
        };
        let (mut longest, mut run, mut is_touched) = (0, 0, false);
        for piece in &self.lists.pieces[pieces..] {
            let (words, is_untrusted) = match *piece {
                Piece::Words(words) => (words, false),
                Piece::Value { value, text } => {
                    let value = &self.values[value as usize];
                    (self.words(text), value.treatment.is_untrusted)
                }
                _ => continue,
            };
            let first = memchr(mark, words.as_bytes()).unwrap_or(words.len());
            for byte in words.bytes().skip(first.saturating_sub(1)) {
                let is_mark = byte == mark;
                run = if is_mark { run + 1 } else { 0 };
                is_touched = is_mark && (is_touched || is_untrusted);
                if is_touched {
                    longest = longest.max(run);
                }
            }
        }
        if longest == 0 { 0 } else { longest + 1 }
    }
}
