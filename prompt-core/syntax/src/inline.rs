//! The pieces of a run of text: literals, variables, guards, doubled braces.

use crate::{
    Inline, Specs, Variable,
    backticks::Backticks,
    brace::{Inside, Reference, SpecKind, inside, spec_kind},
    check,
    known::Known,
    lines::is_blank,
    problem::Draft,
    scan::find,
    source::Source,
    structure::list_marker,
};
use alloc::{string::String, vec::Vec};
use core::ops::Range;

/// Where inline text stands, which decides what is legal in it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Site {
    /// Whole lines.
    Lines,
    /// A heading.
    Title,
    /// An info string.
    Info,
}

/// Reads stretches of text, one after the other, into pieces.
#[derive(Debug)]
pub(crate) struct Reader<'r, 'a> {
    source: &'r Source<'r>,
    known: &'r Known<'a>,
    problems: &'r mut Vec<Draft>,
    site: Site,
    pieces: Vec<Inline>,
    /// Where what has not become a piece yet starts.
    from: usize,
    literal: String,
    line: LineHead,
}

/// The line that was looked at last.
#[derive(Debug)]
struct LineHead {
    /// How far line breaks have been looked for.
    seen: usize,
    /// Where the line starts, or its last guard ends.
    start: usize,
    /// Where a guard may stand, once it has been asked for.
    head: Option<usize>,
}

/// An opening brace of text that waits for its closing brace.
struct Open {
    count: usize,
    /// The brace and the known name after it.
    name: Option<Range<usize>>,
}

/// Whether names stand in text, where all must be known, or in code, where unknown ones are left alone.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Mode {
    Text,
    Code,
}

impl<'r, 'a> Reader<'r, 'a> {
    /// Starts at a position, which is the start of a line unless the site says otherwise.
    pub(crate) fn new(
        source: &'r Source<'r>,
        known: &'r Known<'a>,
        problems: &'r mut Vec<Draft>,
        site: Site,
        from: usize,
    ) -> Self {
        let line = LineHead {
            seen: from,
            start: from,
            head: None,
        };
        Self {
            source,
            known,
            problems,
            site,
            pieces: Vec::new(),
            from,
            literal: String::new(),
            line,
        }
    }

    /// Ends at a position: everything up to it becomes pieces.
    pub(crate) fn finish(mut self, end: usize) -> Vec<Inline> {
        self.flush(end);
        self.pieces
    }

    /// Leaves a range out.
    pub(crate) fn skip(&mut self, range: Range<usize>) {
        let before = self.slice(self.from..range.start);
        self.literal.push_str(before);
        self.from = range.end;
    }

    /// Reads one paragraph.
    pub(crate) fn text(&mut self, range: Range<usize>) {
        let text: &'r str = &self.source.text;
        let mut backticks = None;
        let mut open: Vec<Open> = Vec::new();
        let mut at = range.start;
        while let Some(found) = find(text, at..range.end, [b'{', b'}', b'`']) {
            at = match text.as_bytes().get(found) {
                Some(b'`') => {
                    let backticks =
                        backticks.get_or_insert_with(|| Backticks::find(text, found..range.end));
                    match backticks.span(text, found, at) {
                        Ok((inner, end)) => {
                            self.code(inner);
                            end
                        }
                        Err(end) => end,
                    }
                }
                Some(b'{') => self.brace(found, range.end, Mode::Text, &mut open),
                _ => {
                    close(&mut open);
                    found + 1
                }
            };
        }
        for name in open.into_iter().filter_map(|open| open.name) {
            let span = self.source.span(name.clone());
            self.problems
                .push(check::unclosed_brace(span, self.slice(name)));
        }
    }

    /// Reads code.
    pub(crate) fn code(&mut self, range: Range<usize>) {
        let text: &'r str = &self.source.text;
        let mut at = range.start;
        while let Some(found) = find(text, at..range.end, [b'{']) {
            at = self.brace(found, range.end, Mode::Code, &mut Vec::new());
        }
    }

    /// Reads a run of opening braces and what they open; gives the position to go on from.
    fn brace(&mut self, start: usize, end: usize, mode: Mode, open: &mut Vec<Open>) -> usize {
        let rest = self.slice(start..end);
        let braces = rest.bytes().take_while(|&byte| byte == b'{').count();
        let after = start + braces;
        let (inside, length) = inside(rest.get(braces..).unwrap_or_default());
        let closing = self
            .slice(after + length..end)
            .bytes()
            .take_while(|&byte| byte == b'}')
            .count();
        let is_complete = matches!(inside, Inside::Variable(_) | Inside::Guard { .. });
        let pairs = if is_complete { braces.min(closing) } else { 0 };
        let name = match inside {
            Inside::Name(name) if braces == 1 && length == name.len() && mode == Mode::Text => {
                Some(name)
            }
            _ => None,
        };
        let mode = if self.is_after_dollar(after - pairs.max(1)) {
            Mode::Code
        } else {
            mode
        };
        if braces > pairs {
            let is_known = |name: &&str| self.known.is_name(name) || self.known.is_slot(name);
            let name = name
                .filter(|name| mode == Mode::Text && is_known(name))
                .map(|_| start..after + length);
            open.push(Open {
                count: braces - pairs,
                name,
            });
        }
        let whole = after - pairs..after + length + pairs;
        match inside {
            Inside::Variable(reference) if pairs == 1 => {
                self.variable(&reference, whole.clone(), mode)
            }
            Inside::Guard { name, negated } if pairs == 1 => {
                self.guard(name, negated, whole.clone(), mode)
            }
            Inside::Variable(Reference { name, .. }) | Inside::Guard { name, .. }
                if mode == Mode::Text || self.known.is_name(name) =>
            {
                self.escaped(whole.clone());
            }
            Inside::Spaced(name) if braces == 1 && mode == Mode::Text => {
                self.spaced(name, start..after + length + 1);
            }
            _ => {}
        }
        whole.end
    }

    fn variable(&mut self, reference: &Reference<'r>, range: Range<usize>, mode: Mode) {
        let Reference { name, spec, .. } = *reference;
        let kind = if spec.is_empty() {
            SpecKind::Plain
        } else {
            spec_kind(spec).unwrap_or(SpecKind::Unusable)
        };
        let is_usable = match self.known.options.specs {
            Specs::Compiled => kind != SpecKind::Unusable,
            Specs::Runtime => kind == SpecKind::Plain,
        };
        let span = self.source.span(range.clone());
        let is_listed = self.known.is_name(name);
        if mode == Mode::Text && self.known.is_slot(name) {
            self.problems
                .push(check::misplaced_slot(self.known, self.site, span, name));
        } else if kind == SpecKind::Unusable && !(is_listed && mode == Mode::Text) {
            // `{key:value}` is no variable unless the name says so.
        } else if is_listed || (mode == Mode::Text && self.known.is_variable(name)) {
            if !is_usable {
                self.problems
                    .push(check::unsupported_spec(self.known, span, name, spec));
            }
            let path = reference
                .path
                .split('.')
                .skip(1)
                .map(String::from)
                .collect();
            let variable = Variable {
                name: name.into(),
                path,
                spec: spec.into(),
                span,
            };
            self.push(range, Inline::Variable(variable));
        } else if mode == Mode::Text {
            self.problems
                .push(check::unknown_variable(self.known, span, name));
        } else if let Some(near) = self.known.near_miss(name) {
            self.problems
                .push(check::misspelt_variable(span, name, near));
        }
    }

    fn guard(&mut self, name: &str, negated: bool, range: Range<usize>, mode: Mode) {
        let span = self.source.span(range.clone());
        let is_first = self.site == Site::Lines && self.is_line_head(range.start);
        if mode == Mode::Code && !(is_first && self.known.is_name(name)) {
            return;
        }
        if !is_first {
            self.problems
                .push(check::misplaced_guard(span, self.slice(range)));
        } else if self.known.is_variable(name) {
            self.line = LineHead {
                seen: range.end,
                start: range.end,
                head: None,
            };
            self.push(
                range,
                Inline::Guard {
                    name: name.into(),
                    negated,
                    span,
                },
            );
        } else {
            self.problems
                .push(check::unknown_variable(self.known, span, name));
        }
    }

    fn escaped(&mut self, range: Range<usize>) {
        let printed = String::from(self.slice(range.start + 1..range.end - 1));
        self.push(range, Inline::Escaped(printed));
    }

    fn spaced(&mut self, name: &str, range: Range<usize>) {
        if self.known.is_name(name) || self.known.is_slot(name) {
            let span = self.source.span(range.clone());
            self.problems
                .push(check::spaced_variable(span, self.slice(range), name));
        }
    }

    fn is_after_dollar(&self, at: usize) -> bool {
        at.checked_sub(1)
            .and_then(|before| self.source.text.as_bytes().get(before))
            == Some(&b'$')
    }

    /// Whether only indentation, a list marker and guards stand before a position in its line.
    fn is_line_head(&mut self, at: usize) -> bool {
        if let Some(found) = self.slice(self.line.seen..at).rfind('\n') {
            self.line.start = self.line.seen + found + 1;
            self.line.head = None;
        }
        self.line.seen = self.line.seen.max(at);
        let start = self.line.start;
        let head = self
            .line
            .head
            .unwrap_or_else(|| start + line_head(self.slice(start..at)));
        self.line.head = Some(head);
        head == at
    }

    fn push(&mut self, range: Range<usize>, piece: Inline) {
        self.flush(range.start);
        self.from = range.end;
        self.pieces.push(piece);
    }

    fn flush(&mut self, end: usize) {
        let rest = self.slice(self.from..end);
        self.from = self.from.max(end);
        let mut literal = core::mem::take(&mut self.literal);
        literal.push_str(rest);
        if !literal.is_empty() {
            // Most texts are one piece: no room for more until there are more.
            if self.pieces.is_empty() {
                self.pieces.reserve_exact(1);
            }
            self.pieces.push(Inline::Literal(literal));
        }
    }

    fn slice(&self, range: Range<usize>) -> &'r str {
        let text: &'r str = &self.source.text;
        text.get(range).unwrap_or_default()
    }
}

fn close(open: &mut Vec<Open>) {
    if let Some(last) = open.last_mut() {
        last.count -= 1;
        if last.count == 0 {
            open.pop();
        }
    }
}

fn leading_blanks(text: &str) -> usize {
    text.bytes().take_while(|&byte| is_blank(byte)).count()
}

/// Bytes of indentation and list marker at the start of a line.
fn line_head(line: &str) -> usize {
    let indent = leading_blanks(line);
    let content = line.get(indent..).unwrap_or_default();
    let marker = list_marker(content).unwrap_or(0);
    indent + marker + leading_blanks(content.get(marker..).unwrap_or_default())
}
