//! The text as the grammar reads it: line ends made one, author's notes and outer blank lines taken out, with the way
//! back to the bytes that the caller gave.

use crate::{
    Options, Problem, Span,
    brace::TokenKind,
    check,
    lines::{Line, without_indentation},
    problem::LineCounter,
    structure::Structure,
    token::marker,
};
use alloc::{borrow::Cow, string::String, vec::Vec};
use core::ops::Range;

/// What some editors put before a text.
pub(crate) const BYTE_ORDER_MARK: char = '\u{FEFF}';

/// A readable text and where its bytes came from.
#[derive(Debug)]
pub(crate) struct Source<'t> {
    /// The text with LF line ends, without notes and without blank lines at its ends.
    pub(crate) text: Cow<'t, str>,
    /// Where a stretch of `text` starts: (position in `text`, position in what was given). Sorted; between two entries
    /// both positions run alike.
    stretches: Vec<(usize, usize)>,
    /// Whether what was given has carriage returns.
    has_returns: bool,
}

impl<'t> Source<'t> {
    /// The text as it is, but for its line ends and a byte order mark.
    pub(crate) fn verbatim(given: &'t str) -> Self {
        let has_returns = given.as_bytes().contains(&b'\r');
        let text = given.strip_prefix(BYTE_ORDER_MARK).unwrap_or(given);
        let mut source = Self {
            text: Cow::Borrowed(text),
            stretches: Vec::from_iter(
                (text.len() < given.len()).then_some((0, BYTE_ORDER_MARK.len_utf8())),
            ),
            has_returns,
        };
        if has_returns {
            source.unify_line_ends();
        }
        source
    }

    /// The text without notes, if they are not to be kept, and without outer blank lines, if it is no template.
    pub(crate) fn read(given: &'t str, options: &Options<'_>, problems: &mut Vec<Problem>) -> Self {
        let mut source = Self::verbatim(given);
        if !options.keep_notes && source.text.contains("<!--#") {
            source.drop_notes(problems);
        }
        if !options.place.is_template() {
            let kept = inner_lines(&source.text);
            source.keep(&[kept]);
        }
        source
    }

    /// Counts the lines of the text that was given.
    pub(crate) fn line_counter<'g>(&self, given: &'g str) -> LineCounter<'g> {
        LineCounter::start(given, self.has_returns)
    }

    /// The range of the given text that a range of `text` stands for.
    pub(crate) fn span(&self, range: Range<usize>) -> Span {
        let start = self.given(range.start);
        // The end belongs to the stretch of the last byte: what was taken out after it is not part of the range.
        let end = if range.end > range.start {
            self.given(range.end - 1) + 1
        } else {
            start
        };
        Span { start, end }
    }

    fn given(&self, at: usize) -> usize {
        let index = self.stretches.partition_point(|&(start, _)| start <= at);
        match index
            .checked_sub(1)
            .and_then(|index| self.stretches.get(index))
        {
            Some(&(start, given)) => given + (at - start),
            None => at,
        }
    }

    fn unify_line_ends(&mut self) {
        let mut text = String::with_capacity(self.text.len());
        let mut stretches = core::mem::take(&mut self.stretches);
        let mut rest = &*self.text;
        let mut at = stretches.first().map_or(0, |&(_, given)| given);
        while let Some(found) = rest.find('\r') {
            let (before, after) = rest.split_at(found);
            text.push_str(before);
            text.push('\n');
            let skipped = if after.starts_with("\r\n") { 2 } else { 1 };
            at += found + skipped;
            stretches.push((text.len(), at));
            rest = after.get(skipped..).unwrap_or_default();
        }
        text.push_str(rest);
        self.text = Cow::Owned(text);
        self.stretches = stretches;
    }

    /// Takes out each note with its lines.
    fn drop_notes(&mut self, problems: &mut Vec<Problem>) {
        let mut structure = Structure::default();
        let mut kept: Vec<Range<usize>> = Vec::new();
        let (mut from, mut at) = (0, 0);
        let mut last_close = None;
        let mut is_after_blank_line = true;
        // Where the last line ends that is not blank.
        let mut solid = 0;
        while let Some(line) = Line::at(&self.text, at) {
            at = line.next();
            match note(&self.text, &line, &structure, &mut last_close) {
                Note::None => {
                    structure.read(line.text);
                    is_after_blank_line = line.is_blank();
                    if !is_after_blank_line {
                        solid = at;
                    }
                }
                Note::Until(end) => {
                    kept.push(from..line.start);
                    at = (end + 1).min(self.text.len());
                    // A note that is the last paragraph of a branch takes the blank lines before it along.
                    if Line::at(&self.text, at).is_some_and(|next| ends_branch(&next)) {
                        let late = kept.iter_mut().rev().take_while(|range| range.end > solid);
                        late.for_each(|range| range.end = range.start.max(solid));
                    }
                    // A note that is a paragraph of its own takes the blank lines behind it along: those before it are
                    // enough.
                    if is_after_blank_line {
                        while let Some(line) = Line::at(&self.text, at).filter(Line::is_blank) {
                            at = line.next().min(self.text.len());
                            if line.end() >= self.text.len() {
                                break;
                            }
                        }
                    }
                    from = at;
                    if end >= self.text.len() {
                        break;
                    }
                }
                Note::Unclosed(start) => {
                    kept.push(from..line.start);
                    from = self.text.len();
                    let span = self.span(start..start + 5);
                    problems.push(Problem {
                        span,
                        ..check::unclosed_note()
                    });
                    break;
                }
            }
        }
        kept.push(from..self.text.len());
        self.keep(&kept);
    }

    /// Reduces the text to the given ranges, which are sorted.
    fn keep(&mut self, ranges: &[Range<usize>]) {
        let mut stretches = Vec::new();
        let mut length = 0;
        for range in ranges {
            stretches.push((length, self.given(range.start)));
            let first = self
                .stretches
                .partition_point(|&(start, _)| start <= range.start);
            let inner = self
                .stretches
                .iter()
                .skip(first)
                .take_while(|&&(start, _)| start <= range.end);
            stretches.extend(inner.map(|&(start, given)| (length + start - range.start, given)));
            length += range.len();
        }
        self.stretches = stretches;
        self.text = match (core::mem::take(&mut self.text), ranges) {
            (Cow::Borrowed(text), [range]) => {
                Cow::Borrowed(text.get(range.clone()).unwrap_or_default())
            }
            (text, ranges) => Cow::Owned(
                ranges
                    .iter()
                    .filter_map(|range| text.get(range.clone()))
                    .collect(),
            ),
        };
    }
}

/// Whether a branch or the body of a loop ends with a line.
fn ends_branch(line: &Line<'_>) -> bool {
    matches!(marker(line.text), Some(TokenKind::Else | TokenKind::End))
}

/// What a line has to do with notes.
enum Note {
    None,
    /// The note ends with the line that ends here.
    Until(usize),
    /// A note starts here and never closes.
    Unclosed(usize),
}

/// `last_close` is the place of the `-->` that was found last: what starts before it need not look for it again.
fn note(
    text: &str,
    line: &Line<'_>,
    structure: &Structure,
    last_close: &mut Option<usize>,
) -> Note {
    let content = without_indentation(line.text);
    if !content.starts_with("<!--#") || structure.is_literal(line.text) {
        return Note::None;
    }
    let start = line.end() - content.len();
    let inner = start + 5;
    let close = last_close.filter(|close| *close >= inner).or_else(|| {
        let found = text.get(inner..)?.find("-->")?;
        Some(inner + found)
    });
    *last_close = close;
    let Some(close) = close else {
        return Note::Unclosed(start);
    };
    match Line::at(text, close + 3) {
        Some(rest) if rest.is_blank() => Note::Until(rest.end()),
        _ => Note::None,
    }
}

/// The range from the first line that is not blank to the end of the last one.
fn inner_lines(text: &str) -> Range<usize> {
    let blanks = [' ', '\t', '\n'];
    let before = text.len() - text.trim_start_matches(blanks).len();
    let last = text.trim_end_matches(blanks).len();
    if before >= last {
        return 0..0;
    }
    let start = text[..before].rfind('\n').map_or(0, |at| at + 1);
    let end = text[last..].find('\n').map_or(text.len(), |at| last + at);
    start..end
}
