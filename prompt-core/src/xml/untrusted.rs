//! What `untrusted` adds to guarding: values bring no headings, fences, rules or chat tokens of their own.
//!
//! It is judged on the finished text, where author and value may have made a line together. Lines are read as `CommonMark`
//! reads them, and where that needs more than the line (what is a list item, what is a paragraph) the reading errs on the side
//! of the backslash, which a reader sees as the character behind it.

use super::edit::{Edit, FenceRange, Finished, ValueRange};
use super::names::words_around;
use memchr::{memchr, memchr_iter, memchr2, memrchr};
use prompt_syntax::{CodeKind, code};
use std::ops::Range;

/// Adds what the untrusted values need to the edits of the tags, which are sorted. `attributes` are the values that are written
/// as in an attribute, and so on one line.
pub(super) fn defuse(
    finished: &Finished<'_>,
    values: &[ValueRange],
    attributes: &[Range<usize>],
    edits: &mut Vec<Edit>,
) {
    let values: Vec<Range<usize>> = values
        .iter()
        .filter(|value| value.policy.untrusted)
        .map(|value| value.range.clone())
        .collect();
    if values.is_empty() {
        return;
    }
    let mut found = Vec::new();
    split_tokens(finished.text, &values, edits, &mut found);
    lengthen_fences(finished, &values, edits, &mut found);
    Lines {
        text: finished.text.as_bytes(),
        values: &values,
        attributes,
        escaped: edits,
        found: &mut found,
        list: 0,
        below_text: false,
        below_blank: true,
        html: Vec::new(),
    }
    .defuse(finished.fences);
    if edits.is_empty() {
        *edits = found;
    } else {
        edits.append(&mut found);
    }
}

/// `<|` becomes `< |` if any of it is a value's.
fn split_tokens(text: &str, values: &[Range<usize>], escaped: &[Edit], found: &mut Vec<Edit>) {
    let mut from = 0;
    for value in values {
        // From the byte before the value to the byte behind it.
        let start = value.start.saturating_sub(1).max(from);
        let end = text.len().min(value.end + 1);
        let part = text.as_bytes().get(start..end).unwrap_or_default();
        for offset in memchr_iter(b'|', part).filter(|at| *at > 0 && part[at - 1] == b'<') {
            let at = start + offset - 1;
            if !Edit::replaces(escaped, at) {
                found.push(Edit::insert(at + 1, " ", 1));
            }
            from = at + 1;
        }
    }
}

/// A fence around untrusted values becomes longer than any run of its character in the block, so that no line of it closes
/// the block, however the run came about. In the info string of such a fence its character is written as an entity, which
/// Markdown knows there: a backtick in it would make the line no fence at all, and a `~` could lengthen the fence.
fn lengthen_fences(
    finished: &Finished<'_>,
    mut values: &[Range<usize>],
    escaped: &[Edit],
    found: &mut Vec<Edit>,
) {
    let bytes = finished.text.as_bytes();
    for (index, fence) in finished.fences.iter().enumerate() {
        let (mark, character, entity) = match bytes.get(fence.open.start) {
            Some(b'~') => (b'~', "~", "&#126;"),
            _ => (b'`', "`", "&#96;"),
        };
        let block = fence.open.end..block_end(finished, index);
        values = behind(values, block.start);
        if values.first().is_none_or(|value| value.start >= block.end) {
            continue;
        }
        let inner = bytes.get(block.clone()).unwrap_or_default();
        // Some parsers read an info string on behind a lone CR.
        let info = memchr(b'\n', inner).unwrap_or(inner.len());
        let content = memchr2(b'\n', b'\r', inner).unwrap_or(inner.len());
        let longest = longest_run(mark, &inner[content..]);
        let extra = (longest + 1).saturating_sub(fence.open.len());
        if extra > 0 {
            found.push(Edit::insert(fence.open.start, character, extra));
        }
        for value in values
            .iter()
            .take_while(|value| value.start < block.start + info)
        {
            let info = value.start.max(block.start)..value.end.min(block.start + info);
            found.extend(
                info.filter(|&at| bytes.get(at) == Some(&mark) && !Edit::replaces(escaped, at))
                    .map(|at| Edit::replace(at, entity)),
            );
        }
        if let Some(close) = fence.close.as_ref().filter(|_| extra > 0) {
            // Before the characters, so that what ends behind them ends behind the longer fence.
            found.push(Edit::insert(close.start, character, extra));
        }
    }
}

/// The fenced blocks that the words of a template make around its values, in order. What values hold opens and closes none.
pub(crate) fn fences_around(text: &str, values: &[Range<usize>]) -> Vec<FenceRange> {
    let words = words_around(text, values.iter());
    // Only blanks and the marks of lists and quotes stand before those of a fence.
    let marks = |start: usize| {
        let line = &words.as_bytes()[start..];
        let start = start + memchr2(b'`', b'~', line).unwrap_or_default();
        let marks = &words.as_bytes()[start..];
        start..start + marks.iter().take_while(|mark| **mark == marks[0]).count()
    };
    let closed = code(&words)
        .into_iter()
        .filter(|code| code.kind == CodeKind::Fence { is_closed: true });
    let fences = closed.map(|code| {
        let last = words[code.range.clone()].rfind('\n');
        let last = last.map_or(code.range.start, |at| code.range.start + at + 1);
        FenceRange {
            open: marks(code.range.start),
            close: Some(marks(last)),
        }
    });
    fences.collect()
}

/// The most such bytes on end.
fn longest_run(mark: u8, text: &[u8]) -> usize {
    let (mut longest, mut length, mut next) = (0, 0, 0);
    for at in memchr_iter(mark, text) {
        length = if at == next { length + 1 } else { 1 };
        longest = longest.max(length);
        next = at + 1;
    }
    longest
}

fn block_end(finished: &Finished<'_>, index: usize) -> usize {
    let next = finished.fences.get(index + 1);
    let next = next.map_or(finished.text.len(), |next| next.open.start);
    let close = finished
        .fences
        .get(index)
        .and_then(|fence| fence.close.as_ref());
    close.map_or(next, |close| close.start)
}

/// The values that do not end before `at`.
fn behind(values: &[Range<usize>], at: usize) -> &[Range<usize>] {
    let passed = values.iter().take_while(|value| value.end <= at).count();
    values.get(passed..).unwrap_or_default()
}

/// The lines of a text, and what has to be known of those above.
struct Lines<'f> {
    text: &'f [u8],
    values: &'f [Range<usize>],
    attributes: &'f [Range<usize>],
    escaped: &'f [Edit],
    found: &'f mut Vec<Edit>,
    /// The column at which the content of the innermost list item begins that may still be open; 0 without one.
    list: usize,
    /// The line above is not blank: a line of `=` or `-` makes it a heading.
    below_text: bool,
    below_blank: bool,
    /// Tags of values at the beginning of the lines since the last blank one. What is HTML goes on to the next blank line, and
    /// must not take in what the author wrote.
    html: Vec<usize>,
}

impl Lines<'_> {
    fn defuse(mut self, mut fences: &[FenceRange]) {
        let mut start = 0;
        // The value before which it was tried to pass lines: once for each, which keeps it linear.
        let mut tried = usize::MAX;
        while start < self.text.len() && !self.values.is_empty() {
            if tried != self.values[0].start && self.html.is_empty() {
                tried = self.values[0].start;
                start = self.pass(start, &mut fences);
            }
            let (end, mut next) = self.line_end(start);
            if let Some((fence, rest)) = fences
                .split_first()
                .filter(|(fence, _)| fence.open.start < end)
            {
                // The block is code.
                fences = rest;
                self.defuse_html();
                let following = rest
                    .first()
                    .map_or(self.text.len(), |fence| fence.open.start);
                next = match &fence.close {
                    Some(close) => self.line_end(close.end.max(start)).1,
                    None => following.max(end),
                };
                (self.below_text, self.below_blank) = (false, false);
            } else {
                self.line(start..end, next);
            }
            start = next;
        }
    }

    /// Passes lines before the next value that it has nothing to do with: up to the last one that stands behind a blank line, is
    /// not indented, and is in no fence. No list and no paragraph goes on there.
    fn pass(&mut self, start: usize, fences: &mut &[FenceRange]) -> usize {
        let mut end = self.values[0].start;
        while let Some(line) = memrchr(b'\n', &self.text[start..end.max(start)]) {
            let at = start + line + 1;
            if line == 0 || self.text[at - 2] != b'\n' {
                end = at - 1;
                continue;
            }
            let passed = fences.partition_point(|fence| fence.open.start < at);
            let block_end = |fence: &FenceRange| match &fence.close {
                Some(close) => close.end,
                None => fences
                    .get(passed)
                    .map_or(usize::MAX, |next| next.open.start),
            };
            let around = fences[..passed]
                .last()
                .filter(|fence| at <= block_end(fence));
            let is_indented = matches!(self.text.get(at), Some(b' ' | b'\t' | b'\n' | b'\r'));
            // A value that is written as in an attribute has no lines.
            let is_broken = self
                .attributes
                .iter()
                .any(|value| value.contains(&(at - 1)));
            match around {
                None if !is_indented && !is_broken => {
                    *fences = &fences[passed..];
                    (self.list, self.below_text, self.below_blank) = (0, false, true);
                    return at;
                }
                Some(fence) => end = fence.open.start,
                None => end = at - 1,
            }
        }
        start
    }

    /// The end of the line that begins at `start`, and the beginning of the next. A lone CR ends a line too; a break in a value
    /// that is written as in an attribute does not.
    fn line_end(&mut self, start: usize) -> (usize, usize) {
        let mut from = start;
        while let Some(offset) = self
            .text
            .get(from..)
            .and_then(|rest| memchr2(b'\n', b'\r', rest))
        {
            let at = from + offset;
            self.attributes = behind(self.attributes, at);
            match self.attributes.first() {
                Some(value) if value.start <= at => from = value.end,
                _ => {
                    let pair = self.text.get(at..at + 2) == Some(b"\r\n");
                    return (at, at + 1 + usize::from(pair));
                }
            }
        }
        (self.text.len(), self.text.len())
    }

    fn line(&mut self, range: Range<usize>, next: usize) {
        let line = self.text.get(range.clone()).unwrap_or_default();
        let blanks = line.iter().take_while(|byte| is_blank(**byte)).count();
        let is_blank_line = blanks == line.len();
        if !is_blank_line
            && self.below_blank
            && columns(line.get(..blanks).unwrap_or_default(), 0) < 2
        {
            // What is not indented behind a blank line is in no list.
            self.list = 0;
        }
        // The break before the line may be what made it one.
        self.values = behind(self.values, range.start.saturating_sub(1));
        let touched = self.values.first().is_some_and(|value| value.start < next);
        let marked = line
            .get(blanks)
            .is_some_and(|first| b"-+*>0123456789".contains(first));
        if touched || marked || !self.html.is_empty() {
            let mut reader = LineReader {
                line,
                at: 0,
                column: 0,
                list: self.list,
                ends: LineEnds::of(line),
            };
            let structure = reader.structure(self.below_text);
            self.list = reader.list;
            if let Some(structure) = structure {
                self.judge(&structure, range.start);
            }
        }
        if is_blank_line {
            self.html.clear();
        }
        self.below_text = !is_blank_line;
        self.below_blank = is_blank_line;
    }

    /// Defuses what a value has a part in.
    fn judge(&mut self, structure: &Structure, line: usize) {
        let end = line + structure.end;
        if self.values.first().is_none_or(|value| value.start >= end) {
            if !matches!(structure.kind, Kind::Html | Kind::Tag) {
                self.defuse_html();
            }
            return;
        }
        let mut at = line + structure.at;
        match structure.kind {
            // Only a value's own character is taken out of a line of them: `- {item}` stays a list item.
            Kind::Underline => {
                let own = self
                    .values
                    .iter()
                    .take_while(|value| value.start < end)
                    .find_map(|value| {
                        (value.start.max(at)..value.end.min(end)).find(|&at| self.is_mark(at))
                    });
                at = own.unwrap_or(at);
            }
            Kind::Tag | Kind::Html if Edit::replaces(self.escaped, at) => return,
            Kind::Tag => return self.html.push(at),
            Kind::Heading | Kind::Fence | Kind::Html => {}
        }
        self.found.push(Edit::insert(at, "\\", 1));
    }

    fn defuse_html(&mut self) {
        let html = self.html.drain(..);
        self.found.extend(html.map(|at| Edit::insert(at, "\\", 1)));
    }

    fn is_mark(&self, at: usize) -> bool {
        self.text.get(at).is_some_and(|byte| b"-_*=".contains(byte))
    }
}

/// A line that Markdown takes for more than text, up to where that is decided.
struct Structure {
    kind: Kind,
    /// Where the backslash goes.
    at: usize,
    /// Whatever stands before this byte has a part in it.
    end: usize,
}

enum Kind {
    Heading,
    Fence,
    /// A rule, or what makes the line above a heading.
    Underline,
    /// What opens HTML that blank lines do not end.
    Html,
    /// What may open HTML that goes on to the next blank line.
    Tag,
}

/// Where the last characters of a line are all of one kind: found once, since each container mark asks.
#[derive(Default)]
struct LineEnds {
    /// From here on the line is `mark`s and blanks.
    marks: usize,
    mark: u8,
    /// The third `mark` from the end: a rule begins there or before.
    third: Option<usize>,
    /// From here on the line is `mark`s without a blank between.
    solid: usize,
}

impl LineEnds {
    fn of(line: &[u8]) -> Self {
        let words = line.len()
            - line
                .iter()
                .rev()
                .take_while(|byte| is_space(**byte))
                .count();
        let line = line.get(..words).unwrap_or_default();
        let Some(&mark) = line.last().filter(|mark| b"-_*=".contains(mark)) else {
            return Self {
                marks: usize::MAX,
                solid: usize::MAX,
                ..Self::default()
            };
        };
        let length = |accept: &dyn Fn(u8) -> bool| {
            line.iter().rev().take_while(|byte| accept(**byte)).count()
        };
        let mut marks = (0..line.len())
            .rev()
            .filter(|&at| line.get(at) == Some(&mark));
        let tail = words - length(&|byte| byte == mark || is_space(byte));
        Self {
            marks: tail,
            mark,
            third: marks.nth(2).filter(|&third| third >= tail && mark != b'='),
            solid: words - length(&|byte| byte == mark),
        }
    }

    fn is_rule(&self, at: usize) -> bool {
        at >= self.marks && self.third.is_some_and(|third| at <= third)
    }

    fn is_underline(&self, at: usize) -> bool {
        at >= self.solid && matches!(self.mark, b'=' | b'-')
    }
}

/// Reads the marks of one line.
struct LineReader<'t> {
    line: &'t [u8],
    at: usize,
    column: usize,
    list: usize,
    ends: LineEnds,
}

impl<'t> LineReader<'t> {
    /// What stands behind any quote and list marks. A line that is indented by more than three columns is code or goes on with
    /// a paragraph, unless it stands in a list item.
    fn structure(&mut self, below_text: bool) -> Option<Structure> {
        let (mut room, mut in_item) = (3, false);
        loop {
            let before = self.column;
            self.blanks();
            if self.column - before > room + self.list {
                return None;
            }
            let underlines = below_text && !in_item && self.ends.is_underline(self.at);
            let is_rule = self.ends.is_rule(self.at);
            let at = self.at;
            let found = self.leaf();
            // Read on even in a rule, which may become a list item once it is defused.
            let contained = self.container(&mut in_item);
            if underlines || is_rule {
                let end = self.line.len() + 1;
                return Some(Structure {
                    kind: Kind::Underline,
                    at,
                    end,
                });
            }
            if found.is_some() || !contained {
                return found;
            }
            // A mark takes one of the blanks behind it.
            room = 4;
        }
    }

    fn rest(&self) -> &'t [u8] {
        self.line.get(self.at..).unwrap_or_default()
    }

    fn blanks(&mut self) {
        let blanks = self
            .rest()
            .iter()
            .take_while(|byte| is_blank(**byte))
            .count();
        self.column = columns(self.rest().get(..blanks).unwrap_or_default(), self.column);
        self.at += blanks;
    }

    /// A heading, a fence, HTML.
    fn leaf(&self) -> Option<Structure> {
        let rest = self.rest();
        let &mark = rest.first()?;
        let run = rest.iter().take_while(|byte| **byte == mark).count();
        let after = rest.get(run..).unwrap_or_default();
        let (kind, length) = match mark {
            b'#' if run <= 6 && after.first().is_none_or(|byte| is_space(*byte)) => {
                (Kind::Heading, run + 1)
            }
            b'`' if run >= 3 && !after.contains(&b'`') => (Kind::Fence, run),
            b'~' if run >= 3 => (Kind::Fence, run),
            b'<' => opens_html(rest)?,
            _ => return None,
        };
        Some(Structure {
            kind,
            at: self.at,
            end: self.at + length,
        })
    }

    /// Passes a quote or list mark.
    fn container(&mut self, in_item: &mut bool) -> bool {
        let rest = self.rest();
        let digits = rest.iter().take_while(|byte| byte.is_ascii_digit()).count();
        let length = match rest.get(digits) {
            Some(b'>' | b'-' | b'+' | b'*') if digits == 0 => 1,
            Some(b'.' | b')') if (1..=9).contains(&digits) => digits + 1,
            _ => return false,
        };
        let is_quote = rest.first() == Some(&b'>');
        let after = rest.get(length..).unwrap_or_default();
        if !is_quote && !after.first().is_none_or(|byte| is_blank(*byte)) {
            return false;
        }
        let blanks = after.iter().take_while(|byte| is_blank(**byte)).count();
        self.at += length;
        self.column += length;
        if !is_quote {
            *in_item = true;
            let content = columns(after.get(..blanks).unwrap_or_default(), self.column);
            self.list = self
                .list
                .max(content.clamp(self.column + 1, self.column + 4));
        }
        true
    }
}

/// What a `<` at the beginning of a line may open, and how many bytes make it so.
fn opens_html(text: &[u8]) -> Option<(Kind, usize)> {
    let name = |name: &&str| {
        let end = name.len() + 1;
        text.get(1..end)
            .is_some_and(|start| start.eq_ignore_ascii_case(name.as_bytes()))
            && text
                .get(end)
                .is_none_or(|byte| is_space(*byte) || *byte == b'>')
    };
    if text.starts_with(b"<!--") || text.starts_with(b"<![CDATA[") {
        return Some((Kind::Html, 4));
    }
    let second = text.get(2).is_some_and(u8::is_ascii_alphabetic);
    match text.get(1)? {
        b'?' => Some((Kind::Html, 2)),
        b'!' if second => Some((Kind::Html, 3)),
        b'/' if second => Some((Kind::Tag, 3)),
        b if b.is_ascii_alphabetic() => {
            let own = ["script", "pre", "style", "textarea"]
                .iter()
                .find(|known| name(known));
            Some(own.map_or((Kind::Tag, 2), |name| (Kind::Html, name.len() + 1)))
        }
        _ => None,
    }
}

/// A blank, or what some parsers take for one.
const fn is_space(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t' | b'\x0b' | b'\x0c')
}

const fn is_blank(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t')
}

/// The column behind some blanks that begin at `column`: a tab goes on to the next multiple of four.
fn columns(blanks: &[u8], column: usize) -> usize {
    blanks.iter().fold(column, |column, byte| match byte {
        b'\t' => column / 4 * 4 + 4,
        _ => column + 1,
    })
}
