//! What is found in a text: pieces, and beside them problems, variables, markers.

use crate::{
    Inline, Problem, Str,
    brace::Reference,
    source::Source,
    token::{Resolver, Scoped, Token},
};
use alloc::{collections::BTreeSet, vec::Vec};
use core::ops::Range;

/// What is found, in the order of the text.
#[derive(Debug)]
pub(crate) struct Findings<'t> {
    pub(crate) source: &'t Source<'t>,
    pub(crate) problems: Vec<Problem>,
    pub(crate) tokens: Vec<Token<'t>>,
    pub(crate) variables: Vec<VariableUse<'t>>,
    pub(crate) resolver: Resolver<'t>,
    /// Slots in loops, each with the marker of the outermost of these.
    pub(crate) slots_in_loops: Vec<(usize, Range<usize>, Problem)>,
    /// Slots of sections under conditions on something else, each with the marker of the outermost of these.
    pub(crate) conditional_slots: Vec<(usize, Range<usize>, &'t str, bool)>,
    /// Whether the text is about an item.
    pub(crate) is_of_item: bool,
    /// The names of loops that were found to hide one of the node.
    pub(crate) hidden: BTreeSet<&'t str>,
}

impl<'t> Findings<'t> {
    pub(crate) fn new(source: &'t Source<'t>, is_of_item: bool, problems: Vec<Problem>) -> Self {
        Self {
            source,
            problems,
            tokens: Vec::new(),
            variables: Vec::new(),
            resolver: Resolver::default(),
            slots_in_loops: Vec::new(),
            conditional_slots: Vec::new(),
            is_of_item,
            hidden: BTreeSet::new(),
        }
    }

    pub(crate) fn report(&mut self, range: Range<usize>, problem: Problem) {
        let span = self.source.span(range);
        self.problems.push(Problem { span, ..problem });
    }

    /// A range of the text; empty where its end is before its start.
    pub(crate) fn slice(&self, range: Range<usize>) -> &'t str {
        self.source.text.get(range).unwrap_or_default()
    }
}

/// A variable and its place.
#[derive(Debug)]
pub(crate) struct VariableUse<'t> {
    pub(crate) reference: Reference<'t>,
    pub(crate) in_loop: Option<Scoped>,
    pub(crate) range: Range<usize>,
}

/// A piece of a text before conditions and loops are put together.
#[derive(Debug)]
#[expect(
    clippy::large_enum_variant,
    reason = "most pieces are of that variant, and none lives longer than the reading of its text"
)]
pub(crate) enum Piece {
    /// What is no part of a condition or loop; of a value nothing is known but its source.
    Inline(Inline),
    /// A marker, by its number among the tokens.
    Token(usize),
    /// From here on it is code, or text again.
    Code(bool),
}

impl Piece {
    pub(crate) fn literal(text: Str) -> Self {
        Self::Inline(Inline::Literal(text))
    }

    /// The number of the marker that it is.
    pub(crate) fn token(&self) -> Option<usize> {
        match self {
            Self::Token(token) => Some(*token),
            _ => None,
        }
    }
}
