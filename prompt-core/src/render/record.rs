//! The table of what was printed, filled during the walk.

use crate::{Location, Message, Role, ToolSpec, Visibility};
use std::borrow::Cow;

#[derive(Clone, Debug, Default)]
pub(crate) struct Record {
    pub(crate) entries: Vec<Entry>,
    /// Path of the owner, and the tool, in declaration order.
    pub(crate) tools: Vec<(String, ToolSpec)>,
    /// Whether a summary was shown.
    pub(crate) summarised: bool,
    /// The entry that is open now.
    pub(crate) open: Option<usize>,
}

/// A section, or an item of a list of nodes, that was printed.
#[derive(Clone, Debug)]
pub(crate) struct Entry {
    pub(crate) parent: Option<usize>,
    pub(crate) key: Cow<'static, str>,
    pub(crate) title: Cow<'static, str>,
    pub(crate) level: u8,
    pub(crate) visibility: Visibility,
    /// Bytes of the text, heading or tag included.
    pub(crate) start: usize,
    pub(crate) end: usize,
    pub(crate) location: Option<Location>,
    pub(crate) role: Option<Role>,
    pub(crate) cache: Option<u32>,
    pub(crate) volatile: bool,
    /// Effective priority: `None` is required.
    pub(crate) priority: Option<i32>,
    pub(crate) has_summary: bool,
    /// A list of nodes: its items have entries of their own.
    pub(crate) list: bool,
    /// Position among all sections that the walk met.
    pub(crate) ordinal: usize,
    pub(crate) messages: Option<Vec<Message>>,
}

impl Record {
    /// The dotted path of an entry.
    pub(crate) fn path(&self, index: usize) -> String {
        let mut keys: Vec<&str> = Vec::new();
        let mut at = Some(index);
        while let Some(entry) = at.and_then(|index| self.entries.get(index)) {
            keys.push(&entry.key);
            at = entry.parent;
        }
        keys.reverse();
        keys.join(".")
    }

    /// The path of the innermost entry around a byte of the text.
    pub(crate) fn path_at(&self, offset: usize) -> Option<String> {
        let around = |entry: &Entry| entry.start <= offset && offset < entry.end;
        self.entries.iter().rposition(around).map(|index| self.path(index))
    }
}
