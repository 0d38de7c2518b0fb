//! Sections on the page: spans, headings, numbers, what stands between them, and the words under a summary.

use super::{
    Between, HeadingOverflow, Notes, Page, Point, RowId, Sourced, Span, Style, Treatment, Words,
    prefix::Prefix,
};
use crate::errors::PromptError;
use crate::node::Form;
use crate::node::{Str, depth::DEEPEST_HEADING};
use std::{borrow::Cow, num::NonZeroUsize};

/// The numbers of the headings below one, or below the root.
#[derive(Clone, Copy, Default)]
pub(super) struct Numbers {
    /// The last one that was given.
    last: u32,
    /// How many were given to what stands in sections without a heading, which have no place in the declaration.
    extra: u32,
}

/// A title: of the description, or put together.
pub(crate) enum Title<'a> {
    /// A name, or words of the author without a line break.
    Fixed(&'a Str),
    /// The title of a list, and the number of one of its items.
    Item(&'a Str, usize),
    Words(Words),
}

impl Title<'_> {
    /// No title.
    pub(crate) const NONE: Self = Self::Words(Words {
        text: Cow::Borrowed(""),
        values: Vec::new(),
        is_computed: false,
    });

    /// Whether there is nothing to be read: a heading needs words.
    pub(crate) fn is_blank(&self) -> bool {
        match self {
            Title::Fixed(text) => super::is_blank(text),
            Title::Item(..) => false,
            Title::Words(words) => super::is_blank(&words.text),
        }
    }

    /// Whether values decide what it says.
    pub(crate) fn is_computed(&self) -> bool {
        match self {
            Title::Fixed(_) => false,
            Title::Item(..) => true,
            Title::Words(words) => words.is_computed,
        }
    }

    pub(crate) fn text(&self) -> Cow<'_, str> {
        match self {
            Title::Fixed(text) => Cow::Borrowed(text.as_ref()),
            Title::Item(list, number) => Cow::Owned(format!("{list} {number}")),
            Title::Words(words) => Cow::Borrowed(&words.text),
        }
    }

    /// What it says, without a lifetime of its own: words, and the number behind them.
    fn to_parts(&self) -> (Cow<'static, str>, Option<NonZeroUsize>) {
        match self {
            Title::Fixed(text) => ((*text).clone(), None),
            Title::Item(list, number) => ((*list).clone(), NonZeroUsize::new(*number)),
            Title::Words(words) => (words.text.clone(), None),
        }
    }

    /// It as words of its own.
    pub(crate) fn to_words(&self) -> Words {
        match self {
            Title::Fixed(text) => Words::name((*text).clone()),
            Title::Item(..) => Words {
                is_computed: true,
                ..Words::fixed(self.text().into_owned())
            },
            Title::Words(words) => words.clone(),
        }
    }
}

/// A section that has been opened.
#[derive(Default)]
pub(crate) struct OpenSection<'a> {
    /// All of the place before it, if it may be taken back.
    before: Option<Point<'a>>,
    /// The bytes before it.
    from: usize,
    /// Where its heading, or open tag, ends.
    body: usize,
    span: usize,
    /// The numbers around it.
    numbers: Numbers,
    is_titled: bool,
}

/// What is to be taken back.
pub(crate) struct Attempt<'a> {
    before: Point<'a>,
    prefix: Prefix,
    notes: Notes,
    lens: [usize; 2],
    numbers: Numbers,
    is_summarised: bool,
}

impl<'a> Page<'_, 'a> {
    /// Something follows in a run that began at `from`: what stands between it and what is there.
    #[inline]
    pub(crate) fn next(&mut self, from: usize, between: Between<'a>) {
        if self.len() == from {
            return;
        }
        match between {
            Between::Gap {
                lines,
                is_tag,
                depth,
            } => {
                let is_inside =
                    depth + self.title_tags.len() > 0 && (is_tag || self.look.style == Style::Xml);
                let lines = lines.map_or(usize::from(!is_inside), usize::from);
                self.pending_lines(lines);
            }
            Between::Words(words) => self.set_pending(words),
        }
    }

    /// Begins a section. With a row it is noted where it stands.
    #[inline]
    pub(crate) fn begin_section(
        &mut self,
        open: &mut OpenSection<'a>,
        row: Option<RowId>,
        level: i32,
        may_vanish: bool,
        form: Form,
    ) {
        open.before = may_vanish.then(|| self.point());
        open.from = self.len();
        open.body = open.from;
        open.is_titled = false;
        self.is_summarised |= form == Form::Summary;
        if let Some(row) = row {
            open.span = self.spans.len();
            self.open_spans.push(open.span);
            self.waiting += 1;
            self.spans.push(Span {
                row,
                title: Cow::Borrowed(""),
                item: None,
                level: heading_level(level),
                form,
                start: open.from,
                end: 0,
                body: 0,
            });
        }
    }

    /// A section that is a heading, and fixed words under it: `lead` is both.
    pub(crate) fn literal_heading(
        &mut self,
        row: Option<RowId>,
        level: i32,
        title: &'a Str,
        lead: &str,
    ) {
        self.flush();
        let start = self.len();
        self.hashes(level);
        let body = self.len() + title.len();
        self.buffer.push_str(lead);
        self.set_pending("\n\n");
        self.note_literal(row, level, title, [start, body]);
    }

    /// A section that is a tag with fixed words in it.
    pub(crate) fn literal_tag(
        &mut self,
        row: Option<RowId>,
        level: i32,
        [name, title]: [&'a Str; 2],
        words: &str,
        [depth, indent]: [usize; 2],
    ) {
        let (depth, columns) = self.tag_columns(depth, indent);
        self.flush();
        let start = self.len();
        self.blanks(columns);
        self.buffer.push('<');
        self.buffer.push_str(name);
        self.buffer.push('>');
        let body = self.len();
        self.buffer.push('\n');
        self.buffer.push_str(words);
        self.buffer.push('\n');
        self.blanks(columns);
        self.buffer.push_str("</");
        self.buffer.push_str(name);
        self.buffer.push('>');
        self.note_tag(Cow::Borrowed(name), depth, row);
        self.note_literal(row, level, title, [start, body]);
    }

    /// The span of a section that is there, whatever follows it.
    fn note_literal(
        &mut self,
        row: Option<RowId>,
        level: i32,
        title: &'a Str,
        [start, body]: [usize; 2],
    ) {
        if let Some(row) = row {
            self.spans.push(Span {
                row,
                title: title.clone(),
                item: None,
                level: heading_level(level),
                form: Form::Full,
                start,
                end: self.len(),
                body,
            });
        }
    }

    /// The open sections of which nothing stood so far begin here.
    pub(super) fn begin_sections(&mut self) {
        let len = self.len();
        let waiting = std::mem::take(&mut self.waiting);
        for span in self.open_spans.iter().rev().take(waiting) {
            self.spans[*span].start = len;
        }
    }

    /// The number of a section: that of its declaration; items, and what stands in sections without a heading, are
    /// counted. No number stands twice.
    pub(crate) fn begin_number(&mut self, declared: u32, is_counted: bool) {
        let level = &mut self.numbers;
        let number = if is_counted {
            level.extra += 1;
            level.last + 1
        } else {
            (declared + level.extra).max(level.last + 1)
        };
        level.last = number;
        self.number_path.push(number);
    }

    /// The numbers that follow stand behind so many that were declared.
    pub(crate) fn number_behind(&mut self, declared: u32) {
        let level = &mut self.numbers;
        if declared > 0 {
            level.last = level.last.max(declared + level.extra);
        }
    }

    pub(crate) fn end_number(&mut self) {
        self.number_path.pop();
    }

    /// Prints the marker of a heading that would stand at this level: 1 to 6 hashes and a blank.
    #[inline]
    pub(crate) fn hashes(&mut self, level: i32) {
        const MARKER: &str = "###### ";
        if level > i32::from(DEEPEST_HEADING) {
            self.too_deep(level);
        }
        self.flush();
        // Of a length that is known, so that it is no call.
        match heading_level(level) {
            1 => self.push("# "),
            2 => self.push("## "),
            3 => self.push("### "),
            level => self.push(&MARKER[usize::from(DEEPEST_HEADING - level)..]),
        }
    }

    #[cold]
    fn too_deep(&mut self, level: i32) {
        if self.look.overflow == HeadingOverflow::Error {
            self.fail(PromptError::HeadingLevel {
                path: String::new(),
                level: usize::try_from(level).unwrap_or_default(),
            });
        }
    }

    /// The title of a section, behind its number. A value in it comes from that section.
    pub(crate) fn title_of(
        &mut self,
        title: &Title<'a>,
        is_numbered: bool,
        treatment: &Treatment<'a>,
        row: Option<RowId>,
    ) {
        if is_numbered {
            let mut digits = itoa::Buffer::new();
            for at in 0..self.number_path.len() {
                self.literal(digits.format(self.number_path[at]));
                self.literal(".");
            }
            self.literal(" ");
        }
        match title {
            Title::Fixed(text) => self.literal(text),
            Title::Item(list, number) => {
                self.depends();
                self.look_for_angles(list);
                let mut digits = itoa::Buffer::new();
                for piece in [list.as_ref(), " ", digits.format(*number)] {
                    self.literal(piece);
                }
            }
            Title::Words(words) => self.title_words(words, treatment, row),
        }
    }

    /// Heading and tag are done. The headings below a heading are numbered by themselves.
    #[inline]
    pub(crate) fn body(&mut self, open: &mut OpenSection<'a>, is_titled: bool) {
        open.body = self.len();
        open.is_titled = is_titled;
        if is_titled {
            open.numbers = std::mem::take(&mut self.numbers);
            if open.before.is_some() {
                self.tentative_since(open.from);
                self.depends_in(open.from);
            }
        }
    }

    /// A short form, or a heading, and the words under it are apart.
    pub(crate) fn suffix_gap(&mut self, open: &OpenSection<'a>) {
        let follows = open.is_titled || self.len() > open.body;
        if follows && !self.has_pending() {
            self.set_pending("\n\n");
        }
    }

    /// How the model asks for the rest.
    pub(crate) fn suffix(
        &mut self,
        write_path: &dyn Fn(&mut String),
        subsections: &[&str],
        in_tag: bool,
    ) {
        if !in_tag {
            self.literal("---\n");
        }
        self.flush();
        let from = self.buffer.len();
        self.has_open_angles |= matches!(self.look.wording, Cow::Owned(_));
        self.look
            .wording
            .write_suffix(write_path, subsections, self.buffer);
        if self.indent > 0 {
            let words = self.buffer.split_off(from);
            self.push_indented(&words);
        }
    }

    #[inline]
    pub(crate) fn end_section(&mut self, open: &OpenSection<'a>, title: &Title<'a>) {
        if open.is_titled {
            self.numbers = open.numbers;
        }
        let has_begun = self.waiting == 0;
        match open.before {
            Some(before) if self.len() == open.body => {
                self.rollback(before);
                self.vanish();
            }
            _ => self.waiting = self.waiting.saturating_sub(1),
        }
        if self.notes.sections {
            self.end_span(open, title, has_begun);
        }
    }

    fn end_span(&mut self, open: &OpenSection<'a>, title: &Title<'a>, has_begun: bool) {
        let len = self.len();
        let is_there = has_begun && len > open.from;
        self.has_vanished |= !is_there;
        self.open_spans.pop();
        let span = &mut self.spans[open.span];
        (span.title, span.item) = title.to_parts();
        span.start = if is_there { span.start.min(len) } else { len };
        span.end = len;
        span.body = open.body.clamp(span.start, len);
    }

    /// Begins to print something that is taken back in the end, to see what it would be in this very place.
    pub(crate) fn begin_attempt(&self) -> Attempt<'a> {
        Attempt {
            before: self.point(),
            prefix: self.prefix.clone(),
            notes: self.notes,
            lens: [self.spans.len(), self.tags.len()],
            numbers: self.numbers,
            is_summarised: self.is_summarised,
        }
    }

    /// Takes it back, and gives what it was, with its values, where they are wanted.
    pub(crate) fn end_attempt(&mut self, attempt: Attempt<'a>) -> (String, Vec<Sourced>) {
        let from = attempt.before.place.len;
        let text = (self.since(from).to_owned(), self.sources_since(from));
        self.rollback(attempt.before);
        let [spans, tags] = attempt.lens;
        self.spans.truncate(spans);
        self.tags.truncate(tags);
        self.numbers = attempt.numbers;
        self.prefix = attempt.prefix;
        self.notes = attempt.notes;
        self.is_summarised = attempt.is_summarised;
        text
    }
}

/// The level at which a heading stands that is meant to stand at this one.
#[inline]
pub(super) fn heading_level(level: i32) -> u8 {
    u8::try_from(level.clamp(1, DEEPEST_HEADING.into())).unwrap_or(DEEPEST_HEADING)
}
