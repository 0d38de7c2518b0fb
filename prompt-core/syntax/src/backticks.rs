//! Inline code, as `CommonMark` finds it: a run of backticks up to the next run of the same length.

use crate::scan::find;
use alloc::{collections::BTreeMap, vec::Vec};
use core::ops::Range;

/// The backtick runs of one paragraph. Each run knows the next one of its length, so that every search is one step.
#[derive(Debug, Default)]
pub(crate) struct Backticks {
    runs: Vec<Run>,
}

#[derive(Clone, Copy, Debug)]
struct Run {
    start: usize,
    length: usize,
    /// The next run of the same length.
    same: Option<usize>,
    /// The next run that is one shorter: what counts where a backslash escapes the first backtick.
    shorter: Option<usize>,
}

impl Backticks {
    /// Finds the runs in a range of a text.
    pub(crate) fn find(text: &str, range: Range<usize>) -> Self {
        let bytes = text.as_bytes();
        let mut runs = Vec::new();
        let mut at = range.start;
        while let Some(start) = find(text, at..range.end, [b'`']) {
            let length = bytes
                .iter()
                .take(range.end)
                .skip(start)
                .take_while(|&&byte| byte == b'`')
                .count();
            runs.push(Run {
                start,
                length,
                same: None,
                shorter: None,
            });
            at = start + length;
        }
        let mut latest = BTreeMap::new();
        for (index, run) in runs.iter_mut().enumerate().rev() {
            run.same = latest.get(&run.length).copied();
            run.shorter = run
                .length
                .checked_sub(1)
                .and_then(|shorter| latest.get(&shorter).copied());
            latest.insert(run.length, index);
        }
        Self { runs }
    }

    /// The code span that the backticks at `at` open: what stands between the two runs, and the end of the second.
    /// Without a second run, the end of the first.
    /// `from` is where the text before it starts to count, for backslashes.
    pub(crate) fn span(
        &self,
        text: &str,
        at: usize,
        from: usize,
    ) -> Result<(Range<usize>, usize), usize> {
        let index = self.runs.partition_point(|run| run.start < at);
        let Some(run) = self.runs.get(index) else {
            return Err(at + 1);
        };
        let before = text.as_bytes().get(from..at).unwrap_or_default();
        let is_escaped = before
            .iter()
            .rev()
            .take_while(|&&byte| byte == b'\\')
            .count()
            % 2
            == 1;
        let end = run.start + run.length;
        let closing = if is_escaped { run.shorter } else { run.same };
        let closing = closing
            .and_then(|closing| self.runs.get(closing))
            .ok_or(end)?;
        Ok((end..closing.start, closing.start + closing.length))
    }
}
