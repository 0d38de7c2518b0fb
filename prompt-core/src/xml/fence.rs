//! Fenced code blocks: which lines open one that also closes.

use std::ops::Range;

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
        if !text.contains("```") && !text.contains("~~~") {
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

    /// The end of the block that opens with the line at `start`, its last line included.
    pub(super) fn end_of(&self, start: usize) -> Option<usize> {
        let index = self
            .blocks
            .binary_search_by_key(&start, |block| block.start)
            .ok()?;
        self.blocks.get(index).map(|block| block.end)
    }
}

/// A line that opens or closes a fence.
pub(super) struct FenceLine {
    byte: u8,
    length: usize,
    /// More than three columns in: closes only a fence that is indented so itself.
    deep: bool,
    pub(super) opens: bool,
    closes: bool,
}

impl FenceLine {
    pub(super) fn read(line: &str) -> Option<Self> {
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
}
