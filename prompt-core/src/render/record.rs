//! The table of what was printed, filled during the walk.

use crate::message::Message;
use crate::message::Role;
use crate::node::Location;
use crate::tool::ToolSpec;
use crate::visibility::Visibility;
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
    /// The tags that were opened, where they are wanted.
    pub(crate) tags: Option<Vec<Tag>>,
}

/// A tag that was opened.
#[derive(Clone, Debug)]
pub(crate) struct Tag {
    pub(crate) name: String,
    /// How many tags are open around it.
    pub(crate) depth: usize,
    /// The section it belongs to; `None` for the root.
    pub(crate) entry: Option<usize>,
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
        self.entries
            .iter()
            .rposition(around)
            .map(|index| self.path(index))
    }

    /// The text of each section without its subsections, and that of the root. Together they are the whole text.
    pub(crate) fn fragments(&self, text: &str) -> (Vec<String>, String) {
        let mut fragments = vec![String::new(); self.entries.len()];
        let mut base = String::new();
        let mut at = 0;
        let mut open: Option<usize> = None;
        let mut take = |owner: Option<usize>, to: usize| {
            let piece = text.get(at..to).unwrap_or_default();
            at = at.max(to);
            match owner.and_then(|owner| fragments.get_mut(owner)) {
                Some(fragment) => fragment.push_str(piece),
                None => base.push_str(piece),
            }
        };
        for (index, entry) in self.entries.iter().enumerate() {
            while open != entry.parent {
                let Some(closing) = open.and_then(|open| self.entries.get(open)) else {
                    break;
                };
                take(open, closing.end);
                open = closing.parent;
            }
            take(entry.parent, entry.start);
            open = Some(index);
        }
        while let Some(closing) = open.and_then(|open| self.entries.get(open)) {
            take(open, closing.end);
            open = closing.parent;
        }
        take(None, text.len());
        (fragments, base)
    }
}
