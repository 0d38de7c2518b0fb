//! White space, or a join, that is owed until something follows it.

use super::Page;
use prompt_syntax::Metadata;

/// Blank lines as text; of most gaps that is a part of this.
const LINES: &str = "\n\n\n\n\n\n\n\n";

/// White space, or a join, that is printed before what comes next.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Owed<'a> {
    /// The line before has ended.
    pub(super) ended: bool,
    /// Something came out empty since.
    pub(super) vanished: bool,
    /// Blank lines after it, or the words of a join.
    pub(super) rest: Rest<'a>,
}

/// A text that is owed. What had to be put together stands in the pool of the page, so that a point of the page, which
/// remembers what is owed there, is nothing but numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Rest<'a> {
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
    /// Owes `gap` before the next print, instead of what was owed.
    #[inline]
    pub(super) fn owe(&mut self, gap: impl Into<Rest<'a>>) {
        self.owed = Owed {
            rest: gap.into(),
            ..Owed::default()
        };
    }

    /// Owes a line break, and this many blank lines.
    pub(super) fn owe_lines(&mut self, blank: usize) {
        let lines = self.lines(blank + 1);
        self.owe(lines);
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
    pub(super) fn owes(&self) -> bool {
        self.owed.ended || !self.owed.rest.is_empty()
    }

    /// The line before has ended, unless it came out empty.
    #[inline]
    pub(super) fn ended(&mut self, came_out_empty: bool) {
        if came_out_empty {
            self.owed.vanished = true;
        } else {
            self.owed = Owed {
                ended: true,
                ..Owed::default()
            };
        }
    }

    /// Blank lines follow. They take the place of those before something that came out empty.
    #[inline]
    pub(super) fn blank_lines(&mut self, lines: Rest<'a>) {
        if lines.is_empty() {
            return;
        }
        if self.owed.rest.is_empty() || self.owed.vanished {
            self.owed.rest = lines;
        } else {
            let both = [self.rest(self.owed.rest), self.rest(lines)].concat();
            self.owed.rest = self.pooled(both);
        }
        self.owed.vanished = false;
    }

    fn rest<'s>(&'s self, rest: Rest<'s>) -> &'s str {
        match rest {
            Rest::Words(words) => words,
            Rest::Pooled(at) => &self.pool[at],
        }
    }

    /// Something that would have stood here came out empty.
    #[inline]
    pub(super) fn vanish(&mut self) {
        self.owed.vanished = true;
    }

    /// What is owed stands now.
    #[inline]
    pub(super) fn settle(&mut self) {
        if self.waiting > 0 || self.owes() || self.owed.vanished {
            self.settle_owed();
        }
    }

    fn settle_owed(&mut self) {
        let owed = std::mem::take(&mut self.owed);
        if owed.ended {
            self.buffer.push('\n');
        }
        match owed.rest {
            Rest::Words(words) => self.buffer.push_str(words),
            Rest::Pooled(at) => self.buffer.push_str(&self.pool[at]),
        }
        if self.waiting > 0 {
            self.begin_sections();
        }
    }
}
