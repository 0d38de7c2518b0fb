//! The regions of a text in which a tag is no tag: comments, CDATA, processing instructions, closed fenced blocks, inline code.
//!
//! [`Walk`] goes over a text from `<` to `<` past all of them. Every region is found in linear time, however many openers have
//! no end.

use super::FenceRange;
use memchr::{memchr_iter, memchr2, memchr3};
use std::{collections::HashMap, iter, ops::Range};

/// What the walk stops at.
pub(super) enum Stop {
    /// A `<`.
    Angle(usize),
    /// A `<!--` without `-->`.
    UnclosedComment(usize),
    /// A `<![CDATA[` without `]]>`.
    UnclosedCdata(usize),
}

/// Every region is searched for its end once; an opener without an end hides nothing.
pub(super) struct Walk<'t> {
    text: &'t str,
    at: usize,
    fences: Fences,
    code: CodeSpans,
    comments: Region,
    cdata: Region,
    instructions: Region,
}

impl<'t> Walk<'t> {
    pub(super) fn new(text: &'t str) -> Self {
        let fences = Fences::of(text);
        let mut walk = Self {
            text,
            at: 0,
            fences,
            code: CodeSpans::default(),
            comments: Region::new("<!--", "-->"),
            cdata: Region::new("<![CDATA[", "]]>"),
            instructions: Region::new("<?", "?>"),
        };
        walk.begin_line(0);
        walk
    }

    /// Goes on after a tag that ends before `at`.
    pub(super) fn skip_to(&mut self, at: usize) {
        self.at = at;
    }

    /// A line starts at `at`: a fenced block is passed.
    fn begin_line(&mut self, at: usize) {
        self.at = at;
        while let Some(end) = self.fences.end_of(self.at) {
            self.at = end;
        }
    }

    /// At a backtick: a code span is passed, else its run.
    fn pass_code(&mut self, at: usize) {
        let end = self.code.end_of(self.text, &self.fences, at);
        self.at = end.unwrap_or(at + 1);
    }

    /// At a `<`: `None` if it opens a region that was passed.
    fn angle(&mut self, at: usize) -> Option<Stop> {
        self.at = at + 1;
        let stop = [
            (&mut self.comments, Some(Stop::UnclosedComment(at))),
            (&mut self.cdata, Some(Stop::UnclosedCdata(at))),
            (&mut self.instructions, None),
        ]
        .into_iter()
        .find(|(region, _)| region.opens(self.text, at));
        let Some((region, unclosed)) = stop else {
            return Some(Stop::Angle(at));
        };
        match region.end_of(self.text, at) {
            End::At(end) => {
                self.at = end;
                None
            }
            End::Missing => unclosed,
            End::KnownMissing => None,
        }
    }
}

impl Iterator for Walk<'_> {
    type Item = Stop;

    fn next(&mut self) -> Option<Stop> {
        loop {
            let rest = self.text.as_bytes().get(self.at..)?;
            // Without fences the ends of lines are of no interest.
            let offset = if self.fences.blocks.is_empty() {
                memchr2(b'<', b'`', rest)?
            } else {
                memchr3(b'<', b'`', b'\n', rest)?
            };
            let at = self.at + offset;
            match rest.get(offset) {
                Some(b'\n') => self.begin_line(at + 1),
                Some(b'`') => self.pass_code(at),
                _ => {
                    if let Some(stop) = self.angle(at) {
                        return Some(stop);
                    }
                }
            }
        }
    }
}

/// A kind of region with an opener and an end.
struct Region {
    open: &'static str,
    close: &'static str,
    /// No end follows any more: no opener further on needs to be searched from.
    missing: bool,
}

enum End {
    At(usize),
    Missing,
    KnownMissing,
}

impl Region {
    fn new(open: &'static str, close: &'static str) -> Self {
        Self {
            open,
            close,
            missing: false,
        }
    }

    fn opens(&self, text: &str, at: usize) -> bool {
        text.as_bytes()
            .get(at..)
            .is_some_and(|rest| rest.starts_with(self.open.as_bytes()))
    }

    fn end_of(&mut self, text: &str, at: usize) -> End {
        if self.missing {
            return End::KnownMissing;
        }
        let from = at + self.open.len();
        let offset = text
            .get(from..)
            .and_then(|rest| find_iter(rest.as_bytes(), self.close.as_bytes()).next());
        self.missing = offset.is_none();
        offset.map_or(End::Missing, |offset| {
            End::At(from + offset + self.close.len())
        })
    }
}

/// The places of a mark of two or three bytes, by its first one, which is rare in texts. (A searcher for needles of any
/// kind is twenty kilobytes of program.)
pub(super) fn find_iter<'t>(text: &'t [u8], mark: &'t [u8]) -> impl Iterator<Item = usize> + 't {
    let first = mark.first().copied().unwrap_or_default();
    memchr_iter(first, text).filter(move |&at| text[at..].starts_with(mark))
}

/// The closed fenced blocks of a text, sorted by start; a block that begins inside another is listed too.
///
/// As in `CommonMark`, a fence closes with the same character and at least its length; a fence that never closes is none.
/// Unlike there, a fence may be indented by more than three columns, since lists and nested tags indent it.
#[derive(Clone, Debug, Default)]
pub(super) struct Fences {
    blocks: Vec<Range<usize>>,
}

impl Fences {
    /// One pass from the last line to the first, `O(n log n)` at worst in the number of fence lines.
    pub(super) fn of(text: &str) -> Self {
        if ["```", "~~~"].iter().all(|fence| {
            find_iter(text.as_bytes(), fence.as_bytes())
                .next()
                .is_none()
        }) {
            return Self::default();
        }
        let mut closers = Closers::default();
        let mut blocks = Vec::new();
        let mut end = text.len();
        for line in text.split_inclusive('\n').rev() {
            let start = end - line.len();
            if let Some(fence) = FenceLine::read(line) {
                if let Some(block_end) = fence.opens.then(|| closers.first_for(&fence)).flatten() {
                    blocks.push(start..block_end);
                }
                if fence.closes {
                    closers.push(&fence, end);
                }
            }
            end = start;
        }
        blocks.reverse();
        Self { blocks }
    }

    /// The lines of the text outside the blocks.
    pub(super) fn open_lines<'t>(
        &self,
        text: &'t str,
    ) -> impl Iterator<Item = &'t str> + use<'_, 't> {
        let mut at = 0;
        iter::from_fn(move || {
            while let Some(end) = self.end_of(at) {
                at = end;
            }
            let line = text.get(at..)?.split_inclusive('\n').next()?;
            at += line.len();
            Some(line)
        })
    }

    /// The end of the block that opens with the line at `start`, its last line included.
    fn end_of(&self, start: usize) -> Option<usize> {
        let index = self
            .blocks
            .binary_search_by_key(&start, |block| block.start)
            .ok()?;
        self.blocks.get(index).map(|block| block.end)
    }
}

/// The fenced blocks that the words of a template make around its values, in order. What values hold opens and closes
/// none, so it is not read: `x` stands for each of its bytes.
pub(crate) fn fences_around(text: &str, values: &[Range<usize>]) -> Vec<FenceRange> {
    let mut words = String::with_capacity(text.len());
    for value in values {
        words.push_str(&text[words.len()..value.start]);
        words.extend(iter::repeat_n('x', value.len()));
    }
    words.push_str(&text[words.len()..]);
    let marks = |line: &str, start: usize| {
        let marked = line.trim_start_matches([' ', '\t']);
        let start = start + line.len() - marked.len();
        let first = marked.as_bytes().first();
        let count = marked
            .bytes()
            .take_while(|byte| Some(byte) == first)
            .count();
        start..start + count
    };
    let mut fences: Vec<FenceRange> = Vec::new();
    let mut behind = 0;
    for block in Fences::of(&words).blocks {
        // A line inside a block, or the one that closes it, may look like an opening one.
        if block.start < behind {
            continue;
        }
        behind = block.end;
        let lines = words[block.clone()].trim_end_matches('\n');
        let last = lines.rfind('\n').map_or(0, |at| at + 1);
        fences.push(FenceRange {
            open: marks(lines, block.start),
            close: Some(marks(&lines[last..], block.start + last)),
        });
    }
    fences
}

/// A line that opens or closes a fence.
struct FenceLine {
    byte: u8,
    length: usize,
    /// More than three columns in: closes only a fence that is indented so itself.
    deep: bool,
    opens: bool,
    closes: bool,
}

impl FenceLine {
    fn read(line: &str) -> Option<Self> {
        let marked = line.trim_start_matches([' ', '\t']);
        let byte = marked
            .bytes()
            .next()
            .filter(|byte| matches!(byte, b'`' | b'~'))?;
        let length = marked.bytes().take_while(|&other| other == byte).count();
        let info = marked.get(length..).unwrap_or_default();
        (length >= 3).then(|| Self {
            byte,
            length,
            deep: line.len() - marked.len() > 3,
            opens: byte == b'~' || !info.contains('`'),
            closes: info.trim_ascii().is_empty(),
        })
    }
}

/// The closing lines below, nearest last. A closer that is no longer than a nearer one can never be the first for any
/// fence, so each list is kept strictly falling in length from its start to its end, and a search can bisect.
#[derive(Default)]
struct Closers {
    lists: [Vec<(usize, usize)>; 4],
}

impl Closers {
    fn list(&mut self, byte: u8, deep: bool) -> &mut Vec<(usize, usize)> {
        let [backtick, deep_backtick, tilde, deep_tilde] = &mut self.lists;
        match (byte, deep) {
            (b'`', false) => backtick,
            (b'`', true) => deep_backtick,
            (_, false) => tilde,
            (_, true) => deep_tilde,
        }
    }

    fn push(&mut self, fence: &FenceLine, end: usize) {
        for deep in [true, false] {
            if deep || !fence.deep {
                let list = self.list(fence.byte, deep);
                while list
                    .last()
                    .is_some_and(|&(length, _)| length <= fence.length)
                {
                    list.pop();
                }
                list.push((fence.length, end));
            }
        }
    }

    fn first_for(&mut self, fence: &FenceLine) -> Option<usize> {
        let list = self.list(fence.byte, fence.deep);
        let long_enough = list.partition_point(|&(length, _)| length >= fence.length);
        list.get(long_enough.checked_sub(1)?).map(|&(_, end)| end)
    }
}

/// The code spans of one paragraph after the other, each read when its first backtick is met.
#[derive(Default)]
struct CodeSpans {
    /// One past the last byte read.
    read: usize,
    /// `(where a span may open, where that span ends)`, sorted by start.
    runs: Vec<(usize, Option<usize>)>,
}

impl CodeSpans {
    /// The end of the span that opens with the backtick at `at`.
    fn end_of(&mut self, text: &str, fences: &Fences, at: usize) -> Option<usize> {
        if at >= self.read {
            self.read = paragraph_end(text, fences, at);
            self.runs = runs(text, at, self.read);
        }
        let index = self
            .runs
            .binary_search_by_key(&at, |&(start, _)| start)
            .ok()?;
        self.runs.get(index).and_then(|&(_, end)| end)
    }
}

fn is_escaped(text: &str, at: usize) -> bool {
    let before = text.as_bytes().get(..at).unwrap_or_default();
    before
        .iter()
        .rev()
        .take_while(|&&byte| byte == b'\\')
        .count()
        % 2
        == 1
}

/// A paragraph ends before a blank line and before a fenced block.
fn paragraph_end(text: &str, fences: &Fences, from: usize) -> usize {
    let mut at = from;
    for line in text.get(from..).unwrap_or_default().split_inclusive('\n') {
        if at != from && (line.trim_ascii().is_empty() || fences.end_of(at).is_some()) {
            break;
        }
        at += line.len();
    }
    at
}

/// Reads the runs of a paragraph from its end, so that the next run of each length is known. A backslash takes the first
/// backtick of a run that opens; one that closes counts whole, since in code a backslash is text.
fn runs(text: &str, from: usize, to: usize) -> Vec<(usize, Option<usize>)> {
    let bytes = text.as_bytes().get(from..to).unwrap_or_default();
    let mut next = HashMap::new();
    let mut runs = Vec::new();
    let mut end = bytes.len();
    while let Some(last) = bytes
        .get(..end)
        .and_then(|head| head.iter().rposition(|&byte| byte == b'`'))
    {
        let length = bytes
            .iter()
            .take(last + 1)
            .rev()
            .take_while(|&&byte| byte == b'`')
            .count();
        let start = last + 1 - length;
        let escaped = usize::from(is_escaped(text, from + start));
        runs.push((
            from + start + escaped,
            next.get(&(length - escaped)).copied(),
        ));
        next.insert(length, from + last + 1);
        end = start;
    }
    runs.reverse();
    runs
}

#[cfg(test)]
mod tests {
    use super::*;

    fn first(text: &str) -> Option<&str> {
        Fences::of(text)
            .blocks
            .first()
            .map(|block| &text[block.clone()])
    }

    #[test]
    fn a_fence_closes_with_its_own_kind_and_length() {
        assert_eq!(first("a\n```rs\nx\n```\nb"), Some("```rs\nx\n```\n"));
        assert_eq!(
            first("~~~~\n~~~\n```\n~~~~~ \n"),
            Some("~~~~\n~~~\n```\n~~~~~ \n")
        );
        assert_eq!(first("````\n```\n"), None);
        assert_eq!(first("```\nx\n~~~\n"), None);
        assert_eq!(first("```\nx\n``` not a closer\n"), None);
        assert_eq!(first("``` a`b\n```\n"), None);
    }

    #[test]
    fn the_nearest_closer_counts() {
        assert_eq!(first("```\na\n`````\nb\n```\n"), Some("```\na\n`````\n"));
        assert_eq!(
            first("````\na\n```\nb\n`````\n"),
            Some("````\na\n```\nb\n`````\n")
        );
    }

    #[test]
    fn deep_lines_close_deep_fences_only() {
        assert_eq!(
            first("```\na\n    ```\nb\n```\n"),
            Some("```\na\n    ```\nb\n```\n")
        );
        assert_eq!(
            first("     ```\na\n     ```\nb"),
            Some("     ```\na\n     ```\n")
        );
    }

    fn spans(text: &str) -> Option<usize> {
        let at = text.find('`')?;
        CodeSpans::default().end_of(text, &Fences::of(text), at)
    }

    #[test]
    fn a_span_closes_with_a_run_of_its_length() {
        assert_eq!(spans("a `b` c"), Some(5));
        assert_eq!(spans("``b ` c`` d"), Some(9));
        assert_eq!(spans("`a\nb`"), Some(5));
        assert_eq!(spans("``b`"), None);
        assert_eq!(spans("\\`b`"), None);
        assert_eq!(spans("\\\\`b`"), Some(5));
    }

    #[test]
    fn a_span_stays_in_its_paragraph() {
        assert_eq!(spans("`a\n\nb`"), None);
        assert_eq!(spans("`a\n \t\nb`"), None);
        assert_eq!(spans("`a\n```\nb\n```\n`"), None);
    }
}
