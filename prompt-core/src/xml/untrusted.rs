//! What `untrusted` adds to guarding: values bring no headings, fences, rules, lists or chat tokens of their own.
//!
//! It is judged line by line on the finished text, where author and value may have made a line together, and knows nothing of
//! the lines around: where Markdown would take a line for less than it looks like, there is a backslash too many, which a
//! reader sees as the character behind it.

use super::edit::{Edit, ValueRange};
use memchr::{memchr_iter, memchr2, memrchr2};
use std::ops::Range;

/// Adds what the untrusted values need to the edits of the tags, which are sorted.
pub(super) fn defuse(text: &str, values: &[ValueRange], edits: &mut Vec<Edit>) {
    let untrusted = values.iter().filter(|value| value.policy.untrusted);
    let mut found = Vec::new();
    split_tokens(
        text,
        untrusted.clone().map(|value| &value.range),
        edits,
        &mut found,
    );
    let in_code = untrusted.clone().filter(|value| value.policy.in_code);
    keep_info(
        text.as_bytes(),
        in_code.map(|value| &value.range),
        &mut found,
    );
    let has_lines = |value: &&ValueRange| !value.policy.in_code && !value.policy.is_in_tag();
    let values: Vec<&Range<usize>> = untrusted
        .filter(has_lines)
        .map(|value| &value.range)
        .collect();
    defuse_lines(text.as_bytes(), &values, &mut found);
    edits.append(&mut found);
}

/// `<|` becomes `< |` if any of it is a value's.
fn split_tokens<'v>(
    text: &str,
    values: impl Iterator<Item = &'v Range<usize>>,
    escaped: &[Edit],
    found: &mut Vec<Edit>,
) {
    let mut from = 0;
    for value in values {
        // From the byte before the value to the byte behind it.
        let start = value.start.saturating_sub(1).max(from);
        let end = text.len().min(value.end + 1);
        let part = text.as_bytes().get(start..end).unwrap_or_default();
        for offset in memchr_iter(b'|', part).filter(|at| *at > 0 && part[at - 1] == b'<') {
            let at = start + offset - 1;
            if !Edit::replaces(escaped, at) {
                found.push(Edit::insert(at + 1, " "));
            }
            from = at + 1;
        }
    }
}

/// In the info string of a fence its character is written as an entity, which Markdown knows there: a backtick in it would
/// make the line no fence at all, and a `~` could lengthen the fence.
fn keep_info<'v>(
    text: &[u8],
    values: impl Iterator<Item = &'v Range<usize>>,
    found: &mut Vec<Edit>,
) {
    // What was read of the line of the value before: where it ends, and the mark of the fence that it opens.
    let (mut read, mut fence) = (0, None);
    for value in values {
        if value.start >= read {
            let line = memrchr2(b'\n', b'\r', &text[read..value.start]);
            let start = line.map_or(read, |end| read + end + 1);
            read = memchr2(b'\n', b'\r', &text[value.start..])
                .map_or(text.len(), |end| value.start + end);
            // Only marks in front of the first value are the author's.
            let words = text[start..value.start].iter();
            let is_head = |byte: &&u8| is_blank(**byte) || b">-+*.)0123456789".contains(byte);
            let mut marks = words.skip_while(is_head);
            let mark = *marks.next().unwrap_or(&b'x');
            let is_fence =
                b"`~".contains(&mark) && marks.take_while(|byte| **byte == mark).count() >= 2;
            fence = is_fence.then_some(mark);
        }
        let Some(mark) = fence else { continue };
        let entity = if mark == b'~' { "&#126;" } else { "&#96;" };
        let own = (value.start..value.end.min(read)).filter(|at| text[*at] == mark);
        found.extend(own.map(|at| Edit::replace(at, entity)));
    }
}

/// Each line that a value has a part in is looked at once: so the whole is linear.
fn defuse_lines(text: &[u8], values: &[&Range<usize>], found: &mut Vec<Edit>) {
    // Where the first line begins that has not been looked at.
    let mut next = 0;
    for value in values {
        let mut start = if value.start < next {
            next
        } else {
            memrchr2(b'\n', b'\r', &text[next..value.start]).map_or(next, |end| next + end + 1)
        };
        // What is behind a break of the value is a line because of it.
        while start <= value.end && start < text.len() {
            let end = memchr2(b'\n', b'\r', &text[start..]).map_or(text.len(), |end| start + end);
            let is_touched = |range: Range<usize>| {
                let first = values.partition_point(|value| value.end <= range.start);
                values
                    .get(first)
                    .is_some_and(|value| value.start < range.end)
            };
            let line = Line { text, start, end };
            found.extend(line.mark(is_touched).map(|at| Edit::insert(at, "\\")));
            next = end + 1;
            start = next;
        }
    }
}

/// A line of a text, without its end.
struct Line<'t> {
    text: &'t [u8],
    start: usize,
    end: usize,
}

impl Line<'_> {
    /// Where the backslash goes of what a value has a part in, from the break before the line on, and Markdown takes for more
    /// than words, behind any marks of quotes and lists.
    fn mark(&self, is_touched: impl Fn(Range<usize>) -> bool) -> Option<usize> {
        let touches = |end: usize| is_touched(self.start.saturating_sub(1)..end);
        let mut at = self.start;
        loop {
            at += self.blanks(at);
            let rest = &self.text[at..self.end];
            let &first = rest.first()?;
            let mark = list_mark(rest);
            if is_row(rest) {
                return self.row_mark(at, is_touched);
            }
            if let Some(mark) = mark.filter(|mark| touches(at + mark + 1)) {
                return Some(at + mark - 1);
            }
            // Quotes may go on for long: nothing but their own mark is looked at.
            if first == b'>' {
                at += 1;
                continue;
            }
            let run = rest.iter().take_while(|byte| **byte == first).count();
            let behind = rest.get(run).is_none_or(|byte| is_blank(*byte));
            match first {
                b'#' if run <= 6 && behind => return touches(at + run + 1).then_some(at),
                b'`' | b'~' if run >= 3 => return touches(at + run).then_some(at),
                _ => at += mark?,
            }
        }
    }

    /// Where the backslash goes of a rule, or of what makes the line above a heading: the author's own marks stay, unless a
    /// value makes one the mark of a list.
    fn row_mark(&self, at: usize, is_touched: impl Fn(Range<usize>) -> bool) -> Option<usize> {
        if is_touched(self.start.saturating_sub(1)..at + 1) {
            return Some(at);
        }
        let is_own = |at: &usize| is_touched(*at..at + 1);
        let is_made = |mark: &usize| {
            let is_item = || list_mark(&self.text[*mark..self.end]).is_some();
            is_own(mark) || (is_own(&(mark + 1)) && is_item())
        };
        let mut marks = (at..self.end).filter(|mark| self.text[*mark] == self.text[at]);
        // A value that goes on with a break leaves the author's marks alone on their line: its words are more.
        let behind = || (at..=self.end).find(is_own).filter(|_| is_own(&self.end));
        marks.find(is_made).or_else(behind)
    }

    fn blanks(&self, at: usize) -> usize {
        let rest = self.text[at..self.end].iter();
        rest.take_while(|byte| is_blank(**byte)).count()
    }
}

/// A rule, or what makes the line above a heading.
fn is_row(line: &[u8]) -> bool {
    let Some(mark) = line.first().filter(|mark| b"-_*=".contains(mark)) else {
        return false;
    };
    let marks = line.split(|byte| byte == mark).count() - 1;
    let is_solid = line[..marks].iter().all(|byte| byte == mark);
    line.iter().all(|byte| byte == mark || is_blank(*byte))
        && match mark {
            b'=' => is_solid,
            b'-' => is_solid || marks >= 3,
            _ => marks >= 3,
        }
}

/// The length of the mark that begins a list item.
fn list_mark(line: &[u8]) -> Option<usize> {
    let digits = line.iter().take_while(|byte| byte.is_ascii_digit()).count();
    let is_mark = match line.get(digits)? {
        b'-' | b'+' | b'*' => digits == 0,
        b'.' | b')' => (1..=9).contains(&digits),
        _ => false,
    };
    let is_apart = line.get(digits + 1).is_none_or(|byte| is_blank(*byte));
    (is_mark && is_apart).then_some(digits + 1)
}

/// A blank, or what some parsers take for one.
const fn is_blank(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t' | b'\x0b' | b'\x0c')
}
