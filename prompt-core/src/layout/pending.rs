//! White space, or a join, that is pending until something follows it.

use super::Page;
use prompt_syntax::Metadata;

/// Blank lines as text; of most gaps that is a part of this.
const LINES: &str = "\n\n\n\n\n\n\n\n";

/// White space, or a join, that is printed before what comes next.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Pending<'a> {
    /// The line before has ended.
    pub(super) ended: bool,
    /// Something came out empty since.
    pub(super) vanished: bool,
    /// Blank lines after it, or the words of a join.
    pub(super) rest: Rest<'a>,
}

/// A text that is pending. What had to be put together stands in the pool of the page, so that a point of the page, which
/// remembers what is pending there, is nothing but numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Rest<'a> {
    Words(&'a str),
    Pooled(usize),
}

impl Default for Rest<'_> {
    fn default() -> Self {
        Self::Words("")
    }
}

impl<'a> From<&'a str> for Rest<'a> {
    #[inline]
    fn from(words: &'a str) -> Self {
        Self::Words(words)
    }
}

impl Rest<'_> {
    /// What is pooled is never empty.
    #[inline]
    fn is_empty(self) -> bool {
        matches!(self, Self::Words(""))
    }
}

impl<'a> Page<'_, 'a> {
    /// Makes pending `gap` before the next print, instead of what was pending.
    #[inline]
    pub(crate) fn set_pending(&mut self, gap: impl Into<Rest<'a>>) {
        self.pending = Pending {
            rest: gap.into(),
            ..Pending::default()
        };
    }

    /// Makes pending a line break, and this many blank lines.
    pub(super) fn pending_lines(&mut self, blank: usize) {
        let lines = self.lines(blank + 1);
        self.set_pending(lines);
    }

    /// So many line breaks.
    #[inline]
    fn lines(&mut self, count: usize) -> Rest<'a> {
        match LINES.get(..count) {
            Some(lines) => Rest::Words(lines),
            None => self.pooled("\n".repeat(count)),
        }
    }

    fn pooled(&mut self, text: String) -> Rest<'a> {
        self.pool.push(text);
        Rest::Pooled(self.pool.len() - 1)
    }

    /// The blank lines before an element.
    #[inline]
    pub(super) fn blank_of(&mut self, before: &'a Metadata) -> Rest<'a> {
        if before.blanks.is_empty() {
            self.lines(before.blank_lines as usize)
        } else {
            Rest::Words(&before.blanks)
        }
    }

    #[inline]
    pub(super) fn has_pending(&self) -> bool {
        self.pending.ended || !self.pending.rest.is_empty()
    }

    /// The line before has ended, unless it came out empty.
    #[inline]
    pub(super) fn ended(&mut self, came_out_empty: bool) {
        if came_out_empty {
            self.pending.vanished = true;
        } else {
            self.pending = Pending {
                ended: true,
                ..Pending::default()
            };
        }
    }

    /// Blank lines follow. They take the place of those before something that came out empty.
    #[inline]
    pub(super) fn blank_lines(&mut self, lines: Rest<'a>) {
        if lines.is_empty() {
            return;
        }
        if self.pending.rest.is_empty() || self.pending.vanished {
            self.pending.rest = lines;
        } else {
            let both = [self.rest(self.pending.rest), self.rest(lines)].concat();
            self.pending.rest = self.pooled(both);
        }
        self.pending.vanished = false;
    }

    fn rest<'s>(&'s self, rest: Rest<'s>) -> &'s str {
        match rest {
            Rest::Words(words) => words,
            Rest::Pooled(at) => &self.pool[at],
        }
    }

    /// Something that would have stood here came out empty.
    #[inline]
    pub(crate) fn vanish(&mut self) {
        self.pending.vanished = true;
    }

    /// What is pending stands now.
    #[inline]
    pub(super) fn flush(&mut self) {
        if self.waiting > 0 || self.has_pending() || self.pending.vanished {
            self.flush_pending();
        }
    }

    #[inline(never)]
    fn flush_pending(&mut self) {
        let pending = std::mem::take(&mut self.pending);
        if pending.ended {
            self.buffer.push('\n');
        }
        match pending.rest {
            Rest::Words("") => {}
            // Of a length that is known, so that it is no call.
            Rest::Words("\n") => self.buffer.push('\n'),
            Rest::Words("\n\n") => self.buffer.push_str("\n\n"),
            Rest::Words(words) => self.buffer.push_str(words),
            Rest::Pooled(at) => self.buffer.push_str(&self.pool[at]),
        }
        if self.waiting > 0 {
            self.begin_sections();
        }
    }
}
