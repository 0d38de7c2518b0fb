//! What is wrong with a tree, as it is collected: each fault with the bytes of the file that it is about.

use super::given::Span;
use crate::errors::diagnostics::Diagnostic;
use prompt_syntax::{Code, Problem};

/// A fault, and where the value stands that it is about.
#[derive(Debug)]
pub(super) struct Fault {
    pub(super) diagnostic: Diagnostic,
    pub(super) span: Span,
    /// The place of its node in the tree, in preorder.
    pub(super) order: usize,
    /// The byte of the file, once it is known.
    pub(super) at: usize,
}

/// All faults of a tree.
#[derive(Debug, Default)]
pub(super) struct Faults(pub(super) Vec<Fault>);

/// A part of a node of which something is said: its path, the key, and where the value under it stands.
#[derive(Clone, Copy, Default)]
pub(super) struct Spot<'s> {
    pub(super) path: &'s str,
    pub(super) part: &'static str,
    pub(super) span: Span,
    /// The place of the node in the tree, in preorder: faults are told in this order.
    pub(super) order: usize,
    /// Columns that were cut off from each line of its text.
    pub(super) indent: usize,
}

impl<'s> Spot<'s> {
    pub(super) fn new(path: &'s str, part: &'static str, span: Span) -> Self {
        Self {
            path,
            part,
            span,
            ..Self::default()
        }
    }

    /// Something else that stands in the same part.
    pub(super) fn at(self, span: Span) -> Self {
        Self { span, ..self }
    }

    /// Another part of the same node.
    pub(super) fn part_of(self, part: &'static str) -> Self {
        Self { part, ..self }
    }

    /// A fault, or a hint, of a text.
    pub(super) fn problem(self, problem: Problem) -> Diagnostic {
        let mut diagnostic = Diagnostic::of_text(problem, self.path, self.part);
        if let Some((_, column)) = &mut diagnostic.place {
            *column += self.indent;
        }
        diagnostic
    }
}

impl Faults {
    pub(super) fn push(&mut self, spot: Spot<'_>, diagnostic: Diagnostic) {
        self.0.push(Fault {
            diagnostic,
            span: spot.span,
            order: spot.order,
            at: 0,
        });
    }

    pub(super) fn add(
        &mut self,
        spot: Spot<'_>,
        code: Code,
        message: impl Into<String>,
        help: impl Into<String>,
    ) {
        let fault = Diagnostic::new(code, spot.path, spot.part, message.into(), help);
        self.push(spot, fault);
    }

    /// Something that is wrong with a key, or at a place of its text.
    pub(super) fn report(&mut self, spot: Spot<'_>, problem: Problem) {
        self.push(spot, spot.problem(problem));
    }

    /// Puts them in the order of the tree, those of one node as they were found.
    pub(super) fn sort(&mut self) {
        self.0.sort_by_key(|fault| fault.order);
    }
}
