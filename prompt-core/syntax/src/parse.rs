//! From a text to its elements.

use crate::{
    Element, Elements, InlineText, Metadata, Options, Place, Problem, Span, Target,
    brace::{Inside, inside},
    check,
    condition::{self, Token, TokenKind},
    inline::{Findings, Reader, Site},
    known::Known,
    lines::{Fence, Heading, Line, columns, indentation, without_indentation, without_trail},
    problem::{self, Draft},
    scan::count,
    source::Source,
    structure::{Shape, Structure, TextKind, TextLine},
};
use alloc::{
    borrow::{Cow, ToOwned},
    collections::BTreeSet,
    string::String,
    vec::Vec,
};
use core::ops::Range;

/// What [`parse`] found.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Parsed {
    /// The pieces of the text, in order. What is wrong stands in them as literal text, so that printing them always
    /// gives the text back.
    pub elements: Elements,
    /// Where variables and conditions stand, in text order.
    pub uses: Vec<Use>,
    /// Every problem, in text order.
    pub problems: Vec<Problem>,
}

/// A variable or condition, and where it stands.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Use {
    /// The name before dot and colon.
    pub name: String,
    /// The fields after it.
    pub path: Vec<String>,
    /// What it is.
    pub kind: UseKind,
    /// The loop that the name belongs to; `None` for a name of the node.
    pub in_loop: Option<InLoop>,
    /// The bytes of the text, braces included.
    pub span: Span,
    /// Line of the text, from 1.
    pub line: usize,
    /// Column in characters, from 1.
    pub column: usize,
}

/// How a text uses a name.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum UseKind {
    /// `{name}`.
    Variable {
        /// The format spec after the colon, if there is one.
        spec: Option<String>,
        /// Whether a condition around it says that the value is there: `{x}` behind `{?x}`.
        is_guarded: bool,
    },
    /// `{?name}`.
    Condition {
        /// Whether it was written with `!`.
        negated: bool,
    },
    /// `{*name}`.
    Loop {
        /// What `as` calls the item.
        alias: Option<String>,
        /// Whether a condition around it says that the value is there.
        is_guarded: bool,
    },
}

/// The loop that a name belongs to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct InLoop {
    /// Index of the loop among the uses of the text.
    pub of: usize,
    /// What of the loop it is.
    pub name: LoopName,
}

/// What a name inside a loop stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LoopName {
    /// The item: `item`, or what `as` calls it.
    Item,
    /// `index`: the number of the item, from 1.
    Index,
    /// `index0`: the same from 0.
    Index0,
    /// `first`: whether it is the first.
    First,
    /// `last`: whether it is the last.
    Last,
}

/// Reads a prompt text.
///
/// All problems come out in one pass, with spans in bytes of `text` as it was given, whatever its line ends. Author's
/// notes (`<!--# .. -->` on lines of their own), a byte order mark, and blank lines at both ends are not part of the
/// prompt. With [`Place::Inline`] the text is read as it is, as one [`Element::Text`]; an empty text has no element.
///
/// The time is linear in the length of the text, for any text. One of more than [`MAX_TEXT`](crate::MAX_TEXT) bytes is not read: its only
/// problem is that it is too long.
///
/// ```
/// use prompt_syntax::{Element, Options, Place, parse};
///
/// let options = Options { names: &["language"], ..Options::new(Place::Node) };
/// let parsed = parse("You review {language} code.\n\n## Rules\n\n{PROMPT_SUBTREE}", &options);
/// assert!(parsed.problems.is_empty());
/// assert_eq!(parsed.elements.get(2), Some(&Element::slot("PROMPT_SUBTREE", 3)));
/// assert_eq!((parsed.uses[0].name.as_str(), parsed.uses[0].line, parsed.uses[0].column), ("language", 1, 12));
///
/// let parsed = parse("You review {langage} code.", &options);
/// assert_eq!(parsed.problems[0].message, "unknown variable `langage`");
/// assert_eq!(parsed.problems[0].help, "a field with a similar name exists: `language`");
/// assert_eq!((parsed.problems[0].line, parsed.problems[0].column), (1, 12));
/// ```
#[must_use]
pub fn parse(text: &str, options: &Options<'_>) -> Parsed {
    read(text, &Known::new(options), false)
}

/// Reads a text in which every name is a variable, as at run time.
///
/// The names that a text uses are only known when it has been read, and only known names count in code: so a text that
/// has one of them there is read twice.
///
/// ```
/// use prompt_syntax::{Options, Place, parse_free};
///
/// let parsed = parse_free("Greet {name}. Not `{this}`, but `{name}`.", &Options::new(Place::Free));
/// assert_eq!(parsed.elements.names(), ["name"]);
/// assert_eq!(parsed.uses.len(), 2);
/// ```
#[must_use]
pub fn parse_free(text: &str, options: &Options<'_>) -> Parsed {
    read_free(text, options, false)
}

/// As [`parse_free`], for a text that may be a piece of a longer one.
pub(crate) fn read_free(text: &str, options: &Options<'_>, is_fragment: bool) -> Parsed {
    let known = Known::new(options);
    let first = read(text, &known, is_fragment);
    let used = first.uses.iter().map(|used| used.name.as_str());
    let names: BTreeSet<&str> = used.chain(options.names.iter().copied()).collect();
    let names: Vec<&str> = names.into_iter().collect();
    let all = Known::new(&Options {
        names: &names,
        ..*options
    });
    if known.is_enough(&all) {
        return first;
    }
    read(text, &all, is_fragment)
}

fn read(text: &str, known: &Known<'_>, is_fragment: bool) -> Parsed {
    if let Some(problem) = problem::of_length(text.len()) {
        return Parsed {
            problems: Vec::from([problem]),
            ..Parsed::default()
        };
    }
    let options = &known.options;
    let mut problems = Vec::new();
    let is_inline = options.place == Place::Inline;
    let source = if is_inline {
        Source::verbatim(text)
    } else {
        Source::read(text, options.keep_notes, &mut problems)
    };
    let mut parser = Parser::new(&source, text, known, problems);
    if is_inline {
        parser.read_inline();
    } else {
        parser.read();
    }
    let Parser {
        mut elements,
        mut found,
        ..
    } = parser;
    let forms = condition::resolve(&source, known, &mut found, is_fragment);
    let uses = uses(&source, &found, &forms, text);
    found.problems.retain(|draft| !known.allows(draft.code));
    Parsed {
        elements: Elements::from(elements),
        uses,
        problems: problem::locate(source.place(text), found.problems),
    }
}

/// The variables, and the conditions that have a form. Both were found in text order, and are merged.
fn uses(
    source: &Source<'_>,
    found: &Findings<'_>,
    forms: &[Option<crate::Form>],
    text: &str,
) -> Vec<Use> {
    let is_guarded = condition::guarded_variables(found, forms);
    let mut conditions = found.tokens.iter().zip(forms).peekable();
    let mut uses = Uses {
        source,
        place: source.place(text),
        found: Vec::with_capacity(found.variables.len()),
    };
    for (used, is_guarded) in found.variables.iter().zip(is_guarded) {
        while let Some((token, form)) =
            conditions.next_if(|(token, _)| token.range.start < used.start)
        {
            uses.add_condition(token, *form);
        }
        let reference = &used.reference;
        let spec = reference.spec.map(String::from);
        let kind = UseKind::Variable { spec, is_guarded };
        uses.add(used.start..used.end, reference.name, reference.path, kind);
    }
    for (token, form) in conditions {
        uses.add_condition(token, *form);
    }
    uses.found
}

/// The uses so far, in text order.
struct Uses<'s> {
    source: &'s Source<'s>,
    place: problem::Place<'s>,
    found: Vec<Use>,
}

impl Uses<'_> {
    fn add_condition(&mut self, token: &Token<'_>, form: Option<crate::Form>) {
        if let (TokenKind::If { negated }, Some(_)) = (token.kind, form) {
            let kind = UseKind::Condition { negated };
            self.add(token.range.clone(), token.name, token.path, kind);
        }
    }

    fn add(&mut self, range: Range<usize>, name: &str, path: &str, kind: UseKind) {
        let span = self.source.span(range);
        let (line, column) = self.place.line_and_column(span.start);
        self.found.push(Use {
            name: name.to_owned(),
            path: path.split('.').skip(1).map(String::from).collect(),
            kind,
            in_loop: None,
            span,
            line,
            column,
        });
    }
}

/// The reading of one text.
struct Parser<'p, 'a> {
    source: &'p Source<'p>,
    text: &'p str,
    known: &'p Known<'a>,
    found: Findings<'p>,
    elements: Vec<Element>,
    /// Where the last element starts in the text that was given.
    place: problem::Place<'p>,
    /// The level of the first heading.
    top: Option<u8>,
    /// The level of the last heading; 0 before the first.
    level: u8,
    /// The levels before the block conditions that are open.
    levels: Vec<u8>,
    /// The slots so far.
    slots: BTreeSet<&'p str>,
    blank: BlankLines,
    run: Option<Run>,
    /// The stretches of the run; kept from run to run for its memory.
    stretches: Vec<Stretch>,
}

/// Blank lines since the last line that was not.
#[derive(Debug, Default)]
struct BlankLines {
    count: u32,
    /// Their text, once one of them holds blanks.
    range: Range<usize>,
    has_blanks: bool,
}

impl BlankLines {
    fn add(&mut self, line: &Line<'_>) {
        if self.count == 0 {
            self.range.start = line.start;
        }
        self.range.end = line.next();
        self.count = self.count.saturating_add(1);
        self.has_blanks |= !line.text.is_empty();
    }
}

/// Lines of text that make one element.
struct Run {
    range: Range<usize>,
    before: BlankLines,
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
    before: BlankLines,
}

impl<'p, 'a> Parser<'p, 'a> {
    fn new(
        source: &'p Source<'p>,
        given: &'p str,
        known: &'p Known<'a>,
        problems: Vec<Draft>,
    ) -> Self {
        // Most elements have a blank line above them; a text of short lines has fewer.
        let lines = count(source.text.as_bytes(), b'\n').min(source.text.len() / 16);
        Self {
            source,
            text: &source.text,
            known,
            found: Findings {
                problems,
                ..Findings::default()
            },
            // Growing this list would move it again and again: elements are large.
            elements: Vec::with_capacity(lines / 2 + 1),
            place: source.place(given),
            top: None,
            level: 0,
            levels: Vec::new(),
            slots: BTreeSet::new(),
            blank: BlankLines::default(),
            run: None,
            stretches: Vec::new(),
        }
    }

    fn read(&mut self) {
        let mut structure = Structure::default();
        let mut code = None;
        let mut is_fresh = false;
        let mut at = 0;
        while let Some(line) = Line::at(self.text, at) {
            at = line.next();
            if let Some(kind) = marker(line.text).filter(|_| !structure.is_literal(line.text)) {
                self.read_marker(&line, kind);
                is_fresh = true;
                continue;
            }
            let (shape, prefix) = self.shape(&line, &mut structure);
            match shape {
                Shape::Blank => self.blank.add(&line),
                Shape::Text(mut text) => {
                    text.fresh |= core::mem::take(&mut is_fresh);
                    self.read_text_line(&line, &text);
                }
                Shape::Heading(heading) => self.read_heading(&line, prefix, &heading),
                Shape::FenceOpen(fence) => {
                    self.end_run();
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
        self.push_code(code, None);
    }

    /// Reads a template of one piece: paragraphs, and nothing else that spans lines.
    fn read_inline(&mut self) {
        let mut at = 0;
        let mut is_fresh = true;
        while let Some(line) = Line::at(self.text, at).filter(|_| !self.text.is_empty()) {
            at = line.next();
            let is_apart = line.is_blank() || marker(line.text).is_some();
            self.add_to_run(&line, &TextLine::plain(is_fresh || is_apart));
            is_fresh = is_apart;
        }
        self.end_run();
    }

    /// A line that holds nothing but a part of a condition does not end the paragraph or list around it.
    fn read_marker(&mut self, line: &Line<'p>, kind: TokenKind) {
        match kind {
            TokenKind::If { .. } => self.levels.push(self.level),
            TokenKind::Else => self.level = self.levels.last().copied().unwrap_or(self.level),
            TokenKind::End => {
                self.levels.pop();
            }
        }
        self.add_to_run(line, &TextLine::plain(true));
    }

    /// What a line is. Where conditions stand before it, it is what it is without them; how far they reach is the
    /// second value, or 0.
    fn shape(&self, line: &Line<'p>, structure: &mut Structure) -> (Shape, usize) {
        let indent = indentation(line.text);
        let prefix = self.prefix(line.text, indent);
        if prefix == 0 {
            return (structure.read(line.text), 0);
        }
        let rest = line.text.get(prefix..).unwrap_or_default();
        // A fence that may go would leave its closing line behind.
        let bare = without_indentation(rest);
        let is_fence = bare.starts_with("```") || bare.starts_with("~~~");
        if is_fence || bare.is_empty() {
            return (structure.read(line.text), 0);
        }
        let bare = [line.text.get(..indent).unwrap_or_default(), rest].concat();
        let moved =
            |range: Range<usize>| range.start + prefix - indent..range.end + prefix - indent;
        let shape = match structure.read(&bare) {
            Shape::Heading(Heading::Title { level, text }) => Shape::Heading(Heading::Title {
                level,
                text: moved(text),
            }),
            Shape::Text(TextLine {
                fresh,
                kind: TextKind::FenceOpen(info),
            }) => Shape::Text(TextLine {
                fresh,
                kind: TextKind::FenceOpen(moved(info)),
            }),
            shape => shape,
        };
        (shape, prefix)
    }

    /// How far the conditions reach that stand behind the indentation of a line; 0 without any.
    fn prefix(&self, line: &str, indent: usize) -> usize {
        let mut end = indent;
        let mut prefix = 0;
        let after_brace = |end| line.get(end..)?.strip_prefix('{');
        while let Some(rest) = after_brace(end).filter(|rest| rest.starts_with('?')) {
            match inside(rest) {
                (Inside::If { asks, .. }, length) if self.known.is_asked(asks.name) => {
                    end += length + 2;
                    prefix = end;
                }
                _ => break,
            }
        }
        prefix
    }

    fn read_heading(&mut self, line: &Line<'p>, prefix: usize, heading: &Heading) {
        match heading {
            Heading::Title { level, text } => {
                self.end_run();
                self.check_level(line, *level);
                self.level = *level;
                let scope = content(line);
                let (start, end) = (line.start + text.start, line.start + text.end);
                let before = core::mem::take(&mut self.blank);
                let metadata = self.metadata(scope.start, &before);
                let _ = self.conditions(line, prefix, &scope);
                let mut reader = self.reader(Site::Title, scope, start);
                reader.text(start..end);
                let text = reader.finish(end);
                self.elements.push(Element::Title {
                    level: *level,
                    text,
                    metadata,
                });
            }
            Heading::Empty => {
                let span = self.source.span(content(line));
                self.found.problems.push(check::empty_heading(span));
                self.add_to_run(line, &TextLine::plain(true));
            }
            Heading::TooDeep => {
                let bytes = line.text.bytes().skip_while(|&byte| byte != b'#');
                let hashes = bytes.take_while(|&byte| byte == b'#').count();
                let span = self.source.span(content(line));
                self.found.problems.push(check::heading_level(span, hashes));
                self.add_to_run(line, &TextLine::plain(true));
            }
        }
    }

    /// The conditions before the hashes of a heading.
    fn conditions(&mut self, line: &Line<'p>, prefix: usize, scope: &Range<usize>) -> InlineText {
        let end = line.start + prefix;
        if end <= scope.start {
            return InlineText::EMPTY;
        }
        let mut reader = self.reader(Site::Lines, scope.clone(), scope.start);
        reader.text(scope.start..end);
        reader.finish(end)
    }

    fn check_level(&mut self, line: &Line<'p>, level: u8) {
        let span = || self.source.span(content(line));
        let top = *self.top.get_or_insert(level);
        if level < top {
            self.found
                .problems
                .push(check::heading_above_top(span(), level, top));
        } else if self.level > 0 && level > self.level + 1 {
            self.found
                .problems
                .push(check::skipped_level(span(), level, self.level));
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
                    .problems
                    .push(check::setext_heading(self.source.span(content(line))));
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
            let span = self.source.span(content(line));
            self.found
                .problems
                .push(check::doctest_fence(span, info.is_none()));
        }
    }

    /// The slot that a line consists of.
    fn slot(&self, line: &Line<'p>) -> Option<&'p str> {
        let content = without_indentation(line.text).strip_prefix('{')?;
        let name = without_trail(content).strip_suffix('}')?;
        (self.known.options.place != Place::Introduction && self.known.is_slot(name))
            .then_some(name)
    }

    fn push_slot(&mut self, line: &Line<'p>, name: &'p str) {
        self.end_run();
        let range = content(line);
        if !self.slots.insert(name) {
            let span = self.source.span(range.clone());
            self.found.problems.push(check::duplicate_slot(span, name));
        }
        let indent = self.text.get(line.start..range.start).unwrap_or_default();
        let before = core::mem::take(&mut self.blank);
        let metadata = self.metadata(range.start, &before);
        self.elements.push(Element::Slot {
            name: own(name),
            target: Target::of(name),
            level: self.level + 1,
            indent: u16::try_from(columns(indent)).unwrap_or(u16::MAX),
            metadata,
        });
    }

    fn add_to_run(&mut self, line: &Line<'p>, text: &TextLine) {
        let ignored = match &text.kind {
            TextKind::FenceOpen(info) if self.is_ignored(line, info) => Some(info),
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
        let metadata = self.metadata(run.range.start, &run.before);
        self.elements.push(Element::Text { text, metadata });
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
            let span = self.source.span(marks);
            self.found
                .problems
                .push(check::unclosed_fence(span, slice(fence.marks.clone())));
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
        let text = self.code_lines(line.next(), end);
        let metadata = self.metadata(line.start, &before);
        self.elements.push(Element::Code {
            fence: own(slice(0..info.start)),
            info: info_text,
            after_info: own(slice(after_info..line.text.len())),
            text,
            close: own(close.map_or("", |close| close.text)),
            metadata,
        });
    }

    /// The lines between two positions at line starts. No line at all is no piece, one empty line an empty literal.
    fn code_lines(&mut self, start: usize, end: usize) -> InlineText {
        if start >= end {
            return InlineText::EMPTY;
        }
        let range = start..end - 1;
        let mut reader = self.reader(Site::Code, range.clone(), start);
        reader.code(range);
        let text = reader.finish(end - 1);
        if text.is_empty() {
            InlineText::EMPTY_LINE
        } else {
            text
        }
    }

    fn reader(&mut self, site: Site, scope: Range<usize>, from: usize) -> Reader<'p, 'a, '_> {
        Reader::new(self.source, self.known, &mut self.found, site, scope, from)
    }

    /// Where the next element stands, which starts at a position behind some blank lines.
    fn metadata(&mut self, start: usize, before: &BlankLines) -> Metadata {
        let line = self.place.line(self.source.span(start..start).start);
        let line = u32::try_from(line).unwrap_or(u32::MAX);
        if self.elements.is_empty() {
            return Metadata::at(line, 1);
        }
        let blanks = before
            .has_blanks
            .then(|| self.text.get(before.range.clone()));
        Metadata {
            line,
            blank_lines: before.count,
            blanks: blanks.flatten().map_or(Cow::Borrowed(""), own),
            optional: false,
        }
    }
}

fn own(text: &str) -> Cow<'static, str> {
    if text.is_empty() {
        Cow::Borrowed("")
    } else {
        Cow::Owned(text.to_owned())
    }
}

/// A line without outer blanks.
fn content(line: &Line<'_>) -> Range<usize> {
    let text = without_indentation(line.text);
    let start = line.end() - text.len();
    start..start + without_trail(text).len()
}

/// The part of a condition that a line consists of.
fn marker(line: &str) -> Option<TokenKind> {
    let inner = without_trail(without_indentation(line).strip_prefix('{')?);
    let kind = match inner.bytes().next()? {
        b'?' | b'/' | b'e' => inside(inner),
        _ => return None,
    };
    let (kind, length) = match kind {
        (Inside::If { negated, .. }, length) => (TokenKind::If { negated }, length),
        (Inside::Else, length) => (TokenKind::Else, length),
        (Inside::End(_), length) => (TokenKind::End, length),
        _ => return None,
    };
    (length + 1 == inner.len()).then_some(kind)
}
