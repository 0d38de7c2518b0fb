//! Inline code spans: a run of backticks up to the next run of the same length in the same paragraph.

use super::fence::Fences;
use std::collections::HashMap;

/// The code spans of one paragraph after the other, each read when its first backtick is met.
#[derive(Default)]
pub(super) struct CodeSpans {
    /// One past the last byte read.
    read: usize,
    /// `(start of the run, end of the span it opens)`, sorted by start.
    runs: Vec<(usize, Option<usize>)>,
}

impl CodeSpans {
    /// The end of the span that opens with the run of backticks at `at`, which must be the start of the run.
    pub(super) fn end_of(&mut self, text: &str, fences: &Fences, at: usize) -> Option<usize> {
        if is_escaped(text, at) {
            return None;
        }
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

/// Bytes of backticks from `at` on.
pub(super) fn run_length(text: &str, at: usize) -> usize {
    text.bytes()
        .skip(at)
        .take_while(|&byte| byte == b'`')
        .count()
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

/// Reads the runs of a paragraph from its end, so that the next run of each length is known.
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
        runs.push((from + start, next.insert(length, from + last + 1)));
        end = start;
    }
    runs.reverse();
    runs
}

#[cfg(test)]
mod tests {
    use super::*;

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
