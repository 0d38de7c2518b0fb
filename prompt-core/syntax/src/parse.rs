//! From a text to its blocks.

use crate::{
    Block, BlockKind, Inline, Options, Place, Problem, check,
    inline::{Reader, Site},
    known::Known,
    lines::{Fence, Heading, Line},
    problem::{self, Draft},
    source::Source,
    structure::{Shape, Structure, TextKind, TextLine},
};
use alloc::{string::String, vec, vec::Vec};
use core::ops::Range;

/// What [`parse`] found.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Parsed {
    /// The pieces of the text, in order. What is wrong stands in them as literal text, so that printing them always
    /// gives the text back.
    pub blocks: Vec<Block>,
    /// Every problem, in text order.
    pub problems: Vec<Problem>,
}

/// Reads a prompt text.
///
/// All problems come out in one pass, with spans in bytes of `text` as it was given, whatever its line ends. Author's
/// notes (`<!--# .. -->` on lines of their own) and blank lines at both ends are not part of the prompt. With
/// [`Place::Inline`] the text is read as it is, as one [`BlockKind::Text`]; an empty text has no block.
///
/// The time is linear in the length of the text, for any text.
///
/// ```
/// use prompt_syntax::{BlockKind, Options, Place, parse};
///
/// let options = Options { names: &["language"], ..Options::new(Place::Node) };
/// let parsed = parse("You review {language} code.\n\n## Rules\n\n{PROMPT_SUBTREE}", &options);
/// assert!(parsed.problems.is_empty());
/// assert!(matches!(&parsed.blocks[2].kind, BlockKind::Slot { name, level: 3, .. } if name == "PROMPT_SUBTREE"));
///
/// let parsed = parse("You review {langage} code.", &options);
/// assert_eq!(parsed.problems[0].message, "unknown variable `langage`");
/// assert_eq!(parsed.problems[0].help, "a field with a similar name exists: `language`");
/// assert_eq!((parsed.problems[0].line, parsed.problems[0].column), (1, 12));
/// ```
#[must_use]
pub fn parse(text: &str, options: &Options<'_>) -> Parsed {
    let known = Known::new(options);
    let mut problems = Vec::new();
    let is_inline = options.place == Place::Inline;
    let source = if is_inline {
        Source::verbatim(text)
    } else {
        Source::read(text, &mut problems)
    };
    let mut parser = Parser::new(&source, &known, problems);
    if is_inline {
        parser.read_inline();
    } else {
        parser.read();
    }
    let Parser {
        mut blocks,
        problems,
        ..
    } = parser;
    mark_optional_titles(&mut blocks);
    let mut place = source.place(text);
    for block in &mut blocks {
        block.line = place.line(block.span.start);
    }
    Parsed {
        blocks,
        problems: problem::locate(source.place(text), problems),
    }
}

/// The reading of one text.
struct Parser<'p, 'a> {
    source: &'p Source<'p>,
    text: &'p str,
    known: &'p Known<'a>,
    problems: Vec<Draft>,
    blocks: Vec<Block>,
    /// The level of the first heading.
    top: Option<u8>,
    /// The level of the last heading; 0 before the first.
    level: u8,
    /// The slots so far.
    slots: Vec<&'p str>,
    /// Blank lines since the last line that was not.
    blank_lines: usize,
    run: Option<Run>,
    /// The stretches of the run; kept from run to run for its memory.
    stretches: Vec<Stretch>,
}

/// Lines of text that make one block.
struct Run {
    range: Range<usize>,
    blank_lines: usize,
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
    blank_lines: usize,
}

impl<'p, 'a> Parser<'p, 'a> {
    fn new(source: &'p Source<'p>, known: &'p Known<'a>, problems: Vec<Draft>) -> Self {
        Self {
            source,
            text: &source.text,
            known,
            problems,
            // Growing this list would move it again and again: blocks are large.
            blocks: Vec::with_capacity(source.text.len() / 64 + 1),
            top: None,
            level: 0,
            slots: Vec::new(),
            blank_lines: 0,
            run: None,
            stretches: Vec::new(),
        }
    }

    fn read(&mut self) {
        let mut structure = Structure::default();
        let mut code = None;
        let mut at = 0;
        while let Some(line) = Line::at(self.text, at) {
            at = line.next();
            match structure.read(line.text) {
                Shape::Blank => self.blank_lines += 1,
                Shape::Text(text) => self.read_text_line(&line, &text),
                Shape::Heading(heading) => self.read_heading(&line, &heading),
                Shape::FenceOpen(fence) => {
                    self.end_run();
                    code = Some(OpenCode {
                        line,
                        fence,
                        blank_lines: core::mem::take(&mut self.blank_lines),
                    });
                }
                Shape::FenceInside => {}
                Shape::FenceClose => self.push_code(code.take(), Some(&line)),
            }
        }
        self.end_run();
        self.push_code(code, None);
    }

    /// Reads a template of one piece: paragraphs, and nothing else that spans lines.
    fn read_inline(&mut self) {
        let mut at = 0;
        while let Some(line) = Line::at(self.text, at).filter(|_| !self.text.is_empty()) {
            at = line.next();
            let fresh = core::mem::replace(&mut self.blank_lines, usize::from(line.is_blank())) > 0;
            self.add_to_run(&line, &TextLine::plain(fresh));
        }
        self.blank_lines = 0;
        self.end_run();
    }

    fn read_heading(&mut self, line: &Line<'p>, heading: &Heading) {
        match heading {
            Heading::Title { level, text } => {
                self.end_run();
                self.check_level(line, *level);
                self.level = *level;
                let range = line.start + text.start..line.start + text.end;
                let text = self.inline(Site::Title, range);
                let blank_lines = core::mem::take(&mut self.blank_lines);
                self.push(
                    BlockKind::Title {
                        level: *level,
                        text,
                        optional: false,
                    },
                    content(line),
                    blank_lines,
                );
            }
            Heading::Empty => {
                self.problems
                    .push(check::empty_heading(self.source.span(content(line))));
                self.add_to_run(line, &TextLine::plain(true));
            }
            Heading::TooDeep => {
                let hashes = line.text.bytes().filter(|&byte| byte == b'#').count();
                self.problems.push(check::heading_level(
                    self.source.span(content(line)),
                    hashes,
                ));
                self.add_to_run(line, &TextLine::plain(true));
            }
        }
    }

    fn check_level(&mut self, line: &Line<'p>, level: u8) {
        let span = self.source.span(content(line));
        let top = *self.top.get_or_insert(level);
        if level < top {
            self.report(check::heading_above_top(span, level, top));
        } else if self.level > 0 && level > self.level + 1 {
            self.report(check::skipped_level(span, level, self.level));
        }
    }

    fn read_text_line(&mut self, line: &Line<'p>, text: &TextLine) {
        if let Some(name) = self.slot(line).filter(|_| !text.is_code()) {
            self.push_slot(line, name);
            return;
        }
        match &text.kind {
            TextKind::Underline => {
                self.report(check::setext_heading(self.source.span(content(line))))
            }
            TextKind::Indented if self.known.options.doc_comment => self.check_doctest(line, None),
            TextKind::FenceOpen(info) if self.known.options.doc_comment => {
                self.check_doctest(line, line.text.get(info.clone()));
            }
            _ => {}
        }
        self.add_to_run(line, text);
    }

    /// Checks a code block with an info string, or an indented one.
    fn check_doctest(&mut self, line: &Line<'p>, info: Option<&str>) {
        if info.is_none_or(check::is_doctest) {
            self.report(check::doctest_fence(
                self.source.span(content(line)),
                info.is_none(),
            ));
        }
    }

    /// The slot that a line consists of.
    fn slot(&self, line: &Line<'p>) -> Option<&'p str> {
        let content = line.text.trim_matches([' ', '\t']);
        let name = content.strip_prefix('{')?.strip_suffix('}')?;
        (self.known.options.place != Place::Introduction && self.known.is_slot(name))
            .then_some(name)
    }

    fn push_slot(&mut self, line: &Line<'p>, name: &'p str) {
        self.end_run();
        let range = content(line);
        if self.slots.contains(&name) {
            self.problems
                .push(check::duplicate_slot(self.source.span(range.clone()), name));
        } else {
            self.slots.push(name);
        }
        let indent = self
            .text
            .get(line.start..range.start)
            .unwrap_or_default()
            .into();
        let blank_lines = core::mem::take(&mut self.blank_lines);
        let kind = BlockKind::Slot {
            name: name.into(),
            level: self.level + 1,
            indent,
            target: self.known.target(name),
        };
        self.push(kind, range, blank_lines);
    }

    fn add_to_run(&mut self, line: &Line<'p>, text: &TextLine) {
        let ignored = match &text.kind {
            TextKind::FenceOpen(info) if self.is_ignored(line, info) => Some(info),
            _ => None,
        };
        let skipped = ignored.map(|info| line.start + info.start..line.start + info.end);
        let is_code = text.is_code();
        let blank_lines = core::mem::take(&mut self.blank_lines);
        let run = self.run.get_or_insert(Run {
            range: line.start..line.start,
            blank_lines,
        });
        run.range.end = line.end();
        if text.fresh
            || self
                .stretches
                .last()
                .is_none_or(|last| last.is_code != is_code)
        {
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
        let mut reader = Reader::new(
            self.source,
            self.known,
            &mut self.problems,
            Site::Lines,
            run.range.start,
        );
        let mut stretches = self.stretches.drain(..).peekable();
        while let Some(stretch) = stretches.next() {
            let end = stretches.peek().map_or(run.range.end, |next| next.start);
            let start = stretch.skipped.map_or(stretch.start, |skipped| {
                reader.skip(skipped.clone());
                skipped.end
            });
            if stretch.is_code {
                reader.code(start..end);
            } else {
                reader.text(start..end);
            }
        }
        drop(stretches);
        let text = reader.finish(run.range.end);
        self.push(BlockKind::Text(text), run.range, run.blank_lines);
    }

    fn push_code(&mut self, open: Option<OpenCode<'p>>, close: Option<&Line<'p>>) {
        let Some(OpenCode {
            line,
            fence,
            blank_lines,
        }) = open
        else {
            return;
        };
        let slice = |range: Range<usize>| line.text.get(range).unwrap_or_default();
        if self.known.options.doc_comment {
            self.check_doctest(&line, Some(slice(fence.info.clone())));
        }
        if close.is_none() {
            let span = self
                .source
                .span(line.start + fence.marks.start..line.start + fence.marks.end);
            self.report(check::unclosed_fence(span, slice(fence.marks.clone())));
        }
        let (info, after_info) = if self.is_ignored(&line, &fence.info) {
            (fence.marks.end..fence.marks.end, line.text.len())
        } else {
            (fence.info.clone(), fence.info.end)
        };
        let end = close.map_or(self.text.len() + 1, |close| close.start);
        let range = line.start..close.map_or(self.text.len(), Line::end);
        let kind = BlockKind::Code {
            fence: slice(0..info.start).into(),
            info: self.inline(Site::Info, line.start + info.start..line.start + info.end),
            after_info: slice(after_info..line.text.len()).into(),
            text: self.code_lines(line.next(), end),
            close: close.map_or("", |close| close.text).into(),
        };
        self.push(kind, range, blank_lines);
    }

    /// The lines between two positions at line starts. No line at all is no piece, one empty line an empty literal.
    fn code_lines(&mut self, start: usize, end: usize) -> Vec<Inline> {
        if start >= end {
            return Vec::new();
        }
        let pieces = self.inline(Site::Lines, start..end - 1);
        if pieces.is_empty() {
            vec![Inline::Literal(String::new())]
        } else {
            pieces
        }
    }

    fn inline(&mut self, site: Site, range: Range<usize>) -> Vec<Inline> {
        let mut reader = Reader::new(
            self.source,
            self.known,
            &mut self.problems,
            site,
            range.start,
        );
        match site {
            Site::Title => reader.text(range.clone()),
            Site::Info | Site::Lines => reader.code(range.clone()),
        }
        reader.finish(range.end)
    }

    fn report(&mut self, draft: Draft) {
        if !self.known.allows(draft.code) {
            self.problems.push(draft);
        }
    }

    fn push(&mut self, kind: BlockKind, range: Range<usize>, blank_lines: usize) {
        let blank_lines = if self.blocks.is_empty() {
            0
        } else {
            blank_lines
        };
        let span = self.source.span(range);
        self.blocks.push(Block {
            kind,
            span,
            line: 0,
            blank_lines,
        });
    }
}

/// A line without outer blanks.
fn content(line: &Line<'_>) -> Range<usize> {
    let text = line.text.trim_start_matches([' ', '\t']);
    let start = line.end() - text.len();
    start..start + text.trim_end_matches([' ', '\t']).len()
}

/// A heading whose body is being read.
struct OpenTitle {
    index: usize,
    level: u8,
    has_slots: bool,
    has_other: bool,
}

/// Sets `optional` of every title whose whole body is slots, and titles over nothing but slots.
fn mark_optional_titles(blocks: &mut [Block]) {
    let mut open: Vec<OpenTitle> = Vec::new();
    for index in 0..blocks.len() {
        match blocks.get(index).map(|block| &block.kind) {
            Some(&BlockKind::Title { level, .. }) => {
                while open.last().is_some_and(|title| title.level >= level) {
                    close_title(&mut open, blocks);
                }
                open.push(OpenTitle {
                    index,
                    level,
                    has_slots: false,
                    has_other: false,
                });
            }
            Some(BlockKind::Slot { .. }) => open
                .last_mut()
                .into_iter()
                .for_each(|title| title.has_slots = true),
            _ => open
                .last_mut()
                .into_iter()
                .for_each(|title| title.has_other = true),
        }
    }
    while !open.is_empty() {
        close_title(&mut open, blocks);
    }
}

fn close_title(open: &mut Vec<OpenTitle>, blocks: &mut [Block]) {
    let Some(closed) = open.pop() else { return };
    let is_optional = closed.has_slots && !closed.has_other;
    if let Some(BlockKind::Title { optional, .. }) =
        blocks.get_mut(closed.index).map(|block| &mut block.kind)
    {
        *optional = is_optional;
    }
    if let Some(outer) = open.last_mut() {
        outer.has_slots |= is_optional;
        outer.has_other |= !is_optional;
    }
}
