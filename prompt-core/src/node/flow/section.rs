//! Sections of a text that is printed in one go.

use super::{DEEPEST, Flow, Flowed, Place, tag::name};
use crate::node::{
    SectionInfo, Title,
    seen::{Listed, SeenSection},
};
use std::ops::Range;

/// What a node says of itself where it is embedded.
#[derive(Clone, Copy, Debug)]
pub struct Own {
    /// Its title.
    pub title: Option<&'static str>,
    /// Whether it has a short form.
    pub has_summary: bool,
}

impl Own {
    /// Nothing.
    pub const NONE: Self = Self {
        title: None,
        has_summary: false,
    };
}

/// A section of which nothing is said but its title: its heading at the deepest level with the line breaks under it
/// (`"###### Rules\n\n"`), its open tag without the `<` and with the line break behind it (`"rules>\n"`), and its level
/// in the text of the node. So each of them is one piece of a constant, whatever the level is.
pub type Head<'f> = (&'f str, &'f str, u8);

/// What a section embeds, as far as that is known before it is printed.
#[derive(Clone, Copy)]
pub(crate) struct Child {
    pub(crate) own: &'static Own,
    /// There are sections in it.
    pub(crate) wraps: bool,
    /// It begins with words.
    pub(crate) speaks: bool,
}

/// A section that is open and may have to be taken back.
struct Open<'f> {
    around: Place,
    before: usize,
    owed: usize,
    body: usize,
    row: u32,
    /// The tag it has.
    tag: Option<&'f str>,
    wraps: bool,
}

impl<'f> Flow<'f> {
    /// Prints a section of which nothing is said but its title, and in which words follow at once; `print` prints what it
    /// embeds.
    #[inline]
    pub(crate) fn usual(
        &mut self,
        head: &Head<'f>,
        listed: Listed,
        child: Child,
        print: impl FnOnce(&mut Self) -> Flowed,
    ) -> Flowed {
        let row = if self.is_lean {
            self.heading(head);
            u32::MAX
        } else {
            self.open_noted(head, listed, child.own)
        };
        let flowed = if child.wraps {
            let around = self.go_into(head, row);
            let flowed = print(self);
            self.place = around;
            flowed
        } else {
            print(self)
        };
        if !self.is_lean {
            self.close_usual(head, row);
        }
        flowed.map_err(|failed| failed.within(name(head.1)))
    }

    /// Prints the introduction of a usual section.
    pub(crate) fn introduction(&mut self, words: &str, child: Child) {
        self.write(words);
        self.owed = 2;
        if child.wraps {
            self.place.start = self.len();
        }
    }

    /// Prints any section.
    #[inline]
    pub(crate) fn section(
        &mut self,
        info: &'f SectionInfo,
        listed: Listed,
        child: Child,
        print: impl FnOnce(&mut Self) -> Flowed,
    ) -> Flowed {
        let open = self.open(info, listed, child);
        let flowed = print(self);
        self.close(&open);
        flowed.map_err(|failed| failed.within(&info.key))
    }

    /// Opens a section of which nothing is said but its title, and in which words follow at once: all of that stays. Here
    /// in XML, or where a table is wanted; else its heading is all. Gives its row.
    #[inline(never)]
    fn open_noted(&mut self, head: &Head<'f>, listed: Listed, own: &'static Own) -> u32 {
        let start = self.len();
        let (breaks, body) = if self.is_xml {
            (self.open_tag(head.1), self.len() - 1)
        } else {
            let breaks = self.heading(head);
            let under = 1 + usize::from(head.0.ends_with("\n\n"));
            (breaks, self.len() - under)
        };
        let level = self.place.level_of(head);
        self.enter(listed, own, level, start + breaks..body)
    }

    /// Prints the heading of a usual section, and the line breaks before it; gives how many these are.
    #[inline(never)]
    fn heading(&mut self, head: &Head<'_>) -> usize {
        let mut breaks = self.owed;
        if self.len() > self.place.start {
            breaks = 2;
            self.owed = 0;
            self.buffer.push_str("\n\n");
        } else {
            self.flush();
        }
        let hidden = DEEPEST.saturating_sub(self.place.level_of(head));
        let words = head.0.get(usize::from(hidden)..);
        self.buffer.push_str(words.unwrap_or_default());
        breaks
    }

    /// Closes it.
    #[inline(never)]
    fn close_usual(&mut self, head: &Head<'f>, row: u32) {
        if self.is_xml {
            self.line::<true>(self.place.depth);
            let tag = head.1.get(..head.1.len() - 1);
            self.buffer.push_str(tag.unwrap_or_default());
        }
        self.leave(row);
    }

    /// What follows stands in a usual section; gives the place around it.
    #[inline]
    fn go_into(&mut self, head: &Head<'f>, row: u32) -> Place {
        let (tags, headings) = if self.is_xml { (1, 0) } else { (0, 1) };
        let level = self.place.level_of(head) + headings;
        let inside = Place {
            start: self.len(),
            row,
            level,
            shift: level - 1,
            depth: self.place.depth + tags,
            under: 2,
            gap: None,
        };
        std::mem::replace(&mut self.place, inside)
    }

    /// Opens a section: its heading or tag, and its introduction.
    #[inline(never)]
    fn open(&mut self, info: &'f SectionInfo, listed: Listed, child: Child) -> Open<'f> {
        let (around, before) = (self.place, self.len());
        let Child { own, wraps, .. } = child;
        if before > around.start {
            let gap = info.heading.gap.or(around.gap);
            let is_inside = self.is_xml && around.depth > 0;
            self.owed = 1 + gap.map_or(usize::from(!is_inside), usize::from);
        }
        let owed = self.owed;
        let level = info.heading.level;
        let level = level.map_or(around.level, |level| u16::from(level) + around.shift);
        // What it spans is known when it is closed.
        let row = self.enter(listed, own, level, 0..0);
        let title = match &info.title {
            Title::Untitled(_) => None,
            Title::Explicit(title) => Some(title.literal.as_ref()),
            Title::Fallback(title) => Some(own.title.unwrap_or(title)),
        };
        let is_tag = self.is_xml && title.is_some();
        let mut inside = Place {
            level,
            row,
            under: 2,
            gap: None,
            ..around
        };
        if is_tag {
            self.indentation(around.depth);
            for piece in ["<", &info.key, ">"] {
                self.buffer.push_str(piece);
            }
            self.names.push(&info.key);
            self.owed = 1;
            inside.depth += 1;
        } else if let Some(title) = title {
            self.flush();
            self.buffer.push_str(marker(level));
            self.buffer.push_str(title);
            let under = if info.heading.tight { 1 } else { around.under };
            self.owed = usize::from(under);
            inside.level += 1;
        }
        let body = self.len();
        if is_tag || (wraps && title.is_some()) {
            self.prefix.tentative(before, body);
        }
        if !info.intro.literal.is_empty() {
            self.write(&info.intro.literal);
            self.owed = 2;
        }
        inside.shift = inside.level - 1;
        inside.start = self.len();
        self.place = inside;
        Open {
            around,
            tag: is_tag.then_some(info.key.as_ref()),
            before,
            owed,
            body,
            row,
            wraps,
        }
    }

    /// Closes it. A tag goes where nothing stands in it, and so does a heading that is there for the sake of the sections
    /// under it.
    #[inline(never)]
    fn close(&mut self, open: &Open<'f>) {
        self.place = open.around;
        let is_empty = self.len() == open.body;
        if is_empty && (open.tag.is_some() || open.wraps) {
            self.buffer.truncate(self.before + open.before);
            self.prefix.truncate(open.before);
            self.owed = open.owed;
            self.taken_back += usize::from(open.tag.is_some());
        } else if let Some(tag) = open.tag {
            self.owed = 1;
            self.indentation(open.around.depth);
            for piece in ["</", tag, ">"] {
                self.buffer.push_str(piece);
            }
        }
        let len = self.len();
        let seen = self.seen.as_deref_mut();
        if let Some(seen) = seen.and_then(|seen| seen.rows.get_mut(open.row as usize)) {
            seen.start = (open.before + open.owed).min(len);
            seen.body = open.body.clamp(seen.start, len);
        }
        self.leave(open.row);
    }

    /// Enters a section into the table, with the bytes of its heading or tag.
    #[inline]
    fn enter(&mut self, listed: Listed, own: &'static Own, level: u16, head: Range<usize>) -> u32 {
        let parent = self.place.row;
        let Some(seen) = self.seen.as_deref_mut() else {
            return u32::MAX;
        };
        let row = u32::try_from(seen.rows.len()).unwrap_or(u32::MAX);
        seen.rows.push(SeenSection {
            listed,
            own,
            parent,
            after: row,
            level: level.min(DEEPEST).to_le_bytes()[0],
            start: head.start,
            end: head.end,
            body: head.end,
        });
        row
    }

    /// What was printed so far is what a section, and those inside it, printed.
    #[inline]
    fn leave(&mut self, row: u32) {
        let end = self.len();
        if let Some(seen) = self.seen.as_deref_mut() {
            let after = u32::try_from(seen.rows.len()).unwrap_or(u32::MAX);
            if let Some(row) = seen.rows.get_mut(row as usize) {
                (row.after, row.end) = (after, end);
            }
        }
    }
}

impl Place {
    /// The level of the heading of a usual section.
    #[inline]
    fn level_of(&self, head: &Head<'_>) -> u16 {
        self.shift + u16::from(head.2)
    }
}

/// The hashes of a heading, and the blank behind them.
fn marker(level: u16) -> &'static str {
    const DEEPEST_MARKER: &str = "###### ";
    let from = usize::from(DEEPEST.saturating_sub(level));
    DEEPEST_MARKER.get(from..).unwrap_or(DEEPEST_MARKER)
}
