//! Texts on the page.

use super::{Heading, Page, Point, Spot, Style, pending::Rest, tag::OpenTag};

use prompt_syntax::Metadata;
use std::borrow::Cow;

/// The text of a node or a template, while it is printed.
#[derive(Clone, Copy, Default)]
pub(crate) struct TextState<'a> {
    /// What was there before it.
    pub(super) before: Spot,
    /// How many headings and tags of texts around it are open.
    headings: usize,
    tags: usize,
    line_around: Spot,
    pub(super) start: Spot,
    line: Option<OpenLine<'a>>,
    /// Where the code block that is open begins.
    code: Option<usize>,
}

/// A line that goes, with its break, if nothing but its head is printed of it.
#[derive(Clone, Copy)]
struct OpenLine<'a> {
    before: Point<'a>,
    after_head: usize,
}

/// A heading that is being printed.
pub(crate) struct OpenTitle<'a> {
    op: Heading,
    before: Point<'a>,
    words: usize,
}

#[derive(Clone, Copy)]
pub(crate) struct Tentative<'a> {
    level: u8,
    before: Point<'a>,
    after: usize,
}

impl<'a> Page<'_, 'a> {
    #[inline]
    pub(crate) fn begin_text(&mut self, words: &'a str) -> TextState<'a> {
        let state = TextState {
            before: self.place(),
            headings: self.headings.len(),
            tags: self.title_tags.len(),
            line_around: self.line_from,
            start: Spot::default(),
            line: None,
            code: None,
        };
        let outer = std::mem::replace(&mut self.text, state);
        if !words.is_empty() {
            self.frame(words);
        }
        self.text.start = self.place();
        self.line_from = self.text.start;
        outer
    }

    #[inline]
    pub(crate) fn end_text(&mut self, outer: TextState<'a>, words: &'a str) {
        self.close_line();
        if self.headings.len() > self.text.headings {
            self.take_back_headings(0);
        }
        while self.title_tag().is_some() {
            self.close_title_tag();
        }
        if !words.is_empty() {
            self.set_pending("");
            self.frame(words);
        }
        self.line_from = self.text.line_around;
        self.text = outer;
    }

    /// What a node has in front of its text, or behind it.
    fn frame(&mut self, words: &str) {
        self.look_for_angles(words);
        self.flush();
        let from = self.len();
        self.push(words);
        if self.notes.sections {
            self.frames.push(from..self.len());
        }
    }

    /// Words of the author. Without any it is a line that is there, with nothing in it.
    #[inline]
    pub(crate) fn words(&mut self, text: &str) {
        self.flush();
        self.push(text);
        self.nothings += usize::from(text.is_empty());
    }

    // Lines.

    pub(crate) fn line(&mut self, head: &'a str) {
        self.close_line();
        self.depends();
        let before = self.point();
        self.literal(head);
        let after_head = self.len();
        self.text.line = Some(OpenLine { before, after_head });
    }

    /// A line of which more than its head is certain to be printed.
    pub(crate) fn solid_line(&mut self, head: &str) {
        self.close_line();
        self.depends();
        self.literal(head);
    }

    /// Takes back a line of which nothing but its head, or blanks, was printed.
    #[inline]
    pub(crate) fn close_line(&mut self) {
        if let Some(line) = self.text.line.take() {
            self.end_open_line(&line);
        }
    }

    fn end_open_line(&mut self, line: &OpenLine<'a>) {
        let printed = self.since(line.after_head).as_bytes();
        let is_blank = printed
            .iter()
            .all(|byte| matches!(byte, b' ' | b'\t' | b'\n'));
        if is_blank && self.nothings == line.before.place.nothings {
            self.rollback(line.before);
            self.vanish();
        }
    }

    /// A line ends, and these blank lines follow.
    #[inline]
    pub(crate) fn end_line(&mut self, blank: impl Into<Rest<'a>>) {
        self.close_line();
        self.after_heading();
        let place = self.place();
        let came_out_empty = self.line_from == place;
        self.line_from = place;
        if place != self.text.start {
            self.ended(came_out_empty);
            self.blank_lines(blank.into());
        }
    }

    /// A break as it is written: the line ends, and the rest of it are blank lines.
    pub(crate) fn break_line(&mut self, text: &'a str) {
        self.end_line(blank_lines(text));
    }

    pub(crate) fn gap(&mut self, before: &'a Metadata, ends_line: bool) {
        let blank = self.blank_of(before);
        if ends_line {
            self.end_line(blank);
        } else {
            self.blank(blank);
        }
    }

    /// Blank lines beside a marker line: at the start of a text there are none.
    pub(crate) fn blank(&mut self, lines: impl Into<Rest<'a>>) {
        if self.place() != self.text.start {
            self.blank_lines(lines.into());
        }
    }

    /// The last line in a block ends, unless it is a marker line, which has ended what stood in it. What is absent at the
    /// end takes the blank lines before it along.
    pub(crate) fn end_block(&mut self, blank: &'a str) {
        let has_line = self.text.line.is_some();
        if self.line_from != self.place() || has_line {
            self.end_line("");
        }
        // What is pending before the text, behind a tag or a heading, is not its own.
        if self.pending.vanished && self.place() != self.text.start {
            self.pending.rest = Rest::default();
        }
        self.blank(blank);
    }

    /// A branch of nothing but blank lines: it prints them.
    pub(crate) fn blank_branch(&mut self, blank: &'a str) {
        if self.place() != self.text.start {
            self.blank(blank);
            self.nothings += 1;
            self.line_from = self.place();
        }
    }

    // Groups.

    #[inline]
    pub(crate) fn group(&mut self) -> Point<'a> {
        self.depends();
        self.point()
    }

    #[inline]
    pub(crate) fn end_group(&mut self, before: Point<'a>) {
        if self.place() == before.place {
            self.rollback(before);
            self.vanish();
        }
    }

    /// One item of a loop: behind others, what stands between them.
    pub(crate) fn item(
        &mut self,
        has_items: bool,
        ends_line: bool,
        blank: [&'a str; 2],
    ) -> Point<'a> {
        let point = self.point();
        if has_items {
            if ends_line {
                self.end_block("");
            }
            for blank in blank {
                self.blank(blank);
            }
        }
        point
    }

    /// Gives whether something of it was printed. The line around a loop within it goes on.
    pub(crate) fn end_item(&mut self, before: Point<'a>, ends_line: bool) -> bool {
        if ends_line {
            self.close_line();
        }
        let is_there = self.place() != before.place;
        if !is_there {
            self.rollback(before);
        }
        is_there
    }

    // Slots.

    /// The lines from here on stand so many columns further to the right; gives the columns to return to.
    pub(crate) fn indent_by(&mut self, columns: usize) -> usize {
        let outer = self.indent;
        self.indent = (outer + columns).min(crate::node::DEEPEST_COLUMN);
        outer
    }

    pub(crate) fn end_indent(&mut self, outer: usize) {
        self.indent = outer;
    }

    /// A slot that came out empty takes its line along, and the blank lines before it. Those before the text, behind a tag
    /// or a heading, are not its own.
    pub(crate) fn end_slot(&mut self, outer: usize, from: usize) {
        self.indent = outer;
        if self.len() == from {
            if self.place() != self.text.start {
                self.pending.rest = Rest::default();
            }
            self.vanish();
        }
    }

    // Headings.

    pub(crate) fn title(&mut self, op: Heading) -> OpenTitle<'a> {
        if self.look.style == Style::Xml {
            let before = self.point();
            let words = self.len();
            return OpenTitle { op, before, words };
        }
        self.take_back_headings(op.level);
        if op.is_computed {
            self.depends();
        }
        let before = self.point();
        self.hashes(op.printed_level);
        let words = self.len();
        OpenTitle { op, before, words }
    }

    pub(crate) fn end_title(&mut self, title: &OpenTitle<'a>) {
        self.close_line();
        if self.look.style == Style::Xml {
            self.begin_title_tag(title);
            return;
        }
        if super::is_blank(self.since(title.words)) {
            // A title that prints nothing, or blanks, leaves no heading.
            self.rollback(title.before);
            self.vanish();
            return;
        }
        if title.op.is_optional {
            self.headings.push(Tentative {
                level: title.op.level,
                before: title.before,
                after: usize::MAX,
            });
        }
    }

    /// Where a tentative heading ends: nothing stands under it as long as nothing comes behind that.
    #[inline]
    fn after_heading(&mut self) {
        let len = self.len();
        let own = self.text.headings;
        if let Some(heading) = self.headings.get_mut(own..).and_then(<[_]>::last_mut)
            && heading.after == usize::MAX
        {
            heading.after = len;
            let from = heading.before.place.len;
            self.tentative_since(from);
        }
    }

    /// Takes back the tentative headings of this level and below under which nothing was printed.
    fn take_back_headings(&mut self, level: u8) {
        let own = self.text.headings;
        while let Some(heading) = self
            .headings
            .get(own..)
            .and_then(<[_]>::last)
            .filter(|heading| heading.level >= level)
        {
            let heading = *heading;
            self.headings.pop();
            if self.len() != heading.after && heading.after != usize::MAX {
                continue;
            }
            if heading.before.place.len > self.text.start.len {
                self.truncate(heading.before.place.len);
                self.line_from = self.place();
            } else {
                self.rollback(heading.before);
            }
        }
    }

    /// The words of the text are over, and what has no place in it follows: a heading of which nothing stands goes. Gives where the text began.
    pub(crate) fn end_own_words(&mut self) -> usize {
        self.close_line();
        self.take_back_headings(0);
        self.text.before.len
    }

    /// A heading of a text becomes a tag, in which everything up to the next title of its level or above stands. A value
    /// never names a tag: such a heading is `<section title="..">`.
    fn begin_title_tag(&mut self, title: &OpenTitle<'a>) {
        let OpenTitle { op, before, .. } = *title;
        // What was pending before the words was printed with them.
        let printed = self.since(before.place.len);
        let skipped = printed.len() - printed.trim_start_matches(['\n', ' ', '\t']).len();
        // A title in an attribute is on one line.
        let text = printed[skipped..].replace('\n', " ");
        self.rollback(before);
        if text.trim().is_empty() {
            self.vanish();
            return;
        }
        while self.title_tag().is_some_and(|level| level >= op.level) {
            self.close_title_tag();
        }
        let depth = op.depth + self.title_tags.len();
        if self.place() != self.text.before {
            self.set_pending(if depth > 0 { "\n" } else { "\n\n" });
        }
        let before = self.point();
        if op.is_computed {
            self.depends();
        }
        let name = tag_name(&text).filter(|_| !op.is_computed);
        let is_named = name.is_some();
        let name = name.unwrap_or_else(|| "section".to_owned());
        let mut tag = OpenTag::new(Cow::Owned(name), before);
        self.open_tag(&mut tag, op.depth, op.indent, None);
        if !is_named {
            self.attribute(&mut tag, "title", &text, false);
        }
        self.end_of_open_tag(&mut tag);
        self.title_tags.push((tag, op.level, op.is_optional));
        // What follows is the start of a text again.
        self.text.start = self.place();
        self.line_from = self.text.start;
    }

    /// The level of the innermost heading of this text that became a tag.
    fn title_tag(&self) -> Option<u8> {
        let own = self.title_tags.get(self.text.tags..)?;
        own.last().map(|(_, level, _)| *level)
    }

    fn close_title_tag(&mut self) {
        if let Some((tag, _, is_optional)) = self.title_tags.pop() {
            self.close_line();
            self.close_tag(&tag, !is_optional);
        }
    }

    // Code.

    pub(crate) fn code(&mut self, fence: &'a str) {
        self.flush();
        self.text.code = Some(self.len());
        self.words(fence);
    }

    /// Whether a code block is open.
    pub(crate) fn in_code(&self) -> bool {
        self.text.code.is_some()
    }

    /// An untrusted value stands in a code block: its fence may grow.
    pub(crate) fn note_untrusted_code(&mut self) {
        if let Some(at) = self.text.code {
            self.prefix.end = self.prefix.end.map(|prefix| prefix.min(at));
        }
    }

    pub(crate) fn end_code(&mut self, close: &'a str) {
        self.close_line();
        if !close.is_empty() {
            self.end_block("");
            self.words(close);
        }
        self.text.code = None;
    }
}

/// The blank lines behind the end of a line.
pub(crate) fn blank_lines(text: &str) -> &str {
    match text.strip_prefix('\n') {
        Some(blank) => blank,
        None => text.split_once('\n').map_or("", |(_, blank)| blank),
    }
}

/// `How to work` -> `how_to_work`; `None` where that is no valid name.
fn tag_name(title: &str) -> Option<String> {
    let name = title.split_whitespace().collect::<Vec<_>>().join("_");
    let name = name.to_ascii_lowercase();
    prompt_syntax::is_tag(&name).then_some(name)
}
