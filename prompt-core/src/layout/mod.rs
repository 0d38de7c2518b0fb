//! The text under construction, and the only place where white space, headings, levels, tags, bullets, gaps, numbering and
//! spans are decided, in Markdown and in XML. It knows nothing of nodes: the walk tells it what to print.
//!
//! What is open (a text, a group, a heading, a section, a tag) is kept by who opened it, and handed back to be closed.
//!
//! White space is *pending* until something follows it, so what comes out empty leaves no trace. What is pending has two
//! parts: whether the line before has ended, and the blank lines behind it. Something that came out empty between two gaps
//! must leave what one gap would have left: the blank lines before it go where blank lines follow it, and stay where none
//! do, because then only a part of a paragraph went.

mod finish;
mod kinds;
mod look;
mod pending;
mod prefix;
mod section;
mod tag;
mod text;
mod value;
mod wording;
mod words;

pub(crate) use finish::{Printed, Sourced, Span, WrittenTag};
pub(crate) use kinds::{Between, Heading, Treatment};
pub(crate) use look::Look;
pub use look::{HeadingOverflow, Numbering, Style};
pub(crate) use section::{OpenSection, Title};
pub(crate) use tag::OpenTag;
pub(crate) use text::blank_lines;
pub use wording::Wording;
pub(crate) use words::Words;

/// Position of a row in the table of rows.
pub(crate) type RowId = u32;

use crate::errors::PromptError;
use crate::xml::ValueRange;
use pending::Pending;
use prefix::Prefix;
use section::Numbers;
use std::ops::Range;
use text::{Tentative, TextState};

/// A state to return to.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Point<'a> {
    place: Spot,
    pending: Pending<'a>,
    /// Where the line that is being printed began.
    line_from: Spot,
    /// How many of the open sections had not begun.
    waiting: usize,
}

/// A point of the page: nothing was printed between two that are equal.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Spot {
    /// Bytes before it, without what is pending.
    len: usize,
    /// Lines that are there with nothing in them (`{_}`).
    nothings: usize,
}

/// What is to be known of a text besides the text itself.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Notes {
    /// Where its sections stand, and how far it is the same whatever the values are.
    pub(crate) sections: bool,
    /// Where values stand and what they come from.
    pub(crate) sources: bool,
}

/// Lists that one text leaves to the next, so that they are allocated once.
#[derive(Default)]
pub(crate) struct Scratch {
    values: Vec<ValueRange>,
    ranges: Vec<Range<usize>>,
}

/// The text under construction.
pub(crate) struct Page<'w, 'a> {
    buffer: &'w mut String,
    /// Bytes of the buffer that are not ours.
    start: usize,
    look: &'w Look,
    pending: Pending<'a>,
    /// What is pending and had to be put together.
    pool: Vec<String>,
    /// Columns before lines that begin from now on.
    indent: usize,
    /// Where the line that is being printed began.
    line_from: Spot,
    /// Lines so far that are there with nothing in them.
    nothings: usize,
    prefix: Prefix,
    notes: Notes,
    /// Bytes that values wrote, for guarding.
    values: Vec<ValueRange>,
    /// What one value wrote.
    ranges: Vec<Range<usize>>,
    sources: Vec<Sourced>,
    /// Whether a `<` of the author's may stand so that a value behind it has a part in its tag.
    has_open_angles: bool,
    /// Each `<` that was written together with a value.
    value_angles: Vec<usize>,
    has_untrusted: bool,
    /// Whether something was taken back, so that spans have to be nested again.
    has_vanished: bool,
    /// Where a line break and how many columns are to be put in once the text is finished: tags that turned out not to
    /// fit on a line.
    breaks: Vec<(usize, usize)>,
    text: TextState<'a>,
    /// Headings that go if nothing comes under them: of the text that is being printed, and those around it.
    headings: Vec<Tentative<'a>>,
    /// Headings that became tags, each with its level and whether it is optional.
    title_tags: Vec<(OpenTag<'a>, u8, bool)>,
    /// The numbers of the headings directly below the innermost open one.
    numbers: Numbers,
    /// The numbers of the open headings.
    number_path: Vec<u32>,
    /// How many of the open sections have not begun yet.
    waiting: usize,
    spans: Vec<Span>,
    /// What nodes have in front of their text and behind it (`start`, `end`), where sections are noted.
    frames: Vec<Range<usize>>,
    open_spans: Vec<usize>,
    tags: Vec<WrittenTag<'a>>,
    is_summarised: bool,
    /// The first thing that could not be printed.
    fault: Option<PromptError>,
}

impl<'w, 'a> Page<'w, 'a> {
    /// A page that is appended to a text.
    pub(crate) fn new(buffer: &'w mut String, look: &'w Look, notes: Notes) -> Self {
        let start = buffer.len();
        Self {
            buffer,
            start,
            look,
            pending: Pending::default(),
            pool: Vec::new(),
            indent: 0,
            line_from: Spot::default(),
            nothings: 0,
            prefix: if notes.sections {
                Prefix::default()
            } else {
                Prefix::unwanted()
            },
            notes,
            values: Vec::new(),
            ranges: Vec::new(),
            sources: Vec::new(),
            has_open_angles: false,
            value_angles: Vec::new(),
            has_untrusted: false,
            has_vanished: false,
            breaks: Vec::new(),
            text: TextState::default(),
            headings: Vec::new(),
            title_tags: Vec::new(),
            numbers: Numbers::default(),
            number_path: Vec::new(),
            waiting: 0,
            spans: Vec::new(),
            frames: Vec::new(),
            open_spans: Vec::new(),
            tags: Vec::new(),
            is_summarised: false,
            fault: None,
        }
    }

    /// Takes over the lists of the text before.
    pub(crate) fn reuse(&mut self, scratch: Scratch) {
        (self.values, self.ranges) = (scratch.values, scratch.ranges);
    }

    /// Leaves its lists to the text behind it.
    pub(crate) fn scratch(&mut self) -> Scratch {
        self.values.clear();
        self.ranges.clear();
        Scratch {
            values: std::mem::take(&mut self.values),
            ranges: std::mem::take(&mut self.ranges),
        }
    }

    pub(crate) fn look(&self) -> &'w Look {
        self.look
    }

    pub(crate) fn style(&self) -> Style {
        self.look.style
    }

    pub(crate) fn keeps_sources(&self) -> bool {
        self.notes.sources
    }

    /// So many sections are about to come.
    pub(crate) fn reserve(&mut self, sections: usize) {
        if self.notes.sections {
            self.spans.reserve(sections);
        }
    }

    /// Bytes printed so far, without what is pending.
    #[inline]
    pub(crate) fn len(&self) -> usize {
        self.buffer.len() - self.start
    }

    /// Whether columns stand before the lines that begin from now on.
    pub(crate) fn is_indented(&self) -> bool {
        self.indent > 0
    }

    /// What has been printed from `from` on.
    fn since(&self, from: usize) -> &str {
        &self.buffer[self.start + from..]
    }

    #[inline]
    fn place(&self) -> Spot {
        Spot {
            len: self.len(),
            nothings: self.nothings,
        }
    }

    #[inline]
    pub(crate) fn point(&self) -> Point<'a> {
        Point {
            place: self.place(),
            pending: self.pending,
            line_from: self.line_from,
            waiting: self.waiting,
        }
    }

    /// Takes back everything printed since `point`.
    fn rollback(&mut self, point: Point<'a>) {
        if self.len() > point.place.len {
            self.truncate(point.place.len);
        }
        self.nothings = point.place.nothings;
        self.pending = point.pending;
        self.line_from = point.line_from;
        self.waiting = point.waiting;
    }

    /// Takes back everything printed since there, but keeps what is pending.
    fn truncate(&mut self, len: usize) {
        self.has_vanished = true;
        self.buffer.truncate(self.start + len);
        self.prefix.truncate(len);
        while self.values.pop_if(|value| value.range.end > len).is_some() {}
        while self.value_angles.pop_if(|at| *at >= len).is_some() {}
        while self
            .sources
            .pop_if(|source| source.range.end > len)
            .is_some()
        {}
        while self.breaks.pop_if(|(at, _)| *at > len).is_some() {}
        while self.frames.pop_if(|frame| frame.end > len).is_some() {}
    }

    /// Keeps the first fault: the page goes on, so that everything stays balanced, and is thrown away.
    fn fail(&mut self, fault: PromptError) {
        self.fault.get_or_insert(fault);
    }

    // Printing.

    /// Prints text that does not come from a value.
    #[inline]
    pub(crate) fn literal(&mut self, text: &str) {
        if !text.is_empty() {
            self.flush();
            self.push(text);
        }
    }

    #[inline]
    fn push(&mut self, text: &str) {
        if self.indent == 0 {
            self.buffer.push_str(text);
        } else {
            self.push_indented(text);
        }
    }

    /// Prints this many blanks.
    #[inline]
    fn blanks(&mut self, count: usize) {
        // Of a length that is known, so that it is no call.
        match count {
            0 => {}
            2 => self.literal("  "),
            4 => self.literal("    "),
            _ => self.many_blanks(count),
        }
    }

    #[inline(never)]
    fn many_blanks(&mut self, count: usize) {
        const BLANKS: &str = "                                ";
        if let Some(blanks) = BLANKS.get(..count) {
            self.literal(blanks);
        } else {
            self.literal(" ");
            self.buffer.extend(std::iter::repeat_n(' ', count - 1));
        }
    }

    fn at_line_start(&self) -> bool {
        self.len() == 0 || self.buffer.ends_with('\n')
    }

    #[inline(never)]
    fn push_indented(&mut self, text: &str) {
        for line in text.split_inclusive('\n') {
            if line != "\n" && self.at_line_start() {
                self.buffer.extend(std::iter::repeat_n(' ', self.indent));
            }
            self.buffer.push_str(line);
        }
    }

    // What guarding has to look at.

    /// A text of the author's is about to be printed of which it is known whether it leaves a `<` open.
    #[inline]
    pub(crate) fn note_open_angles(&mut self, has_open_angles: bool) {
        self.has_open_angles |= has_open_angles;
    }

    /// Words of the author are about to be printed of which that is not known.
    #[inline]
    pub(crate) fn look_for_angles(&mut self, words: &str) {
        self.has_open_angles = self.has_open_angles || holds_angle(words);
    }

    // How far the text is the same whatever the values are.

    /// From here on the text depends on a value; so does a heading or tag right before it that may be taken back.
    #[inline]
    pub(crate) fn depends(&mut self) {
        self.prefix.depends(self.len());
    }

    /// What stands at `at` depends on the values behind it, if there are any; so does what goes with it.
    fn depends_in(&mut self, at: usize) {
        if self.prefix.end.is_some_and(|prefix| prefix >= at) {
            self.prefix.end = Some(self.prefix.goes_from(at));
        }
    }

    /// What was printed since `from` is taken back, or looks otherwise, if nothing follows it.
    fn tentative_since(&mut self, from: usize) {
        self.prefix.tentative(from, self.len());
    }
}

/// Whether a `<` is among the bytes.
#[inline]
fn holds_angle(text: &str) -> bool {
    let bytes = text.as_bytes();
    if bytes.len() < 16 {
        return bytes.contains(&b'<');
    }
    memchr::memchr(b'<', bytes).is_some()
}

/// Whether a text is nothing but white space.
#[inline]
fn is_blank(text: &str) -> bool {
    match text.as_bytes().first() {
        Some(first) if first.is_ascii_graphic() => false,
        _ => text.trim_start().is_empty(),
    }
}
