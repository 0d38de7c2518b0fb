//! The page: a text on its way, and what its events print.

use super::{
    contexts::Contexts,
    format::{Format, HeadingOverflow, Style},
    printed::{Frame, Prefix, Printed},
    space::Space,
};
use crate::document::{Document, Event, Piece, Range, Section, SectionId, Written};
use crate::errors::PromptError;
use crate::node::{Form, SectionInfo, depth::DEEPEST_HEADING};
use crate::xml::ValueRange;
use prompt_syntax::Margins;
use std::borrow::Cow;

/// Of a heading, with the blank behind them.
pub(super) const HASHES: &str = "###### ";

/// How a document is printed.
#[derive(Clone, Copy)]
pub(crate) struct Printing<'p> {
    pub(crate) format: &'p Format,
    /// Other forms than those with which the document was asked.
    pub(crate) forms: Option<&'p [Form]>,
    /// The forms by which conditions on sections are answered, where others are printed.
    pub(crate) asked: Option<&'p [Form]>,
    pub(crate) contexts: Option<&'p Contexts>,
    /// Whether it is noted where sections stand.
    pub(crate) with_spans: bool,
    pub(crate) with_sources: bool,
    /// The forms without the budget that chose these: what is shown depends on all values then.
    pub(crate) meant: Option<&'p [Form]>,
    /// Whether lists say how many of their items a budget left out.
    pub(crate) with_left_out: bool,
    /// Whether what is shown in full is printed in its short form too, aside, and it is noted which tags are written.
    pub(crate) with_shorts: bool,
}

impl<'p> Printing<'p> {
    pub(crate) fn new(format: &'p Format) -> Self {
        Self {
            format,
            forms: None,
            asked: None,
            contexts: None,
            with_spans: true,
            with_sources: false,
            meant: None,
            with_left_out: false,
            with_shorts: false,
        }
    }

    /// The form of a section.
    pub(super) fn form(&self, id: SectionId, section: &Section<'_>) -> Form {
        self.forms.map_or(section.form, |forms| forms[id as usize])
    }
}

/// A tag that is open.
pub(super) struct OpenTag<'a> {
    pub(super) name: Cow<'a, str>,
    /// Where its content begins.
    pub(super) content: usize,
    /// Whether it stands on one line with what is in it.
    pub(super) fits: bool,
    pub(super) is_inline: bool,
    /// The column in which it stands, and by how many those around it move what is in them.
    pub(super) margin: usize,
    pub(super) columns: usize,
}

/// Of what values are worded as: how their further lines begin, outermost first, with the marker of its quotation.
#[derive(Default)]
pub(super) struct Further<'a> {
    pub(super) heads: Vec<(String, &'a str)>,
    /// Whether the next line is still to be begun.
    pub(super) after_break: bool,
    /// Behind a value that ends in a break the author's words go on in the quotation: the blanks behind its marker.
    blanks: &'a str,
}

impl Further<'_> {
    fn is_none(&self) -> bool {
        self.heads.is_empty() && self.blanks.is_empty()
    }
}

/// Which sections print something.
#[derive(Default)]
pub(super) struct Shown {
    pub(super) printed: Vec<bool>,
    /// By the forms with which conditions on sections are answered, where those are others.
    pub(super) asked: Vec<bool>,
}

/// A text on its way.
pub(super) struct Page<'p, 'a> {
    pub(super) out: String,
    /// Where it begins in its buffer.
    pub(super) start: usize,
    pub(super) document: &'p Document<'a>,
    pub(super) printing: Printing<'p>,
    pub(super) shown: Shown,
    pub(super) space: Space<'a>,
    /// The list of texts that is printed, and where its last item begins, if what stands before that is another than before
    /// the others.
    pub(super) list: (&'a SectionInfo, Option<usize>),
    /// The level of the text that is printed.
    pub(super) level: i32,
    /// The section that is printed.
    pub(super) at: Option<SectionId>,
    /// Tags that are open, the column of the next one, and by how many columns each moves what is in it.
    pub(super) depth: usize,
    pub(super) margin: usize,
    pub(super) columns: usize,
    /// Columns by which slots move what is embedded to the right.
    pub(super) indent: usize,
    /// Where the node's own words, or a list, began.
    pub(super) own_from: usize,
    /// Where what stands before the next heading or tag begins.
    pub(super) gap_from: usize,
    /// Titles of texts that became tags and are open.
    pub(super) titles: Vec<(i8, OpenTag<'a>)>,
    /// The numbers of the open headings.
    pub(super) numbers: Vec<u32>,
    /// Whether a Markdown text is printed, whose titles are no tags.
    pub(super) is_markdown: bool,
    /// A section that is printed in its short form.
    pub(super) short: Option<SectionId>,
    /// Where the first value stands, and whether it is not to be trusted.
    pub(super) first_value: Option<(usize, bool)>,
    /// The values that guarding has to look at: from the first one on that could be a part of a tag.
    pub(super) values: Vec<ValueRange>,
    /// Where the text begins that is printed, or goes on behind one that stands in it.
    pub(super) text_from: usize,
    /// Whether all values are wanted.
    pub(super) with_values: bool,
    /// The first byte that a strict value would have changed where it was written.
    pub(super) violation: Option<usize>,
    pub(super) prefix: Prefix,
    pub(super) printed: Printed<'a>,
    pub(super) fault: Option<PromptError>,
}

impl<'p, 'a> Page<'p, 'a> {
    pub(super) fn new(document: &'p Document<'a>, printing: Printing<'p>, mut out: String) -> Self {
        let room = document.written.len() + 24 * document.lists.pieces.len();
        out.reserve(room + 16 * document.sections.len());
        let mut page = Self::blank(document, printing, out);
        page.find_shown();
        if printing.with_spans {
            page.printed.spans.reserve(document.sections.len());
        } else {
            // Nobody asks how far it is the same.
            page.depends();
        }
        page
    }

    /// A text that begins at the end of what is in a buffer. What is shown is not known yet.
    pub(super) fn blank(document: &'p Document<'a>, printing: Printing<'p>, out: String) -> Self {
        Self {
            start: out.len(),
            text_from: out.len(),
            out,
            document,
            printing,
            shown: Shown::default(),
            space: Space::default(),
            at: None,
            depth: 0,
            margin: 0,
            columns: printing.format.indent,
            indent: 0,
            own_from: 0,
            gap_from: 0,
            list: (SectionInfo::EMPTY, None),
            level: 0,
            titles: Vec::new(),
            numbers: Vec::new(),
            is_markdown: false,
            short: None,
            first_value: None,
            values: Vec::new(),
            with_values: false,
            violation: None,
            prefix: Prefix::default(),
            printed: Printed::default(),
            fault: None,
        }
    }

    pub(super) fn is_xml(&self) -> bool {
        self.printing.format.style == Style::Xml && !self.is_markdown
    }

    pub(super) fn form(&self, id: SectionId) -> Form {
        if self.short == Some(id) {
            Form::Summary
        } else {
            self.printing.form(id, self.document.section(id))
        }
    }

    /// The length of the text so far.
    #[inline]
    pub(super) fn len(&self) -> usize {
        self.out.len()
    }

    #[cold]
    pub(super) fn fail(&mut self, fault: PromptError) {
        self.fault.get_or_insert(fault);
    }

    pub(super) fn root(&mut self) {
        let document = self.document;
        let level = i32::from(self.printing.format.base_level);
        if document.varies {
            self.depends();
        }
        if document.tag.name.is_empty() {
            self.text(document.body, level);
        } else {
            self.tagged_root(level);
        }
        if self.is_xml() && self.len() > self.start {
            self.out.push('\n');
        }
    }

    // Texts.

    /// A text whose first level is printed as this one.
    pub(super) fn text(&mut self, events: Range, level: i32) {
        self.part_text();
        let own_from = std::mem::replace(&mut self.own_from, self.out.len());
        let open = self.titles.len();
        let outer = std::mem::replace(&mut self.level, level);
        self.run(events.usize(), level, open);
        self.level = outer;
        self.close_titles(open);
        self.own_from = own_from;
        self.part_text();
    }

    pub(super) fn close_titles(&mut self, open: usize) {
        while self.titles.len() > open {
            self.close_title();
        }
    }

    pub(super) fn run(&mut self, events: std::ops::Range<usize>, level: i32, open: usize) {
        let document = self.document;
        let lists = &document.lists;
        let (mut at, end) = (events.start, events.end);
        while at < end {
            let event = &lists.events[at];
            at += 1;
            match *event {
                Event::Line(pieces) => {
                    self.line_break();
                    self.pieces(&lists.pieces[pieces.usize()]);
                }
                Event::Blank(count) => self.space.blank(count),
                Event::Blanks(lines) => self.space.blanks(lines),
                Event::Gone => self.space.is_gone = true,
                Event::End => self.space.end(),
                Event::There => {}
                Event::Varies => self.depends(),
                Event::Own => self.own_from = self.out.len(),
                Event::Join => {
                    self.close_titles(open);
                    self.space.set(1);
                }
                Event::Group(count) => {
                    self.depends();
                    let inside = at..at + count as usize;
                    if !self.prints(&lists.events[inside]) {
                        self.space.is_gone = true;
                        at += count as usize;
                    }
                }
                Event::Title { .. } => self.begin_title(*event, at, level, open),
                Event::Slot(slot) => self.slot(slot, level + i32::from(slot.level), level),
                Event::Collected { level: own, indent } => {
                    self.collected(level + i32::from(own), indent);
                }
                Event::Asked { pieces, head } => {
                    self.depends();
                    if self.is_line_left(pieces, head) {
                        self.line_break();
                        let pieces = self.visible(&lists.pieces[pieces.usize()]);
                        self.pieces(&pieces);
                    } else {
                        self.space.is_gone = true;
                    }
                }
                Event::If(condition) => {
                    self.depends();
                    let (count, taken) = condition.taken(self.is_section(condition));
                    let taken = at + taken.start..at + taken.end;
                    at += count;
                    if self.prints_or_is_there(&lists.events[taken.clone()]) {
                        self.run(taken, level, open);
                    } else {
                        self.space.is_gone = true;
                    }
                }
                Event::Frame { words, is_end } => {
                    self.close_titles(open);
                    self.frame(words, is_end);
                }
                Event::Markdown {
                    count,
                    info,
                    owner,
                    treatment,
                } => {
                    let inside = at..at + count as usize;
                    self.markdown(inside, level, (&info.field, owner), treatment);
                    at += count as usize;
                }
                Event::List { info, owner, count } => {
                    let from = self.out.len();
                    let outer = std::mem::replace(&mut self.own_from, from);
                    let inside = at..at + count as usize;
                    self.list = (info, self.last_item(info, inside.clone()));
                    self.run(inside, level, open);
                    self.own_from = outer;
                    self.note_trimmed(from, &info.field, owner);
                    at += count as usize;
                }
                Event::Item { name, count } => {
                    let inside = at..at + count as usize;
                    if self.prints(&lists.events[inside.clone()]) {
                        self.item(inside, level, name);
                    }
                    at += count as usize;
                }
            }
        }
    }

    /// Where the last item of a list begins that prints something, if what stands before it is another than before the others.
    fn last_item(&self, info: &SectionInfo, events: std::ops::Range<usize>) -> Option<usize> {
        info.items.last.as_ref()?;
        let lists = &self.document.lists;
        let (mut at, mut last) = (events.start, None);
        while at < events.end {
            let event = lists.events[at];
            at += 1;
            let Event::Item { count, .. } = event else {
                continue;
            };
            let end = at + count as usize;
            if self.prints(&lists.events[at..end]) {
                last = Some(at);
            }
            at = end;
        }
        last
    }

    /// Words before or behind all that a node prints.
    pub(super) fn frame(&mut self, words: &'a str, is_end: bool) {
        if is_end {
            self.space.clear();
        } else {
            self.line_break();
        }
        let from = self.len();
        self.push(words);
        let range = from - self.start..self.len() - self.start;
        self.printed.frames.push(Frame { range, is_end });
        if is_end {
            self.space.is_started = true;
        } else {
            self.space.begin("");
            // What is joined is joined to the node's own words.
            self.own_from = self.out.len();
        }
    }

    pub(super) fn title(
        &mut self,
        pieces: &[Piece<'a>],
        level: i32,
        margins: Option<&Margins>,
        is_optional: bool,
    ) {
        let from = self.len();
        self.line_break();
        self.indent_line();
        let margins = margins.unwrap_or(&Margins::USUAL);
        self.out.push_str(&margins.before);
        let hashes = self.hashes(level);
        self.out.push_str(HASHES[hashes..].trim_end());
        self.out.push_str(&margins.behind);
        let pieces = self.visible(pieces);
        self.pieces(&pieces);
        self.out.push_str(&margins.close);
        if is_optional {
            self.prefix.tentative(from, self.out.len());
        }
    }

    /// Words of the author, which may hold further lines.
    #[inline]
    pub(super) fn push(&mut self, words: &str) {
        if self.indent == 0 {
            self.out.push_str(words);
        } else {
            self.push_indented(words);
        }
    }

    #[inline(never)]
    pub(super) fn push_indented(&mut self, words: &str) {
        for line in words.split_inclusive('\n') {
            if line != "\n" {
                self.indent_line();
            }
            self.out.push_str(line);
        }
    }

    pub(super) fn blanks(&mut self, count: usize) {
        const BLANKS: &str = "                                ";
        match BLANKS.get(..count) {
            Some("") => {}
            Some(blanks) => self.out.push_str(blanks),
            None => self.out.extend(std::iter::repeat_n(' ', count)),
        }
    }

    #[inline]
    pub(super) fn line_break(&mut self) {
        self.space.line_break(&mut self.out);
    }

    /// The columns of the slot in which a line stands, if nothing stands on it yet.
    #[inline]
    pub(super) fn indent_line(&mut self) {
        if self.indent > 0 && (self.out.len() == self.start || self.out.ends_with('\n')) {
            self.blanks(self.indent);
        }
    }

    /// Where the hashes of a heading begin in [`HASHES`].
    #[inline]
    pub(super) fn hashes(&mut self, level: i32) -> usize {
        if level > i32::from(DEEPEST_HEADING)
            && self.printing.format.overflow == HeadingOverflow::Error
        {
            self.fail(PromptError::HeadingLevel {
                path: self.document.path(self.at),
                level: usize::try_from(level).unwrap_or_default(),
            });
        }
        usize::from(DEEPEST_HEADING - heading_level(level))
    }

    /// A heading of a text, if something is printed of it; what stands below it begins at this event.
    fn begin_title(&mut self, title: Event<'a>, at: usize, level: i32, open: usize) {
        let Event::Title {
            pieces,
            level: own,
            margins,
            is_computed,
            rest,
        } = title
        else {
            return;
        };
        let document = self.document;
        let pieces = &document.lists.pieces[pieces.usize()];
        let below = &document.lists.events[at..at + rest.unwrap_or(0) as usize];
        let hangs_on_section = is_computed && document.is_open;
        if rest.is_some() && !self.prints(below) {
            if self.may_differ(below) {
                self.depends();
            }
            self.space.is_gone = true;
        } else if hangs_on_section && self.is_nothing(pieces) {
            self.depends();
            self.space.is_gone = true;
        } else if self.is_xml() {
            self.title_tag(pieces, own, is_computed, open);
        } else {
            if is_computed {
                self.depends();
            }
            self.title(pieces, level + i32::from(own), margins, rest.is_some());
        }
    }

    /// Whether nothing but white space is printed of some pieces.
    fn is_nothing(&self, pieces: &[Piece<'a>]) -> bool {
        let visible = self.visible(pieces);
        Written(&self.document.written).is_blank(&visible)
    }

    /// Pieces of a line, of which none hangs on a section any more.
    pub(super) fn pieces(&mut self, pieces: &[Piece<'a>]) {
        let mut further = Further::default();
        for piece in pieces {
            match *piece {
                Piece::Words(words) if further.is_none() => self.push(words),
                piece => self.piece(piece, &mut further),
            }
        }
    }

    #[inline(never)]
    fn piece(&mut self, piece: Piece<'a>, further: &mut Further<'a>) {
        if !further.blanks.is_empty() {
            let words = match piece {
                Piece::Words(words) => words,
                Piece::Value { text, .. } => self.document.words(text),
                _ => "",
            };
            if !words.is_empty() {
                let blanks = std::mem::take(&mut further.blanks);
                self.out
                    .push_str(if words.starts_with('\n') { "" } else { blanks });
            }
        }
        match piece {
            Piece::Words(words) => self.put_words(words, further),
            Piece::Value { value, text } => further.blanks = self.value(value, text, further),
            Piece::Head(number) => self.begin_further(number, further),
            Piece::Tail => {
                let behind = self.end_further(further);
                if !behind.is_empty() {
                    further.blanks = behind;
                }
            }
            Piece::Nothing | Piece::If(_) => {}
            Piece::Varies => self.depends(),
            Piece::Fence(number) => self.fence(number),
            Piece::Title => self.own_title(),
            Piece::Key => self.own_path(),
            Piece::Subsections => self.subsections(),
            Piece::Failed(fault) => {
                let fault = self.document.faults[fault as usize].clone();
                self.fail(fault);
            }
        }
    }

    /// A fence that is as long as the values in it need.
    pub(super) fn fence(&mut self, number: u32) {
        let (words, marks) = self.document.fences[number as usize];
        let head = words.len() - words.trim_start_matches([' ', '\t']).len();
        let own = words[head..].trim_end_matches([' ', '\t']);
        let more = marks.saturating_sub(own.len());
        self.push(&words[..head + own.len()]);
        // With other values it may be longer.
        self.depends();
        let mark = own.chars().next().unwrap_or('`');
        self.out.extend(std::iter::repeat_n(mark, more));
        self.out.push_str(&words[head + own.len()..]);
    }

    // How far the text is the same whatever the values are.

    #[inline]
    pub(super) fn depends(&mut self) {
        self.prefix.depends(self.out.len());
    }
}

#[inline]
pub(super) fn heading_level(level: i32) -> u8 {
    u8::try_from(level.clamp(1, DEEPEST_HEADING.into())).unwrap_or(DEEPEST_HEADING)
}
