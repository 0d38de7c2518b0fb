//! The data of texts and templates, and of what they print: what the passes over them hand on.

use crate::input::value::Json;
use proc_macro2::Span;
use prompt_syntax::{Lowered, Mark, MarkKind, Target};
use syn::{Expr, Member, Path};

/// A text whose marks count through the tables of its node.
#[derive(Clone)]
pub(crate) struct Text {
    /// What is printed as it stands.
    pub(crate) literal: String,
    /// What happens in it.
    pub(crate) marks: Vec<Mark>,
    /// The smallest level.
    pub(crate) base: u8,
    /// The level of a slot at its end.
    pub(crate) end: u8,
}

impl Default for Text {
    fn default() -> Self {
        Self {
            literal: String::new(),
            marks: Vec::new(),
            base: 1,
            end: 1,
        }
    }
}

impl Text {
    /// A text with the marks of another table.
    pub(crate) fn of(lowered: &Lowered, mark: impl Fn(Mark) -> Mark) -> Self {
        Self {
            literal: lowered.literal.clone(),
            marks: lowered.marks.iter().copied().map(mark).collect(),
            base: lowered.base,
            end: lowered.end,
        }
    }

    /// The level of the slot of a section, if it has one.
    pub(crate) fn slot(&self, wanted: Target) -> Option<u8> {
        self.marks.iter().find_map(|mark| match mark.kind {
            MarkKind::Slot { target, level, .. } if target == wanted => Some(level),
            _ => None,
        })
    }

    /// The deepest title.
    pub(crate) fn deepest(&self) -> u8 {
        let titles = self.marks.iter().filter_map(|mark| match mark.kind {
            MarkKind::Title { level, .. } => Some(level),
            _ => None,
        });
        titles.max().unwrap_or(0)
    }

    /// Whether it can stand in a sentence: it has neither headings nor slots.
    pub(crate) fn is_flat(&self) -> bool {
        !self
            .marks
            .iter()
            .any(|mark| matches!(mark.kind, MarkKind::Title { .. } | MarkKind::Slot { .. }))
    }

    /// Whether there is nothing to print.
    pub(crate) fn is_empty(&self) -> bool {
        self.literal.is_empty() && self.marks.is_empty()
    }
}

/// A template of a value.
#[derive(Clone)]
pub(crate) enum Template {
    /// Words and values, one after the other.
    Pieces(Vec<Piece>),
    /// One with conditions, or with lines that go when they come out empty.
    Marked(Box<Marked>),
}

/// A piece of a template.
#[derive(Clone)]
pub(crate) enum Piece {
    /// As it stands.
    Literal(String),
    /// Something printed.
    Value(Value),
}

/// Something that a template prints.
#[derive(Clone)]
pub(crate) enum Value {
    /// A field, an entry of `vars`, the item.
    Print(Operand, Print),
    /// What `some` is about: its `{}`.
    Hole,
}

/// A template whose marks count through these lists.
#[derive(Clone)]
pub(crate) struct Marked {
    pub(crate) text: Text,
    pub(crate) values: Vec<Value>,
    /// What its conditions ask.
    pub(crate) conditions: Vec<Operand>,
}

impl Piece {
    /// What is in it, if it is an `Option`.
    pub(crate) fn free(self) -> Self {
        match self {
            Self::Value(Value::Print(operand, print)) => {
                Self::Value(Value::Print(operand, Print::Freed(Box::new(print))))
            }
            piece => piece,
        }
    }
}

impl Template {
    /// Nothing but what a value prints.
    pub(crate) fn of(operand: Operand, print: Print) -> Self {
        Self::Pieces(vec![Piece::Value(Value::Print(operand, print))])
    }

    /// What it prints, besides words.
    pub(crate) fn values(&self) -> impl Iterator<Item = &Value> {
        let (pieces, marked) = match self {
            Self::Pieces(pieces) => (pieces.as_slice(), [].as_slice()),
            Self::Marked(marked) => ([].as_slice(), marked.values.as_slice()),
        };
        let pieces = pieces.iter().filter_map(|piece| match piece {
            Piece::Value(value) => Some(value),
            Piece::Literal(_) => None,
        });
        pieces.chain(marked)
    }

    /// What its conditions ask.
    pub(crate) fn conditions(&self) -> &[Operand] {
        match self {
            Self::Pieces(_) => &[],
            Self::Marked(marked) => &marked.conditions,
        }
    }
}

/// Something that can be borrowed.
#[derive(Clone)]
pub(crate) enum Operand {
    /// A field of the node, or a field of that.
    Field {
        member: Member,
        path: Vec<Member>,
        span: Span,
    },
    /// An expression of the user, or a field of what it gives.
    Expression(Box<Expr>, Vec<Member>),
    /// The item of a list, or a field of it.
    Item(Vec<Member>, Span),
    /// The number of the item, from this on.
    Index { from: u8 },
}

/// How something is printed.
#[derive(Clone)]
pub(crate) enum Print {
    /// `Display`, or the text of a derived type.
    Display,
    /// `Display` and others, with a format spec; the span of the text that has it.
    Spec(String, Span),
    /// JSON.
    Json(Json),
    /// What a function returns.
    With(Path, Box<Print>),
    /// One of two texts.
    Choice { yes: Template, no: Template },
    /// An `Option`: what is in it, in a text around it, or another text.
    Maybe {
        some: Option<Template>,
        default: Option<Template>,
        inner: Box<Print>,
    },
    /// The same for a list that is printed in one piece.
    Whole {
        some: Option<Template>,
        default: Option<Template>,
        inner: Box<Print>,
    },
    /// Item by item.
    List {
        join: String,
        last: String,
        item: Template,
    },
    /// Something about the item that the output asks for.
    Item(Box<Template>),
    /// Where it is known to be there: an `Option` prints what is in it.
    Freed(Box<Print>),
    /// The value of an attribute.
    Attribute,
    /// As this entry of the table says.
    Table(u16),
}

impl Print {
    /// Whether nothing says how it is printed.
    pub(crate) fn is_bare(&self) -> bool {
        match self {
            Self::Display => true,
            Self::Spec(spec, _) => !spec.ends_with('?'),
            _ => false,
        }
    }
}
