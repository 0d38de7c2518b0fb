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

/// A section of which nothing is said but its title: its heading with the line breaks under it (`"Rules\n\n"`), its open
/// tag with the line break behind it (`"<rules>\n"`), and its level in the text of the node.
pub type Head = (&'static str, &'static str, u8);

/// A section that was printed.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Seen {
    pub(crate) info: &'static SectionInfo,
    /// What it embeds says of itself.
    pub(crate) own: Own,
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
    /// Level of their headings.
    level: u32,
    /// Added to the levels that the text of their node speaks of.
    shift: u32,
    /// Tags that are open around them.
    depth: u32,
    /// The section around them.
    row: u32,
    /// Line breaks after a heading.
    under: u8,
    /// Blank lines between them, where their node says so.
    gap: Option<u8>,
}

/// What is known of the type of what a section embeds.
#[derive(Clone, Copy)]
pub(super) struct Kind {
    pub(super) own: Own,
    /// There are sections in it.
    pub(super) wraps: bool,
    /// It begins with words.
    pub(super) speaks: bool,
}

/// A section that is open.
pub(super) enum Open {
    /// Under a heading, with words and nothing else in it.
    Leaf { row: u32 },
    /// Under a heading, or in a tag, with words in it. All of that stays.
    Firm { around: Place, row: u32 },
    /// Any other. It may have to be taken back.
    Loose(Loose),
}

pub(super) struct Loose {
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
    /// Columns by which a tag is indented for each open one.
    indent: usize,
    /// Line breaks before what comes next.
    owed: usize,
    place: Place,
    /// The sections, where somebody wants to know.
    pub(crate) seen: Option<&'b mut Vec<Seen>>,
    /// The first byte that depends on a value.
    prefix: Prefix,
    /// The tags that were opened.
    pub(crate) names: Vec<&'static str>,
    /// How many of them were taken back.
    pub(crate) taken_back: usize,
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
        let (level, tags) = (u32::from(level), indent.map_or(0, |_| sections));
        Self {
            before: buffer.len(),
            buffer,
            is_xml: indent.is_some(),
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
        let mut ranges = Vec::new();
        if self.is_xml {
            Output::tracking(self.buffer, &mut ranges).push_str(text);
        } else {
            Output::new(self.buffer).push_str(text);
        }
        trim_blank_lines(self.buffer, from, &mut ranges);
        self.values.append(&mut ranges);
    }

    /// What a node says of the headings of its sections: their level in its text, whether they are tight, and the blank
    /// lines between them.
    pub fn headings(&mut self, level: u8, is_tight: bool, gap: Option<u8>) {
        self.place.level = u32::from(level) + self.place.shift;
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

    /// Opens a section of which nothing is said but its title.
    pub(super) fn open_usual(
        &mut self,
        head: &'static Head,
        info: &'static SectionInfo,
        kind: &Kind,
    ) -> Open {
        if self.is_xml || self.seen.is_some() || !kind.speaks || kind.own.title.is_some() {
            return self.open_noted(head, info, kind);
        }
        let (words, _, level) = *head;
        let level = u32::from(level) + self.place.shift;
        if self.len() > self.place.start {
            self.owed = 2;
        }
        self.marker(level);
        self.buffer.push_str(words);
        let row = u32::MAX;
        if kind.wraps {
            let around = self.go_into(level + 1, 0, row);
            return Open::Firm { around, row };
        }
        Open::Leaf { row }
    }

    /// The same in XML, or where a table is wanted, or where what is printed may have to be taken back.
    #[inline(never)]
    fn open_noted(&mut self, head: &'static Head, info: &'static SectionInfo, kind: &Kind) -> Open {
        if !kind.speaks || (kind.own.title.is_some() && !self.is_xml) {
            return self.open(info, kind);
        }
        let (words, tag, level) = *head;
        let level = u32::from(level) + self.place.shift;
        if self.len() > self.place.start {
            self.owed = 1 + usize::from(!self.is_xml || self.place.depth == 0);
        }
        let row = self.enter(info, kind.own, level);
        let start = self.len() + self.owed;
        if self.is_xml {
            self.indentation(self.place.depth);
            self.buffer.push_str(tag);
            self.names.push(name(tag));
        } else {
            self.marker(level);
            self.buffer.push_str(words);
        }
        if self.seen.is_some() {
            let printed = if self.is_xml { tag } else { words };
            let breaks = printed.len() - printed.trim_end_matches('\n').len();
            self.begins(row, start, self.len() - breaks);
        }
        let around = if self.is_xml {
            self.go_into(level, 1, row)
        } else {
            self.go_into(level + 1, 0, row)
        };
        Open::Firm { around, row }
    }

    /// What follows stands in a section, and in so many tags more.
    #[inline]
    fn go_into(&mut self, level: u32, tags: u32, row: u32) -> Place {
        let inside = Place {
            start: self.len(),
            level,
            shift: level - 1,
            depth: self.place.depth + tags,
            row,
            under: 2,
            gap: None,
        };
        std::mem::replace(&mut self.place, inside)
    }

    /// Opens a section: its heading or tag, and its introduction.
    pub(super) fn open(&mut self, info: &'static SectionInfo, kind: &Kind) -> Open {
        let Kind { own, wraps, .. } = *kind;
        let (around, before) = (self.place, self.len());
        if before > around.start {
            let gap = info.heading.gap.or(around.gap);
            let is_inside = self.is_xml && around.depth > 0;
            self.owed = 1 + gap.map_or(usize::from(!is_inside), usize::from);
        }
        let owed = self.owed;
        let level = info.heading.level;
        let level = level.map_or(around.level, |level| u32::from(level) + around.shift);
        let row = self.enter(info, own, level);
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
            self.marker(level);
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
        Open::Loose(Loose {
            around,
            before,
            owed,
            body,
            row,
            is_tag,
            wraps,
        })
    }

    /// Closes a section.
    pub(super) fn close(&mut self, info: &'static SectionInfo, open: Open) {
        let row = match open {
            Open::Leaf { row } => row,
            Open::Firm { around, row } => {
                self.place = around;
                if self.is_xml {
                    self.close_tag(&info.key, around.depth);
                }
                row
            }
            Open::Loose(loose) => {
                self.close_loose(&info.key, &loose);
                loose.row
            }
        };
        if let Some(seen) = self.seen.as_deref_mut() {
            let after = u32::try_from(seen.len()).unwrap_or(u32::MAX);
            if let Some(row) = seen.get_mut(row as usize) {
                row.after = after;
                row.end = self.buffer.len() - self.before;
            }
        }
    }

    /// A tag goes where nothing stands in it, and a heading that is there for the sake of the sections under it.
    fn close_loose(&mut self, key: &'static str, loose: &Loose) {
        self.place = loose.around;
        let is_empty = self.len() == loose.body;
        if is_empty && (loose.is_tag || loose.wraps) {
            self.buffer.truncate(self.before + loose.before);
            self.owed = loose.owed;
            self.taken_back += usize::from(loose.is_tag);
        } else if loose.is_tag {
            self.close_tag(key, loose.around.depth);
        }
        let len = self.len();
        let start = (loose.before + loose.owed).min(len);
        self.begins(loose.row, start, loose.body.clamp(start, len));
    }

    /// Enters a section into the table.
    fn enter(&mut self, info: &'static SectionInfo, own: Own, level: u32) -> u32 {
        let Some(seen) = self.seen.as_deref_mut() else {
            return u32::MAX;
        };
        let row = u32::try_from(seen.len()).unwrap_or(u32::MAX);
        seen.push(Seen {
            info,
            own,
            parent: self.place.row,
            after: row,
            level: u8::try_from(level.clamp(1, 6)).unwrap_or(6),
            start: 0,
            end: 0,
            body: 0,
        });
        row
    }

    /// Where a section begins, and what stands in it.
    fn begins(&mut self, row: u32, start: usize, body: usize) {
        let seen = self.seen.as_deref_mut();
        if let Some(seen) = seen.and_then(|seen| seen.get_mut(row as usize)) {
            (seen.start, seen.body) = (start, body);
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

    /// Prints what is owed, and the hashes of a heading.
    #[inline]
    fn marker(&mut self, level: u32) {
        const MARKERS: [[&str; 6]; 3] = [
            ["# ", "## ", "### ", "#### ", "##### ", "###### "],
            [
                "\n# ",
                "\n## ",
                "\n### ",
                "\n#### ",
                "\n##### ",
                "\n###### ",
            ],
            [
                "\n\n# ",
                "\n\n## ",
                "\n\n### ",
                "\n\n#### ",
                "\n\n##### ",
                "\n\n###### ",
            ],
        ];
        if self.owed >= MARKERS.len() {
            self.flush_owed();
        }
        let level = level.clamp(1, 6) as usize - 1;
        self.buffer.push_str(MARKERS[self.owed][level]);
        self.owed = 0;
    }

    #[inline]
    fn close_tag(&mut self, name: &str, depth: u32) {
        self.owed = 1;
        self.indentation(depth);
        self.buffer.push_str("</");
        self.buffer.push_str(name);
        self.buffer.push('>');
    }

    /// Prints what is owed, and the blanks before a tag in so many others.
    #[inline]
    fn indentation(&mut self, depth: u32) {
        /// The most line breaks that are owed before a tag, mostly.
        const BREAKS: usize = 2;
        const SPACE: &str = "\n\n                        ";
        let columns = (depth as usize)
            .saturating_mul(self.indent)
            .min(DEEPEST_COLUMN);
        let from = BREAKS.checked_sub(self.owed);
        if let Some(space) = from.and_then(|from| SPACE.get(from..BREAKS + columns)) {
            self.buffer.push_str(space);
            self.owed = 0;
        } else {
            self.flush();
            self.buffer.extend(std::iter::repeat_n(' ', columns));
        }
    }
}

/// The name in `"<rules>\n"`.
fn name(tag: &'static str) -> &'static str {
    tag.get(1..tag.len() - 2).unwrap_or_default()
}
