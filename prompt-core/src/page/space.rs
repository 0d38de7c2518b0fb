//! The white space before the next line of a text.

/// So many line breaks.
const BREAKS: &str = "\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n";

/// What stands between two lines: blank lines that wait for the next one.
#[derive(Default)]
pub(super) struct Space<'a> {
    /// What stands before the first line.
    first: &'static str,
    pub(super) is_started: bool,
    blank: u32,
    /// The blank lines in order, where one of them holds blanks.
    odd: Vec<Odd<'a>>,
    /// Something before it is gone.
    pub(super) is_gone: bool,
}

enum Odd<'a> {
    Lines(&'a str),
    Breaks(u32),
}

impl<'a> Space<'a> {
    /// Something begins, before whose first line this stands.
    #[inline]
    pub(super) fn begin(&mut self, first: &'static str) {
        self.clear();
        self.first = first;
        self.is_started = false;
        self.is_gone = false;
    }

    /// Something was printed: nothing waits.
    #[inline]
    pub(super) fn go_on(&mut self) {
        self.clear();
        self.is_started = true;
        self.is_gone = false;
    }

    #[inline]
    pub(super) fn clear(&mut self) {
        self.blank = 0;
        if !self.odd.is_empty() {
            self.odd.clear();
        }
    }

    /// So many blank lines, whatever waits.
    #[inline]
    pub(super) fn set(&mut self, blank: u32) {
        self.clear();
        self.blank = blank;
        self.is_gone = false;
    }

    /// Something ends: what is gone at its end takes the blank lines before it along.
    pub(super) fn end(&mut self) {
        if self.is_gone {
            self.clear();
        }
    }

    /// Blank lines take the place of those before what is gone.
    #[inline]
    pub(super) fn blank(&mut self, count: u32) {
        if std::mem::take(&mut self.is_gone) {
            self.clear();
        }
        if self.odd.is_empty() {
            self.blank += count;
        } else {
            self.odd.push(Odd::Breaks(count));
        }
    }

    pub(super) fn blanks(&mut self, lines: &'a str) {
        self.blank(0);
        if self.blank > 0 {
            let before = std::mem::take(&mut self.blank);
            self.odd.push(Odd::Breaks(before));
        }
        self.odd.push(Odd::Lines(lines));
    }

    #[inline]
    pub(super) fn line_break(&mut self, out: &mut String) {
        if !self.is_started {
            out.push_str(self.first);
            self.is_started = true;
        } else if self.odd.is_empty() {
            match self.blank {
                0 => out.push('\n'),
                1 => out.push_str("\n\n"),
                count => push_breaks(out, count + 1),
            }
        } else {
            out.push('\n');
            for lines in &self.odd {
                match lines {
                    Odd::Lines(lines) => out.push_str(lines),
                    Odd::Breaks(count) => push_breaks(out, *count),
                }
            }
        }
        self.clear();
        self.is_gone = false;
    }
}

fn push_breaks(out: &mut String, count: u32) {
    match BREAKS.get(..count as usize) {
        Some(breaks) => out.push_str(breaks),
        None => out.extend(std::iter::repeat_n('\n', count as usize)),
    }
}
