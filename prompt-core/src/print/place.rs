//! Where the walk is: the section that is open, and what it passes on to what is in it.

use crate::errors::PromptError;
use crate::layout::{Look, Numbering, RowId, Treatment};
use crate::node::Visibility;
use crate::node::{Guarding, HasType, Node, NodeInfo, SectionKeys, Text};
use prompt_syntax::Inline;
use std::borrow::Cow;

/// What went wrong, behind a pointer: results are handed on at each level of the tree, and levels have to be small.
pub(super) type Fault = Box<PromptError>;

pub(super) type Done = Result<(), Fault>;

/// A section, or an item of a list, in which the walk is.
pub(super) struct Place<'p> {
    pub(super) around: Option<&'p Place<'p>>,
    pub(super) key: &'p str,
    /// Its row, where rows are noted or known.
    pub(super) row: Option<RowId>,
    pub(super) depth: u32,
    pub(super) declared: Visibility,
    /// How long it is kept.
    pub(super) priority: Option<i32>,
}

impl<'p> Place<'p> {
    pub(super) fn new(around: Option<&'p Place<'p>>, key: &'p str) -> Self {
        Self {
            around,
            key,
            row: None,
            depth: around.map_or(0, |around| around.depth) + 1,
            declared: Visibility::Full,
            priority: around.and_then(|around| around.priority),
        }
    }

    /// Writes its dotted path.
    pub(super) fn write(&self, out: &mut String) {
        if let Some(around) = self.around {
            around.write(out);
            out.push('.');
        }
        out.push_str(self.key);
    }
}

/// The dotted path of a place; that of the root is empty.
#[cold]
pub(super) fn path(place: Option<&Place<'_>>) -> String {
    let mut path = String::new();
    if let Some(place) = place {
        place.write(&mut path);
    }
    path
}

/// What a place passes on to what is in it.
#[derive(Clone, Copy, Default)]
pub(super) struct Context<'a> {
    /// Form of the headings.
    pub(super) heading: Option<&'a Text>,
    /// Wording of the summary suffix.
    pub(super) suffix: Option<&'a Text>,
    /// Level of the headings.
    pub(super) level: i32,
    /// Tags that are open around them.
    pub(super) depth: usize,
    /// Columns by which a tag is indented for each open one.
    pub(super) indent: usize,
    pub(super) guarding: Guarding,
    pub(super) is_untrusted: bool,
    pub(super) is_numbered: bool,
    /// Whether they are counted where they stand: the section around them has no heading.
    pub(super) is_counted: bool,
    pub(super) is_tight: bool,
}

impl<'a> Context<'a> {
    pub(super) fn of(look: &Look) -> Self {
        Self {
            level: i32::from(look.base_level),
            indent: look.indent,
            is_numbered: look.numbering == Numbering::Decimal,
            ..Self::default()
        }
    }

    /// How a text that is a value is printed here.
    pub(super) fn treatment(&self) -> Treatment<'a> {
        Treatment {
            block: true,
            guarding: self.guarding,
            untrusted: self.is_untrusted,
            ..Treatment::default()
        }
    }

    /// What a section passes on to what is inside it.
    pub(super) fn enter(&mut self, keys: &SectionKeys, is_titled: bool, is_tag: bool) {
        let markup = &keys.markup;
        self.level += i32::from(is_titled);
        self.depth += usize::from(is_tag);
        if markup.guarding != Guarding::Default {
            self.guarding = markup.guarding;
        }
        self.is_untrusted |= markup.untrusted;
        if let Some(indent) = markup.indent {
            self.indent = usize::from(indent);
        }
    }
}

/// A text that is one run of words.
#[inline]
pub(super) fn literal(text: &Text) -> Option<&Cow<'static, str>> {
    match text.only_piece() {
        Some(Inline::Literal(words)) => Some(words),
        _ => None,
    }
}

#[cold]
pub(super) fn failed(name: &str, place: Option<&Place<'_>>) -> PromptError {
    PromptError::FailedValue {
        path: path(place),
        name: name.to_owned(),
    }
}

/// A node without anything.
pub(super) struct NoNode;
impl crate::node::Scope for NoNode {}
impl HasType for NoNode {}

impl Node for NoNode {
    fn info(&self) -> &NodeInfo {
        NodeInfo::EMPTY
    }
}
