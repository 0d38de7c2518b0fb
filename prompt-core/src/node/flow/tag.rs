//! Tags of a text that is printed in one go.

use super::Flow;
use crate::node::DEEPEST_COLUMN;

impl<'f> Flow<'f> {
    /// The same for its tag.
    #[inline]
    pub(super) fn open_tag(&mut self, tag: &'f str) -> usize {
        let (depth, mut breaks) = (self.place.depth, self.owed);
        let follows = self.len() > self.place.start;
        if depth == 0 && follows {
            breaks = 2;
            self.owed = 0;
            self.buffer.push_str("\n\n<");
        } else if follows || breaks == 1 {
            breaks = 1;
            self.line::<false>(depth);
        } else {
            self.indentation(depth);
            self.buffer.push('<');
        }
        self.buffer.push_str(tag);
        self.names.push(tag);
        breaks
    }

    /// Prints what is owed, and the blanks before a tag in so many others.
    pub(super) fn indentation(&mut self, depth: u16) {
        self.flush();
        let columns = self.columns(depth);
        self.buffer.extend(std::iter::repeat_n(' ', columns));
    }

    /// Begins a tag in so many others on a line of its own. The usual ones are constants: a copy of known length is no
    /// call.
    #[inline]
    pub(super) fn line<const CLOSES: bool>(&mut self, depth: u16) {
        self.owed = 0;
        match (self.columns(depth), CLOSES) {
            (0, false) => self.buffer.push_str("\n<"),
            (0, true) => self.buffer.push_str("\n</"),
            (2, false) => self.buffer.push_str("\n  <"),
            (2, true) => self.buffer.push_str("\n  </"),
            (4, false) => self.buffer.push_str("\n    <"),
            (4, true) => self.buffer.push_str("\n    </"),
            (_, closes) => {
                self.owed = 1;
                self.indentation(depth);
                self.buffer.push_str(if closes { "</" } else { "<" });
            }
        }
    }

    /// How far a tag in so many others is indented.
    #[inline]
    fn columns(&self, depth: u16) -> usize {
        let columns = usize::from(depth).saturating_mul(self.indent);
        columns.min(DEEPEST_COLUMN)
    }

    /// How many tags stand in the text, each opened and closed.
    pub(crate) fn tags(&self) -> usize {
        self.names.len() - self.taken_back
    }

    /// The names of the tags that were opened.
    pub(crate) fn names(&self) -> Vec<&'f str> {
        self.names.iter().map(|tag| name(tag)).collect()
    }
}

/// The name of a tag that is noted as `"rules>\n"`, or without what stands behind the name.
#[inline]
pub(super) fn name(tag: &str) -> &str {
    tag.strip_suffix(">\n").unwrap_or(tag)
}
