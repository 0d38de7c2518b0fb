//! Where a text uses names.

use crate::{
    Span,
    brace::TokenKind,
    condition::Guards,
    findings::Findings,
    problem::LineCounter,
    source::Source,
    token::{LoopName, Scoped, Token},
};
use alloc::{borrow::ToOwned, collections::BTreeMap, string::String, vec::Vec};
use core::ops::Range;

/// A variable or condition, and where it stands.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Use {
    /// The name before dot and colon.
    pub name: String,
    /// The fields after it.
    pub path: Vec<String>,
    /// What it is.
    pub kind: UseKind,
    /// The loop that the name belongs to; `None` for a name of the node.
    pub in_loop: Option<InLoop>,
    /// The bytes of the text, braces included.
    pub span: Span,
    /// Line of the text, from 1.
    pub line: usize,
    /// Column in characters, from 1.
    pub column: usize,
}

/// How a text uses a name.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum UseKind {
    /// `{name}`.
    Variable {
        /// The format spec after the colon, if there is one.
        spec: Option<String>,
        /// Whether a condition around it says that the value is there: `{x}` behind `{?x}`.
        is_guarded: bool,
    },
    /// `{?name}`.
    Condition {
        /// Whether it was written with `!`.
        negated: bool,
        /// Whether a condition around it says that what it is a field of is there.
        is_guarded: bool,
    },
    /// `{*name}`.
    Loop {
        /// What `as` calls the item.
        alias: Option<String>,
        /// Whether a condition around it says that the value is there.
        is_guarded: bool,
    },
}

/// The loop that a name belongs to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct InLoop {
    /// Index of the loop among the uses of the text; `usize::MAX` where the loop itself is a mistake.
    pub of: usize,
    /// What of the loop it is.
    pub name: LoopName,
}

/// The variables, and the conditions and loops that have a form. Both were found in text order, and are merged.
pub(crate) fn uses(source: &Source<'_>, found: &Findings<'_>, text: &str) -> Vec<Use> {
    let forms = &found.resolver.forms;
    let mut tokens = found.tokens.iter().zip(forms).enumerate().peekable();
    let mut uses = Uses {
        source,
        lines: source.line_counter(text),
        found: Vec::with_capacity(found.variables.len()),
        loops: BTreeMap::new(),
        guards: Guards::default(),
    };
    for used in &found.variables {
        while let Some((index, (token, form))) =
            tokens.next_if(|(_, (token, _))| token.range.start < used.range.start)
        {
            uses.add_token(index, token, *form);
        }
        let reference = &used.reference;
        uses.guards.leave(used.range.start);
        let kind = UseKind::Variable {
            spec: reference.spec.map(String::from),
            is_guarded: uses
                .guards
                .holds(used.in_loop, reference.name, reference.path),
        };
        let name = (reference.name, reference.path);
        uses.add(used.range.clone(), name, used.in_loop, kind);
    }
    for (index, (token, form)) in tokens {
        uses.add_token(index, token, *form);
    }
    uses.found
}

/// The uses so far, in text order.
struct Uses<'s> {
    source: &'s Source<'s>,
    lines: LineCounter<'s>,
    found: Vec<Use>,
    /// The use that each marker of a loop is.
    loops: BTreeMap<usize, usize>,
    guards: Guards,
}

impl Uses<'_> {
    fn add_token(&mut self, index: usize, token: &Token<'_>, form: Option<crate::Form>) {
        self.guards.leave(token.range.start);
        let Some(form) = form else { return };
        let is_guarded = self
            .guards
            .holds(token.naming.in_loop, token.name, token.path);
        self.guards.read(token, form);
        let kind = match token.kind {
            TokenKind::If { negated } => UseKind::Condition {
                negated,
                is_guarded,
            },
            TokenKind::Each { alias } => {
                self.loops.insert(index, self.found.len());
                UseKind::Loop {
                    alias: alias.map(String::from),
                    is_guarded,
                }
            }
            TokenKind::Foreign { .. } | TokenKind::Else | TokenKind::End => return,
        };
        let name = (token.name, token.path);
        self.add(token.range.clone(), name, token.naming.in_loop, kind);
    }

    fn add(
        &mut self,
        range: Range<usize>,
        (name, path): (&str, &str),
        scoped: Option<Scoped>,
        kind: UseKind,
    ) {
        let span = self.source.span(range);
        let (line, column) = self.lines.line_and_column(span.start);
        let in_loop = scoped.map(|scoped| InLoop {
            // A loop with a mistake is no use of its own; its list is text then.
            of: self.loops.get(&scoped.token).copied().unwrap_or(usize::MAX),
            name: scoped.name,
        });
        self.found.push(Use {
            name: name.to_owned(),
            path: path.split('.').skip(1).map(String::from).collect(),
            kind,
            in_loop,
            span,
            line,
            column,
        });
    }
}
