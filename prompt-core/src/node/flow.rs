//! A text to which a tree is printed in one go: every section is asked and printed in the same step, with no outline in
//! between. That is right where nothing that stands further down changes what stands before it: no value decides how
//! something is shown, no text moves or stops, no tag is open but those of the style. Everything else goes through
//! outline and forms, with the same result.

use super::{
    DEEPEST_COLUMN, NodeInfo, Output, Plain, Prefix, SectionInfo, Title, trim_blank_lines,
};
use crate::error::PromptError;
use std::ops::Range;

/// Whether something was printed; boxed, because it nearly always was.
pub type Flowed = Result<(), Box<Failed>>;

/// A value that could not be printed.
pub struct Failed {
    error: PromptError,
    /// The keys of the sections around it, from the inside out.
    keys: Vec<&'static str>,
}

#[allow(clippy::unnecessary_box_returns, reason = "it nearly never is")]
impl Failed {
    #[cold]
    pub(super) fn new(info: &NodeInfo, index: usize) -> Box<Self> {
        Box::new(Self {
            error: info.failed(index),
            keys: Vec::new(),
        })
    }

    #[cold]
    pub(super) fn within(mut self: Box<Self>, info: &'static SectionInfo) -> Box<Self> {
        self.keys.push(&info.key);
        self
    }

    /// The error, with its place.
    pub(crate) fn into_error(mut self) -> PromptError {
        self.keys.reverse();
        self.error.at(|| self.keys.join("."))
    }
}

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
pub type Head = (&'static str, &'static str, u8);

/// The deepest level of a heading.
const DEEPEST: u16 = 6;

/// A section that was printed.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Seen {
    pub(crate) info: &'static SectionInfo,
    /// What it embeds says of itself.
    pub(crate) own: &'static Own,
    /// Position of the section around it, [`u32::MAX`] for none.
    pub(crate) parent: u32,
    /// One past the last section inside it.
    pub(crate) after: u32,
    /// Level of its heading, or of the place where its text stands.
    pub(crate) level: u8,
    /// Bytes of the text, heading or tag included.
    pub(crate) start: usize,
    pub(crate) end: usize,
    /// Where its heading, or its open tag, ends.
    pub(crate) body: usize,
}

/// Where sections are printed.
#[derive(Clone, Copy)]
pub(super) struct Place {
    /// What was printed when their node began.
    start: usize,
    /// The section around them.
    row: u32,
    /// Level of their headings.
    level: u16,
    /// Added to the levels that the text of their node speaks of.
    shift: u16,
    /// Tags that are open around them.
    depth: u16,
    /// Line breaks after a heading.
    under: u8,
    /// Blank lines between them, where their node says so.
    gap: Option<u8>,
}

/// A section that is open and may have to be taken back.
pub(super) struct Open {
    around: Place,
    before: usize,
    owed: usize,
    body: usize,
    row: u32,
    is_tag: bool,
    wraps: bool,
}

/// Takes a tree.
pub struct Flow<'b> {
    pub(crate) buffer: &'b mut String,
    /// Bytes that the buffer had.
    pub(crate) before: usize,
    is_xml: bool,
    /// Whether nothing is wanted but headings and words: neither tags nor a table.
    is_lean: bool,
    /// Columns by which a tag is indented for each open one.
    indent: usize,
    /// Line breaks before what comes next.
    owed: usize,
    place: Place,
    /// The sections, where somebody wants to know.
    pub(crate) seen: Option<&'b mut Vec<Seen>>,
    /// The first byte that depends on a value.
    prefix: Prefix,
    /// The tags that were opened, some with what stands behind the name.
    names: Vec<&'static str>,
    /// How many of them were taken back.
    taken_back: usize,
    /// Bytes of the buffer that values wrote, where tags stand among them.
    pub(crate) values: Vec<Range<usize>>,
}

impl<'b> Flow<'b> {
    /// Appends to `buffer`, at this level. In XML tags are indented by so many columns.
    pub(crate) fn new(
        buffer: &'b mut String,
        level: u8,
        indent: Option<usize>,
        sections: usize,
        seen: Option<&'b mut Vec<Seen>>,
    ) -> Self {
        let (level, tags) = (u16::from(level), indent.map_or(0, |_| sections));
        Self {
            before: buffer.len(),
            buffer,
            is_xml: indent.is_some(),
            is_lean: indent.is_none() && seen.is_none(),
            indent: indent.unwrap_or_default(),
            owed: 0,
            place: Place {
                level,
                shift: level - 1,
                depth: 0,
                row: u32::MAX,
                start: 0,
                under: 2,
                gap: None,
            },
            seen,
            prefix: Prefix::default(),
            names: Vec::with_capacity(tags),
            taken_back: 0,
            values: Vec::with_capacity(tags),
        }
    }

    #[inline]
    pub(crate) fn len(&self) -> usize {
        self.buffer.len() - self.before
    }

    /// What has been printed.
    pub(crate) fn text(&self) -> &str {
        self.buffer.get(self.before..).unwrap_or_default()
    }

    /// The first byte whose presence or content depends on a value.
    pub(crate) fn static_prefix(&self) -> usize {
        self.prefix.len(self.len())
    }

    pub(crate) fn is_xml(&self) -> bool {
        self.is_xml
    }

    /// Prints words of the author.
    ///
    /// # Errors
    /// None: it is like what prints values.
    #[inline]
    pub fn words(&mut self, text: &str) -> Flowed {
        self.write(text);
        Ok(())
    }

    #[inline]
    fn write(&mut self, text: &str) {
        self.flush();
        self.buffer.push_str(text);
    }

    /// Takes a text whose first value stands behind so many bytes.
    #[inline]
    pub(super) fn plain(&mut self, first: usize) -> Plain<'_> {
        self.flush();
        let first = self.len() + first;
        self.prefix.end.get_or_insert(first);
        let values = if self.is_xml {
            Some(&mut self.values)
        } else {
            None
        };
        Plain::new(self.buffer, values)
    }

    /// Prints a text that is a section.
    pub(super) fn block(&mut self, text: &str) {
        self.flush();
        let from = self.buffer.len();
        Output::new(self.buffer).push_str(text);
        trim_blank_lines(self.buffer, from, &mut Vec::new());
        let end = self.buffer.len();
        if self.is_xml && from < end {
            self.values.push(from..end);
        }
    }

    /// What a node says of the headings of its sections: their level in its text, whether they are tight, and the blank
    /// lines between them.
    pub fn headings(&mut self, level: u8, is_tight: bool, gap: Option<u8>) {
        self.place.level = u16::from(level) + self.place.shift;
        if is_tight {
            self.place.under = 1;
        }
        self.place.gap = gap;
    }

    /// From here on the text depends on a value; so does a heading or tag right before it that may be taken back.
    #[inline]
    pub fn depends(&mut self) {
        self.prefix.depends(self.len());
    }

    /// Whether nothing needs to be done where a usual section ends.
    #[inline]
    pub(super) fn is_lean(&self) -> bool {
        self.is_lean
    }

    /// Opens a section of which nothing is said but its title, and in which words follow at once: all of that stays. Here
    /// in XML, or where a table is wanted; else its heading is all. Gives its row.
    #[inline(never)]
    pub(super) fn open_noted(
        &mut self,
        head: &'static Head,
        info: &'static SectionInfo,
        own: &'static Own,
    ) -> u32 {
        let start = self.len();
        let (breaks, body) = if self.is_xml {
            (self.open_tag(head.1), self.len() - 1)
        } else {
            let breaks = self.heading(head);
            let under = 1 + usize::from(head.0.ends_with("\n\n"));
            (breaks, self.len() - under)
        };
        let level = self.place.level_of(head);
        self.enter(info, own, level, start + breaks..body)
    }

    /// Prints the heading of a usual section, and the line breaks before it; gives how many these are.
    #[inline(never)]
    pub(super) fn heading(&mut self, head: &'static Head) -> usize {
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

    /// The same for its tag.
    #[inline]
    fn open_tag(&mut self, tag: &'static str) -> usize {
        let (depth, mut breaks) = (self.place.depth, self.owed);
        let follows = self.len() > self.place.start;
        if depth == 0 && follows {
            breaks = 2;
            self.owed = 0;
            self.buffer.push_str("\n\n");
        } else if follows || breaks == 1 {
            breaks = 1;
            self.line(depth);
        } else {
            self.indentation(depth);
        }
        self.buffer.push('<');
        self.buffer.push_str(tag);
        self.names.push(tag);
        breaks
    }

    /// Closes it.
    #[inline(never)]
    pub(super) fn close_usual(&mut self, head: &'static Head, row: u32) {
        if self.is_xml {
            self.line(self.place.depth);
            self.buffer.push_str("</");
            let tag = head.1.get(..head.1.len() - 1);
            self.buffer.push_str(tag.unwrap_or_default());
        }
        self.leave(row);
    }

    /// What follows stands in a usual section; gives the place around it.
    #[inline]
    pub(super) fn go_into(&mut self, head: &'static Head, row: u32) -> Place {
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

    #[inline]
    pub(super) fn go_back(&mut self, around: Place) {
        self.place = around;
    }

    /// Opens a section: its heading or tag, and its introduction.
    #[inline(never)]
    pub(super) fn open(
        &mut self,
        info: &'static SectionInfo,
        own: &'static Own,
        wraps: bool,
    ) -> Open {
        let (around, before) = (self.place, self.len());
        if before > around.start {
            let gap = info.heading.gap.or(around.gap);
            let is_inside = self.is_xml && around.depth > 0;
            self.owed = 1 + gap.map_or(usize::from(!is_inside), usize::from);
        }
        let owed = self.owed;
        let level = info.heading.level;
        let level = level.map_or(around.level, |level| u16::from(level) + around.shift);
        // What it spans is known when it is closed.
        let row = self.enter(info, own, level, 0..0);
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
            before,
            owed,
            body,
            row,
            is_tag,
            wraps,
        }
    }

    /// Closes it. A tag goes where nothing stands in it, and so does a heading that is there for the sake of the sections
    /// under it.
    #[inline(never)]
    pub(super) fn close(&mut self, info: &'static SectionInfo, open: &Open) {
        self.place = open.around;
        let is_empty = self.len() == open.body;
        if is_empty && (open.is_tag || open.wraps) {
            self.buffer.truncate(self.before + open.before);
            self.owed = open.owed;
            self.taken_back += usize::from(open.is_tag);
        } else if open.is_tag {
            self.owed = 1;
            self.indentation(open.around.depth);
            for piece in ["</", &info.key, ">"] {
                self.buffer.push_str(piece);
            }
        }
        let len = self.len();
        let seen = self.seen.as_deref_mut();
        if let Some(seen) = seen.and_then(|seen| seen.get_mut(open.row as usize)) {
            seen.start = (open.before + open.owed).min(len);
            seen.body = open.body.clamp(seen.start, len);
        }
        self.leave(open.row);
    }

    /// Enters a section into the table, with the bytes of its heading or tag.
    #[inline]
    fn enter(
        &mut self,
        info: &'static SectionInfo,
        own: &'static Own,
        level: u16,
        head: Range<usize>,
    ) -> u32 {
        let parent = self.place.row;
        let Some(seen) = self.seen.as_deref_mut() else {
            return u32::MAX;
        };
        let row = u32::try_from(seen.len()).unwrap_or(u32::MAX);
        seen.push(Seen {
            info,
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
            let after = u32::try_from(seen.len()).unwrap_or(u32::MAX);
            if let Some(row) = seen.get_mut(row as usize) {
                (row.after, row.end) = (after, end);
            }
        }
    }

    #[inline]
    fn flush(&mut self) {
        if self.owed > 0 {
            self.flush_owed();
        }
    }

    #[inline(never)]
    fn flush_owed(&mut self) {
        let owed = std::mem::take(&mut self.owed);
        self.buffer.extend(std::iter::repeat_n('\n', owed));
    }

    /// Prints what is owed, and the blanks before a tag in so many others.
    fn indentation(&mut self, depth: u16) {
        self.flush();
        let columns = self.columns(depth);
        self.buffer.extend(std::iter::repeat_n(' ', columns));
    }

    /// Begins the line of a tag in so many others. The usual ones are constants: a copy of known length is no call.
    #[inline]
    fn line(&mut self, depth: u16) {
        self.owed = 0;
        match self.columns(depth) {
            0 => self.buffer.push('\n'),
            2 => self.buffer.push_str("\n  "),
            4 => self.buffer.push_str("\n    "),
            6 => self.buffer.push_str("\n      "),
            _ => {
                self.owed = 1;
                self.indentation(depth);
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
    pub(crate) fn names(&self) -> Vec<&'static str> {
        self.names.iter().map(|tag| name(tag)).collect()
    }
}

impl Place {
    /// The level of the heading of a usual section.
    #[inline]
    fn level_of(&self, head: &Head) -> u16 {
        self.shift + u16::from(head.2)
    }
}

/// The hashes of a heading, and the blank behind them.
fn marker(level: u16) -> &'static str {
    const DEEPEST_MARKER: &str = "###### ";
    let from = usize::from(DEEPEST.saturating_sub(level));
    DEEPEST_MARKER.get(from..).unwrap_or(DEEPEST_MARKER)
}

/// The name of a tag that is noted as `"rules>\n"`, or without what stands behind the name.
#[inline]
fn name(tag: &'static str) -> &'static str {
    tag.strip_suffix(">\n").unwrap_or(tag)
}
