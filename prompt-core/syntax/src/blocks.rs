//! The lines of a text: headings, fences, slots, marker lines and runs of everything else.

use crate::{
    Code, Metadata, Place, Problem,
    brace::{Inside, TokenKind, inside},
    branches::own,
    build::{self, Block},
    check,
    findings::{Findings, Piece},
    inline::Reader,
    known::{Names, Site},
    lines::{Fence, Heading, Line, columns, indentation, without_indentation, without_trail},
    problem::LineCounter,
    scan::count,
    source::Source,
    structure::{Shape, Structure, TextKind, TextLine},
    token::{Standing, marker},
};
use alloc::{collections::BTreeSet, vec::Vec};
use core::ops::Range;

/// Reads a text line by line; `nests` says whether fences stand in one another.
pub(crate) fn read_source<'p, 'a>(
    source: &'p Source<'p>,
    text: &'p str,
    known: &'p Names<'a>,
    problems: Vec<Problem>,
    nests: bool,
) -> Reading<'p, 'a> {
    let mut reading = Reading::new(source, text, known, problems);
    if known.options.place == Place::Inline {
        reading.read_inline();
    } else {
        reading.read(nests);
    }
    reading.found.leave(usize::MAX);
    reading
}

/// The reading of one text.
pub(crate) struct Reading<'p, 'a> {
    source: &'p Source<'p>,
    text: &'p str,
    known: &'p Names<'a>,
    pub(crate) found: Findings<'p>,
    pub(crate) flats: Vec<(Block, Metadata)>,
    pub(crate) has_fences: bool,
    /// The marks of a fence in a list item or quote that has not closed yet.
    inner_fence: Option<Range<usize>>,
    /// Where the last element starts in the text that was given.
    lines: LineCounter<'p>,
    /// The level of the first heading.
    top: Option<u8>,
    /// The level of the last heading; 0 before the first.
    level: u8,
    /// The levels before the block conditions that are open.
    levels: Vec<u8>,
    /// The slots so far.
    slots: BTreeSet<&'p str>,
    /// The blank lines since the last line that was not.
    blank: Range<usize>,
    run: Option<Run>,
    /// The stretches of the run; kept from run to run for its memory.
    stretches: Vec<Stretch>,
}

/// Lines of text that make one element.
struct Run {
    range: Range<usize>,
    /// The blank lines before it.
    before: Range<usize>,
}

/// Lines that inline code can reach across, or lines of code. It reaches to the start of the next one.
struct Stretch {
    start: usize,
    is_code: bool,
    /// What is not printed.
    skipped: Option<Range<usize>>,
}

/// A fence that has not closed yet.
struct OpenCode<'p> {
    line: Line<'p>,
    fence: Fence,
    /// The blank lines before it.
    before: Range<usize>,
}

impl<'p, 'a> Reading<'p, 'a> {
    fn new(
        source: &'p Source<'p>,
        given: &'p str,
        known: &'p Names<'a>,
        problems: Vec<Problem>,
    ) -> Self {
        // Most elements have a blank line above them; a text of short lines has fewer.
        let lines = count(&source.text, b'\n').min(source.text.len() / 16);
        Self {
            source,
            text: &source.text,
            known,
            found: Findings::new(source, known.is_of_item(), problems),
            // Growing this list would move it again and again: blocks are large.
            flats: Vec::with_capacity(lines / 2 + 1),
            has_fences: false,
            inner_fence: None,
            lines: source.line_counter(given),
            top: None,
            level: 0,
            levels: Vec::new(),
            slots: BTreeSet::new(),
            blank: 0..0,
            run: None,
            stretches: Vec::new(),
        }
    }

    fn read(&mut self, nests: bool) {
        let mut structure = Structure::nesting(nests);
        let mut code = None;
        let mut is_fresh = false;
        let mut at = 0;
        while let Some(line) = Line::at(self.text, at) {
            at = line.next();
            if let Some(kind) = marker(line.text).filter(|_| !structure.is_in_fence(line.text)) {
                self.read_marker(&line, kind);
                is_fresh = true;
                continue;
            }
            let (shape, prefix) = self.shape(&line, &mut structure);
            self.follow_inner_fence(&line, &shape);
            match shape {
                Shape::Blank => self.add_blank(&line),
                Shape::Text(mut text) => {
                    text.fresh |= core::mem::take(&mut is_fresh);
                    self.has_fences |= text.opens_fence();
                    self.read_text_line(&line, &text);
                }
                Shape::Heading(heading) => self.read_heading(&line, prefix, &heading),
                Shape::FenceOpen(fence) => {
                    self.end_run();
                    self.has_fences = true;
                    let before = core::mem::take(&mut self.blank);
                    code = Some(OpenCode {
                        line,
                        fence,
                        before,
                    });
                }
                Shape::FenceInside => {}
                Shape::FenceClose => self.push_code(code.take(), Some(&line)),
            }
        }
        self.end_run();
        self.end_inner_fence();
        self.push_code(code, None);
    }

    fn add_blank(&mut self, line: &Line<'p>) {
        if self.blank.is_empty() {
            self.blank.start = line.start;
        }
        self.blank.end = line.next();
    }

    /// A fence in a list item or quote closes before these end.
    fn follow_inner_fence(&mut self, line: &Line<'p>, shape: &Shape) {
        match shape {
            Shape::Blank => {}
            Shape::Text(TextLine {
                kind: TextKind::FenceOpen(fence),
                ..
            }) => {
                self.end_inner_fence();
                let marks = &fence.marks;
                self.inner_fence = Some(line.start + marks.start..line.start + marks.end);
            }
            Shape::Text(text) if text.kind == TextKind::FenceClose => self.inner_fence = None,
            Shape::Text(text) if text.is_code() => {}
            _ => self.end_inner_fence(),
        }
    }

    fn end_inner_fence(&mut self) {
        if let Some(marks) = self.inner_fence.take() {
            let fence = &self.text[marks.clone()];
            self.found
                .report(marks, check::unclosed_fence(self.known, fence));
        }
    }

    /// Reads a template of one piece: paragraphs, and nothing else that spans lines.
    fn read_inline(&mut self) {
        let mut at = 0;
        let mut is_fresh = true;
        while let Some(line) = Line::at(self.text, at).filter(|_| !self.text.is_empty()) {
            at = line.next();
            if let Some(kind) = marker(line.text) {
                self.read_marker(&line, kind);
                is_fresh = true;
            } else if line.is_blank() && (self.run.is_some() || !self.flats.is_empty()) {
                self.add_blank(&line);
                is_fresh = true;
            } else {
                self.add_to_run(&line, &TextLine::plain(is_fresh));
                is_fresh = line.is_blank();
            }
        }
        // Here the author's blank lines stay, those at the end too.
        let blank = core::mem::take(&mut self.blank);
        if !blank.is_empty() {
            let line = Line {
                start: blank.start,
                text: &self.text[blank.start..],
            };
            self.add_to_run(&line, &TextLine::plain(true));
        }
        self.end_run();
    }

    /// A line that holds nothing but a marker does not end the list around it.
    fn read_marker(&mut self, line: &Line<'p>, kind: TokenKind<'p>) {
        match kind {
            TokenKind::Else => self.level = self.levels.last().copied().unwrap_or(self.level),
            TokenKind::End => {
                self.levels.pop();
            }
            _ => self.levels.push(self.level),
        }
        self.end_run();
        let blank = core::mem::take(&mut self.blank);
        let scope = 0..self.text.len();
        let mut reader = self.reader(Site::Lines, scope, line.start);
        reader.paragraph(line.start..line.end());
        let pieces = reader.finish(line.end());
        let token = pieces.iter().find_map(Piece::token);
        let is_alone = |token: &usize| self.found.tokens[*token].standing == Standing::Alone;
        let block = match token.filter(is_alone) {
            Some(token) => Block::Marker {
                token,
                line: line.start..line.end(),
            },
            None => Block::Text(pieces),
        };
        self.push(block, content(line).start, &blank);
    }

    /// What a line is. Where conditions stand before it, it is what it is without them; how far they reach is the
    /// second value, or 0.
    fn shape(&self, line: &Line<'p>, structure: &mut Structure) -> (Shape, usize) {
        let indent = indentation(line.text);
        let prefix = self.prefix(line.text, indent);
        if prefix == 0 {
            return (structure.read(line.text), 0);
        }
        let rest = &line.text[prefix..];
        // A fence that may go would leave its closing line behind.
        let bare = without_indentation(rest);
        let is_fence = bare.starts_with("```") || bare.starts_with("~~~");
        if is_fence || bare.is_empty() {
            return (structure.read(line.text), 0);
        }
        let mut shape = structure.read(&[&line.text[..indent], rest].concat());
        let moved = |range: &mut Range<usize>| {
            *range = range.start + prefix - indent..range.end + prefix - indent;
        };
        match &mut shape {
            Shape::Heading(Heading::Title { text, .. }) => moved(text),
            Shape::Text(TextLine {
                kind: TextKind::FenceOpen(fence),
                ..
            }) => {
                moved(&mut fence.marks);
                moved(&mut fence.info);
            }
            _ => {}
        }
        (shape, prefix)
    }

    /// How far the conditions reach that stand behind the indentation of a line; 0 without any.
    fn prefix(&self, line: &str, indent: usize) -> usize {
        let mut prefix = 0;
        let after_brace = |end| line.get(end..)?.strip_prefix('{');
        while let Some(rest) = after_brace(prefix.max(indent)) {
            let (Inside::Marker { kind, asks }, length) = inside(rest) else {
                break;
            };
            let name = asks.map_or("", |asks| asks.name);
            let (is_if, is_known) = match kind {
                TokenKind::If { .. } => (true, self.known.is_asked(name)),
                TokenKind::Each { .. } => (false, self.known.is_variable(name)),
                _ => break,
            };
            if !is_known && self.found.scoped(name, is_if).is_none() {
                break;
            }
            prefix = prefix.max(indent) + length + 2;
        }
        prefix
    }

    fn read_heading(&mut self, line: &Line<'p>, prefix: usize, heading: &Heading) {
        let scope = content(line);
        let (level, text) = match heading {
            Heading::Title { level, text } => (*level, text),
            Heading::Empty => return self.refuse_heading(line, check::empty_heading()),
            Heading::TooDeep { hashes } => {
                return self.refuse_heading(line, check::heading_level(*hashes));
            }
        };
        self.end_run();
        self.check_level(line, level);
        self.level = level;
        let (start, end) = (line.start + text.start, line.start + text.end);
        let before = core::mem::take(&mut self.blank);
        let prefix = line.start + prefix;
        let openers = self.openers(prefix, &scope);
        let mut reader = self.reader(Site::Title, scope.clone(), start);
        reader.text(start..end);
        let text = reader.finish(end);
        let block = Block::Title(build::Heading {
            level,
            indent: line.start..scope.start,
            openers,
            hashes: prefix.max(scope.start)..start,
            text,
            close: end..line.end(),
        });
        self.push(block, scope.start, &before);
    }

    /// What looks like a heading and is none is text.
    fn refuse_heading(&mut self, line: &Line<'p>, problem: Problem) {
        self.found.report(content(line), problem);
        self.add_to_run(line, &TextLine::plain(true));
    }

    /// The conditions and loops before the hashes of a heading.
    fn openers(&mut self, end: usize, scope: &Range<usize>) -> Vec<Piece> {
        if end <= scope.start {
            return Vec::new();
        }
        let mut reader = self.reader(Site::Lines, scope.clone(), scope.start);
        reader.text(scope.start..end);
        reader.finish(end)
    }

    fn check_level(&mut self, line: &Line<'p>, level: u8) {
        let top = *self.top.get_or_insert(level);
        if level < top {
            let problem = check::heading_above_top(self.known, level, top);
            self.found.report(content(line), problem);
        } else if self.level > 0 && level > self.level + 1 {
            let problem = check::skipped_level(self.known, level, self.level);
            self.found.report(content(line), problem);
        }
    }

    fn read_text_line(&mut self, line: &Line<'p>, text: &TextLine) {
        if let Some(name) = self.slot(line).filter(|_| !text.is_code()) {
            self.push_slot(line, name);
            return;
        }
        match &text.kind {
            TextKind::Underline => {
                self.found
                    .report(content(line), check::setext_heading(self.known));
            }
            TextKind::Indented if self.known.options.doc_comment => self.check_doctest(line, None),
            TextKind::FenceOpen(fence) if self.known.options.doc_comment => {
                self.check_doctest(line, Some(&line.text[fence.info.clone()]));
            }
            _ => {}
        }
        self.add_to_run(line, text);
    }

    /// Checks a code block with an info string, or an indented one.
    fn check_doctest(&mut self, line: &Line<'p>, info: Option<&str>) {
        if info.is_none_or(check::is_doctest) {
            self.found
                .report(content(line), check::doctest_fence(info.is_none()));
        }
    }

    /// The slot that a line consists of.
    fn slot(&self, line: &Line<'p>) -> Option<&'p str> {
        let content = without_indentation(line.text).strip_prefix('{')?;
        let name = without_trail(content).strip_suffix('}')?;
        let has_slots = matches!(self.known.options.place, Place::Node | Place::Free);
        (has_slots && self.known.is_slot(name)).then_some(name)
    }

    fn push_slot(&mut self, line: &Line<'p>, name: &'p str) {
        self.end_run();
        let range = content(line);
        if !self.slots.insert(name) {
            self.found
                .report(range.clone(), check::duplicate_slot(name));
        }
        self.found.leave(range.start);
        if let Some(token) = self.found.outermost_loop() {
            let slot = (token, range.clone(), check::slot_in_loop(name));
            self.found.slots_in_loops.push(slot);
        }
        let is_section = |asked: &str| self.known.is_section(asked);
        if let Some((token, asks)) = self.found.condition_around(name, &is_section)
            && (asks || is_section(name))
        {
            let slot = (token, range.clone(), name, asks);
            self.found.conditional_slots.push(slot);
        }
        let indent = self.text.get(line.start..range.start).unwrap_or_default();
        let before = core::mem::take(&mut self.blank);
        let block = Block::Slot {
            name: own(name),
            level: self.level + 1,
            indent: u16::try_from(columns(indent)).unwrap_or(u16::MAX),
        };
        self.push(block, range.start, &before);
    }

    fn add_to_run(&mut self, line: &Line<'p>, text: &TextLine) {
        let ignored = match &text.kind {
            TextKind::FenceOpen(fence) => {
                Some(&fence.info).filter(|info| self.is_ignored(line, info))
            }
            _ => None,
        };
        let skipped = ignored.map(|info| line.start + info.start..line.start + info.end);
        let is_code = text.is_code();
        let before = core::mem::take(&mut self.blank);
        let run = self.run.get_or_insert(Run {
            range: line.start..line.start,
            before,
        });
        run.range.end = line.end();
        let goes_on = |last: &Stretch| last.is_code == is_code && !text.fresh;
        if !self.stretches.last().is_some_and(goes_on) {
            self.stretches.push(Stretch {
                start: line.start,
                is_code,
                skipped,
            });
        }
    }

    /// Whether an info string only keeps rustdoc away.
    fn is_ignored(&self, line: &Line<'p>, info: &Range<usize>) -> bool {
        self.known.options.doc_comment && line.text.get(info.clone()) == Some("ignore")
    }

    fn end_run(&mut self) {
        let Some(run) = self.run.take() else { return };
        let stretches = core::mem::take(&mut self.stretches);
        let mut reader = self.reader(Site::Lines, 0..self.text.len(), run.range.start);
        let mut next = stretches.iter().peekable();
        while let Some(stretch) = next.next() {
            let end = next.peek().map_or(run.range.end, |next| next.start);
            let start = stretch.skipped.as_ref().map_or(stretch.start, |skipped| {
                reader.skip(skipped.clone());
                skipped.end
            });
            if stretch.is_code {
                reader.code_in_text(start..end);
            } else {
                reader.paragraph(start..end);
            }
        }
        let text = reader.finish(run.range.end);
        self.stretches = stretches;
        self.stretches.clear();
        // Blank lines that have come since stand before what is next.
        self.push(Block::Text(text), run.range.start, &run.before);
    }

    fn push_code(&mut self, open: Option<OpenCode<'p>>, close: Option<&Line<'p>>) {
        let Some(OpenCode {
            line,
            fence,
            before,
        }) = open
        else {
            return;
        };
        let slice = |range: Range<usize>| line.text.get(range).unwrap_or_default();
        if self.known.options.doc_comment {
            self.check_doctest(&line, Some(slice(fence.info.clone())));
        }
        if close.is_none() {
            let marks = line.start + fence.marks.start..line.start + fence.marks.end;
            let problem = check::unclosed_fence(self.known, slice(fence.marks.clone()));
            self.found.report(marks, problem);
        }
        let (info, after_info) = if self.is_ignored(&line, &fence.info) {
            (fence.marks.end..fence.marks.end, line.text.len())
        } else {
            (fence.info.clone(), fence.info.end)
        };
        let info_range = line.start + info.start..line.start + info.end;
        let mut reader = self.reader(Site::Info, info_range.clone(), info_range.start);
        reader.code(info_range.clone());
        let info_text = reader.finish(info_range.end);
        let end = close.map_or(self.text.len() + 1, |close| close.start);
        let is_open = close.is_none() && !self.known.allows(Code::UnclosedFence);
        self.found.resolver.is_in_open_fence = is_open;
        let text = self.code_lines(line.next(), end);
        let block = Block::Code {
            fence: own(slice(0..info.start)),
            info: info_text,
            after_info: own(slice(after_info..line.text.len())),
            text,
            close: own(close.map_or("", |close| close.text)),
        };
        self.push(block, line.start, &before);
    }

    /// The lines between two positions at line starts; `None` without any.
    fn code_lines(&mut self, start: usize, end: usize) -> Option<Vec<Piece>> {
        if start >= end {
            return None;
        }
        let range = start..end - 1;
        let mut reader = self.reader(Site::Code, range.clone(), start);
        reader.code(range);
        Some(reader.finish(end - 1))
    }

    fn reader(&mut self, site: Site, scope: Range<usize>, from: usize) -> Reader<'p, 'a, '_> {
        Reader::new(self.source, self.known, &mut self.found, site, scope, from)
    }

    /// Adds a block, which starts at a position behind some blank lines.
    fn push(&mut self, block: Block, start: usize, before: &Range<usize>) {
        let line = self.lines.line(self.source.span(start..start).start);
        let blanks = self.text.get(before.clone()).unwrap_or_default();
        let blank_lines = count(blanks, b'\n');
        let has_blanks = blanks.len() > blank_lines;
        let metadata = Metadata {
            line: u32::try_from(line).unwrap_or(u32::MAX),
            blank_lines: u32::try_from(blank_lines).unwrap_or(u32::MAX),
            blanks: own(if has_blanks { blanks } else { "" }),
            optional: false,
        };
        self.flats.push((block, metadata));
    }
}

/// A line without outer blanks.
fn content(line: &Line<'_>) -> Range<usize> {
    let text = without_indentation(line.text);
    let start = line.end() - text.len();
    start..start + without_trail(text).len()
}
