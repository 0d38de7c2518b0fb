//! A text to which a tree is printed in one go: every section is asked and printed in the same step, with no outline in
//! between. That is right where nothing that stands further down changes what stands before it: no value decides how
//! something is shown, no text moves or stops, no tag is open but those of the style. Everything else goes through
//! outline and forms, with the same result.

pub(super) mod section;
mod tag;

use super::{
    Extent, NodeInfo, Output, Plain, Prefix, holds,
    seen::{Declared, Seen},
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

/// The deepest level of a heading.
const DEEPEST: u16 = 6;

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
            let printed = self.buffer.get(from..).unwrap_or_default();
            if holds(printed, b'\n') {
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
}
