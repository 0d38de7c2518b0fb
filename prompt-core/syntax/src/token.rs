//! Markers of conditions and loops as they stand in a text, and which of them are open while it is read.

use crate::{
    Form,
    brace::{Inside, Reference, TokenKind, inside},
    lines::{quote_head, without_trail},
};
use alloc::{collections::BTreeSet, format, string::String, vec::Vec};
use core::ops::Range;

/// Words with which conditions and loops of other template languages begin.
pub(crate) const FOREIGN: [&str; 10] = [
    "if", "unless", "for", "foreach", "each", "while", "with", "loop", "range", "switch",
];

/// A marker of a condition or loop.
#[derive(Debug)]
pub(crate) struct Token<'t> {
    pub(crate) kind: TokenKind<'t>,
    /// What it asks or goes through; empty for an `{else}`.
    pub(crate) name: &'t str,
    /// The fields of it, each with its dot.
    pub(crate) path: &'t str,
    pub(crate) range: Range<usize>,
    pub(crate) line: Range<usize>,
    /// Where what is opened here can be closed: the text, a heading, a fence, inline code.
    pub(crate) scope: Range<usize>,
    /// Where it must be closed within: its paragraph, heading, or line of code.
    pub(crate) limit: usize,
    pub(crate) standing: Standing,
    pub(crate) is_code: bool,
    pub(crate) naming: Naming,
}

/// What is known of the name in a marker.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Naming {
    /// Whether what it asks is known, if it opens something.
    pub(crate) is_known: bool,
    /// It is no marker, and has been reported: it stands for what it was meant to be.
    pub(crate) is_slip: bool,
    /// The loop around that its name belongs to.
    pub(crate) in_loop: Option<Scoped>,
}

impl Naming {
    pub(crate) const KNOWN: Self = Self {
        is_known: true,
        is_slip: false,
        in_loop: None,
    };
    pub(crate) const SLIP: Self = Self {
        is_known: false,
        is_slip: true,
        in_loop: None,
    };
}

/// How a marker stands in its line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Standing {
    Alone,
    /// First on its line, after indentation, list marker and other openers; whether nothing comes behind it.
    Head {
        is_last: bool,
    },
    Inside,
}

impl Token<'_> {
    pub(crate) fn is_ended_by(&self, end: &Self) -> bool {
        let is_word = matches!(self.kind, TokenKind::Foreign { word, .. } if word == end.name);
        is_word || (self.name, self.path) == (end.name, end.path)
    }

    /// Whether it is a condition on a section.
    pub(crate) fn asks_section(&self, section: &str) -> bool {
        matches!(self.kind, TokenKind::If { .. })
            && (self.name, self.path) == (section, "")
            && self.naming.in_loop.is_none()
    }

    pub(crate) fn end_marker(&self) -> String {
        format!("{{/{}{}}}", self.name, self.path)
    }
}

/// A condition or loop that has not been closed.
#[derive(Debug)]
pub(crate) struct OpenBranch<'t> {
    /// The marker that opened it.
    pub(crate) token: usize,
    pub(crate) form: Form,
    pub(crate) limit: usize,
    pub(crate) scope_end: usize,
    /// Its `{else}`.
    pub(crate) branch: Option<usize>,
    /// It has been reported: what belongs to it is passed over.
    pub(crate) is_broken: bool,
    /// Of a loop, what its item is called beside `item`; `None` of a condition, and of a loop that is text.
    pub(crate) alias: Option<&'t str>,
}

/// The state of the resolver, a part of what is found in a text.
#[derive(Debug, Default)]
pub(crate) struct Resolver<'t> {
    /// The form of each marker; `None` of one that is text.
    pub(crate) forms: Vec<Option<Form>>,
    /// Inner scopes stand behind outer ones. A condition reaches no further than an inline one around it, so that those
    /// that have ended are always the last.
    pub(crate) open: Vec<OpenBranch<'t>>,
    /// Whether there has been a condition or loop, known or of another template language.
    pub(crate) has_blocks: bool,
    /// How many blocks of other template languages are open that are text, for they hold no known name.
    pub(crate) other_blocks: usize,
    /// Whether what is read stands in a fence that never closes.
    pub(crate) is_in_open_fence: bool,
    /// What was opened before that fence and has its end in it.
    pub(crate) ended_in_fence: BTreeSet<usize>,
    /// Markers are nested too deep: all that follow are text.
    pub(crate) is_too_deep: bool,
    /// The marker that ended with its line last.
    pub(crate) ended: Option<usize>,
    /// Where names of its item stand behind it.
    pub(crate) behind_ended: Vec<usize>,
    /// Where problems stand that a later one explains.
    pub(crate) explained: BTreeSet<usize>,
    /// The phrase without an end that was reported last, and the number of the problem.
    pub(crate) unclosed: Option<(usize, usize)>,
}

/// What a name stands for in an open loop.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Scoped {
    /// The number of the marker that opened the loop.
    pub(crate) token: usize,
    pub(crate) name: LoopName,
}

impl Scoped {
    /// What a variable stands for whose first name this is.
    pub(crate) fn of(self, reference: Reference<'_>) -> Self {
        let place = place_of_item(reference.name, reference.path.strip_prefix('.'));
        let name = place.filter(|_| self.name == LoopName::Item);
        Self {
            name: name.unwrap_or(self.name),
            ..self
        }
    }
}

/// `{dock.index}` and `{dock.index0}` are the number of a loop `{*docks as dock}`, whose `index` an inner loop hides.
pub(crate) fn place_of_item(name: &str, path: Option<&str>) -> Option<LoopName> {
    match path {
        Some("index") if name != "item" => Some(LoopName::Index),
        Some("index0") if name != "item" => Some(LoopName::Index0),
        _ => None,
    }
}

/// The names that a text about an item of a list has besides.
#[doc(hidden)]
pub const ITEM_NAMES: [&str; 3] = ["item", "index", "index0"];

/// What a word stands for in a loop; only conditions ask for the first and the last item.
pub(crate) fn loop_name(word: &str, is_asked: bool) -> Option<LoopName> {
    match word {
        "item" => Some(LoopName::Item),
        "index" => Some(LoopName::Index),
        "index0" => Some(LoopName::Index0),
        "first" if is_asked => Some(LoopName::First),
        "last" if is_asked => Some(LoopName::Last),
        _ => None,
    }
}

/// What a name inside a loop stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum LoopName {
    /// The item: `item`, or what `as` calls it.
    Item,
    /// `index`: the number of the item, from 1.
    Index,
    /// `index0`: the same from 0.
    Index0,
    /// `first`: whether it is the first.
    First,
    /// `last`: whether it is the last.
    Last,
}

/// The marker that a line consists of, in a quote or not.
pub(crate) fn marker(line: &str) -> Option<TokenKind<'_>> {
    let content = line.get(quote_head(line)..)?;
    let inner = without_trail(content.strip_prefix('{')?);
    let kind = match inner.bytes().next()? {
        b'?' | b'*' | b'/' | b'e' => inside(inner),
        _ => return None,
    };
    match kind {
        (Inside::Marker { kind, .. }, length) => (length + 1 == inner.len()).then_some(kind),
        _ => None,
    }
}
