//! A text to which a tree is printed in one go: every section is asked and printed in the same step, with no outline in
//! between. That is right where nothing that stands further down changes what stands before it: no value decides how
//! something is shown, no text moves or stops, no tag is open but those of the style. Everything else goes through
//! outline and forms, with the same result.

use super::{
    DEEPEST_COLUMN, Extent, NodeInfo, Output, Plain, Prefix, SectionInfo, Title, holds,
    seen::{Declared, Listed, Seen, SeenSection},
    trim_blank_lines,
};
use crate::error::PromptError;
use std::{ops::Range, sync::Arc};

/// Whether something was printed; boxed, because it nearly always was.
pub type Flowed = Result<(), Box<Failed>>;

/// A value that could not be printed.
pub struct Failed {
    error: PromptError,
    /// The keys of the sections around it, from the inside out.
    keys: Vec<String>,
}

#[allow(clippy::unnecessary_box_returns, reason = "it nearly never is")]
impl Failed {
    #[cold]
    pub(crate) fn new(info: &NodeInfo, index: usize) -> Box<Self> {
        Box::new(Self {
            error: info.failed(index),
            keys: Vec::new(),
        })
    }

    /// The same, in the section with this key.
    #[cold]
    fn within(mut self: Box<Self>, key: &str) -> Box<Self> {
        self.keys.push(key.to_owned());
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
pub type Head<'f> = (&'f str, &'f str, u8);

/// The deepest level of a heading.
const DEEPEST: u16 = 6;

/// What a section embeds, as far as that is known before it is printed.
#[derive(Clone, Copy)]
pub(crate) struct Child {
    pub(crate) own: &'static Own,
    /// There are sections in it.
    pub(crate) wraps: bool,
    /// It begins with words.
    pub(crate) speaks: bool,
}

/// Where sections are printed.
#[derive(Clone, Copy)]
struct Place {
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

/// Takes a tree.
pub struct Flow<'f> {
    pub(crate) buffer: &'f mut String,
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
    pub(crate) seen: Option<&'f mut Seen>,
    /// The first byte that depends on a value.
    prefix: Prefix,
    /// The tags that were opened, some with what stands behind the name.
    names: Vec<&'f str>,
    /// How many of them were taken back.
    taken_back: usize,
    /// Bytes of the buffer that values wrote, where tags stand among them.
    pub(crate) values: Vec<Range<usize>>,
}

impl<'f> Flow<'f> {
    /// Appends to `buffer`, at this level. In XML tags are indented by so many columns.
    pub(crate) fn new(
        buffer: &'f mut String,
        level: u8,
        indent: Option<usize>,
        extent: &Extent,
        mut seen: Option<&'f mut Seen>,
    ) -> Self {
        let (level, tags) = (u16::from(level), indent.map_or(0, |_| extent.sections));
        if let Some(seen) = seen.as_deref_mut() {
            seen.rows.reserve_exact(extent.sections);
        }
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
    pub(crate) fn plain(&mut self, first: usize) -> Plain<'_> {
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
    pub(crate) fn block(&mut self, text: &str) {
        self.flush();
        let from = self.buffer.len();
        Output::new(self.buffer).push_str(text);
        trim_blank_lines(self.buffer, from, &mut Vec::new());
        let end = self.buffer.len();
        if self.is_xml && from < end {
            self.values.push(from..end);
        }
    }

    /// Where the sections of a node that was made at run time are declared.
    pub(crate) fn built(&mut self, info: &Arc<NodeInfo>) -> Declared {
        let seen = self.seen.as_deref_mut();
        seen.map_or(Declared::Built(u32::MAX), |seen| seen.keep(info))
    }

    /// Prints texts that are a section together: a bullet each, but for blank ones.
    pub(crate) fn bullets<T: AsRef<str>>(&mut self, texts: impl IntoIterator<Item = T>) {
        let mut before = "- ";
        for text in texts {
            let text = text.as_ref();
            if text.trim().is_empty() {
                continue;
            }
            self.write(before);
            before = "\n- ";
            let from = self.buffer.len();
            Output::new(self.buffer).push_str(text);
            if self
                .buffer
                .get(from..)
                .is_some_and(|text| holds(text, b'\n'))
            {
                self.hang(from);
            }
            if self.is_xml {
                self.values.push(from..self.buffer.len());
            }
        }
    }

    /// The lines of a bullet stand under its first one.
    #[cold]
    fn hang(&mut self, from: usize) {
        trim_blank_lines(self.buffer, from, &mut Vec::new());
        let text = self.buffer.split_off(from);
        for (number, line) in text.split_inclusive('\n').enumerate() {
            if number > 0 && line != "\n" {
                self.buffer.push_str("  ");
            }
            self.buffer.push_str(line);
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

    /// The same for its tag.
    #[inline]
    fn open_tag(&mut self, tag: &'f str) -> usize {
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

    /// Begins a tag in so many others on a line of its own. The usual ones are constants: a copy of known length is no
    /// call.
    #[inline]
    fn line<const CLOSES: bool>(&mut self, depth: u16) {
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

/// The name of a tag that is noted as `"rules>\n"`, or without what stands behind the name.
#[inline]
fn name(tag: &str) -> &str {
    tag.strip_suffix(">\n").unwrap_or(tag)
}
