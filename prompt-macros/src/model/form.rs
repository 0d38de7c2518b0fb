//! The data of texts and templates, and of what they print: what the passes over them hand on.

use crate::input::value::Json;
use proc_macro2::Span;
use prompt_syntax::{Element, Target};
use syn::{Expr, Member, Path};

/// A text whose values, conditions and loops are numbered through the tables of its node.
#[derive(Clone)]
pub(crate) struct Text(pub(crate) prompt_syntax::Text);

impl Default for Text {
    fn default() -> Self {
        Self(prompt_syntax::Text::EMPTY)
    }
}

impl Text {
    /// The level of the slot of a section, if it has one.
    pub(crate) fn slot(&self, wanted: Target) -> Option<u8> {
        self.0.all().find_map(|element| match element {
            Element::Slot { target, level, .. } if *target == wanted => Some(*level),
            _ => None,
        })
    }

    /// The deepest title.
    pub(crate) fn deepest(&self) -> u8 {
        let titles = self.0.all().filter_map(|element| match element {
            Element::Title { level, .. } => Some(*level),
            _ => None,
        });
        titles.max().unwrap_or(0)
    }

    /// Whether it can stand in a sentence: it has neither headings nor slots.
    pub(crate) fn is_flat(&self) -> bool {
        let mut blocks = self.0.all();
        !blocks.any(|element| matches!(element, Element::Title { .. } | Element::Slot { .. }))
    }

    /// Whether there is nothing to print.
    pub(crate) fn is_empty(&self) -> bool {
        self.0.elements.is_empty()
    }
}

/// A template of a value.
#[derive(Clone)]
pub(crate) enum Template {
    /// Words and values, one after the other.
    Pieces(Vec<Piece>),
    /// One with conditions or loops, or with lines that go when they come out empty.
    Text(Box<TextTemplate>),
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
#[allow(
    clippy::large_enum_variant,
    reason = "nearly all of them print something"
)]
pub(crate) enum Value {
    /// A field, an entry of `vars`, the item.
    Print(Operand, Print),
    /// What `some` is about: its `{}`.
    Hole,
}

/// A template with a text of its own, whose numbers count through these lists.
#[derive(Clone)]
pub(crate) struct TextTemplate {
    pub(crate) text: Text,
    pub(crate) values: Vec<ScopedValue>,
    pub(crate) conditions: Vec<Condition>,
    pub(crate) loops: Vec<Loop>,
}

/// A value of such a template.
#[derive(Clone)]
pub(crate) struct ScopedValue {
    pub(crate) value: Value,
    /// The loop whose item it is about.
    pub(crate) item_of: Option<u16>,
}

impl Template {
    /// Nothing but what a value prints.
    pub(crate) fn of(operand: Operand, print: Print) -> Self {
        Self::Pieces(vec![Piece::Value(Value::Print(operand, print))])
    }

    /// What it prints, if that is one value and nothing else.
    pub(crate) fn operand_mut(&mut self) -> Option<&mut Operand> {
        match self {
            Self::Pieces(pieces) => match pieces.as_mut_slice() {
                [Piece::Value(Value::Print(operand, _))] => Some(operand),
                _ => None,
            },
            Self::Text(_) => None,
        }
    }

    /// What it prints, besides words.
    pub(crate) fn values(&self) -> impl Iterator<Item = &Value> {
        let (pieces, scoped) = match self {
            Self::Pieces(pieces) => (pieces.as_slice(), [].as_slice()),
            Self::Text(text) => ([].as_slice(), text.values.as_slice()),
        };
        let pieces = pieces.iter().filter_map(|piece| match piece {
            Piece::Value(value) => Some(value),
            Piece::Literal(_) => None,
        });
        pieces.chain(scoped.iter().map(|scoped| &scoped.value))
    }

    /// Its loops.
    pub(crate) fn loops(&self) -> &[Loop] {
        match self {
            Self::Pieces(_) => &[],
            Self::Text(text) => &text.loops,
        }
    }

    /// What its conditions ask, and its loops go over.
    pub(crate) fn asked(&self) -> impl Iterator<Item = &Operand> {
        let text = match self {
            Self::Pieces(_) => None,
            Self::Text(text) => Some(text),
        };
        text.into_iter().flat_map(|text| {
            let conditions = text.conditions.iter();
            let conditions = conditions.filter_map(|condition| match &condition.asked {
                Asked::Value(operand) => Some(operand),
                _ => None,
            });
            conditions.chain(text.loops.iter().map(|it| &it.list))
        })
    }
}

/// What a condition asks.
#[derive(Clone)]
pub(crate) struct Condition {
    /// As written behind the question mark.
    pub(crate) source: String,
    /// What it is.
    pub(crate) asked: Asked,
    /// The loop whose item it is about.
    pub(crate) item_of: Option<u16>,
}

/// What stands behind a question mark.
#[derive(Clone)]
pub(crate) enum Asked {
    /// A value.
    Value(Operand),
    /// Something about an item of this list.
    Item { list: Operand, item: Operand },
    /// Whether the section with this index prints something.
    Section(u16),
    /// Whether the item of a loop is its first or last: a method of the place.
    Place(&'static str),
}

/// A `{*name}`.
#[derive(Clone)]
pub(crate) struct Loop {
    /// As written behind the star.
    pub(crate) source: String,
    /// What it goes over.
    pub(crate) list: Operand,
    /// The list section whose item that is a part of.
    pub(crate) section: Option<Operand>,
    /// The name of an item.
    pub(crate) alias: String,
    /// The loop around it.
    pub(crate) outer: Option<u16>,
    /// The loop whose item the list is a part of.
    pub(crate) item_of: Option<u16>,
    /// Where it stands.
    pub(crate) span: Span,
}

/// Something that can be borrowed: a base, and a field of a field of it.
#[derive(Clone)]
pub(crate) struct Operand {
    pub(crate) base: Base,
    /// The fields, outermost first.
    pub(crate) path: Vec<Member>,
    /// How the base and each field is read, as far as it is not as it stands.
    pub(crate) reads: Vec<Read>,
    /// Where it stands.
    pub(crate) span: Span,
}

/// Where the path of an operand begins.
#[derive(Clone)]
pub(crate) enum Base {
    /// A field of the node.
    Field(Member),
    /// An expression of the user.
    Expression(Box<Expr>),
    /// The item of the list whose template it is.
    Item,
    /// The number of that item, from this on.
    Index { from: u8 },
    /// The item of a loop, by its name.
    LoopItem { of: u16, alias: String },
    /// The number of that item, from this on.
    LoopIndex { from: u8 },
}

/// How something is read on the way to one of its fields, or to be printed.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Read {
    /// As it stands: it is known to be no `Option`.
    Certain,
    /// As it stands.
    Plain,
    /// A condition around says that it is there: of an `Option` what is in it.
    Asked,
    /// No condition asks it, and its type cannot be seen: an `Option` is refused.
    Unasked,
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
        clip: Option<Clip>,
    },
    /// Something about the item that the output asks for.
    Item(Box<Template>),
    /// Cut to size.
    Clipped(Clip, Box<Print>),
    /// The value of an attribute.
    Attribute,
    /// As this entry of the table says.
    Table(u16),
}

/// `trim`, `max` and `more`.
#[derive(Clone, PartialEq, Eq)]
pub(crate) struct Clip {
    pub(crate) trim: bool,
    pub(crate) max: Option<usize>,
    pub(crate) more: String,
}

impl Print {
    /// Whether nothing says how it is printed.
    pub(crate) fn is_bare(&self) -> bool {
        match self {
            Self::Display => true,
            Self::Spec(spec, _) => !spec.ends_with('?'),
            Self::Clipped(_, inner) => inner.is_bare(),
            _ => false,
        }
    }
}

/// Everything that a template or print reads is asked for by one of these.
impl Template {
    /// Whether something in it is read this way.
    pub(crate) fn reads(&self, how: Read) -> bool {
        let read = |value: &Value| match value {
            Value::Print(operand, print) => operand.reads.contains(&how) || print.reads(how),
            Value::Hole => false,
        };
        self.values().any(read) || self.asked().any(|operand| operand.reads.contains(&how))
    }
}

impl Print {
    /// Whether something that it prints is read this way.
    pub(crate) fn reads(&self, how: Read) -> bool {
        match self {
            Self::Choice { yes, no } => yes.reads(how) || no.reads(how),
            Self::Maybe {
                some,
                default,
                inner,
            }
            | Self::Whole {
                some,
                default,
                inner,
            } => some.iter().chain(default).any(|text| text.reads(how)) || inner.reads(how),
            Self::List { item, .. } => item.reads(how),
            Self::Item(item) => item.reads(how),
            Self::With(_, inner) | Self::Clipped(_, inner) => inner.reads(how),
            Self::Display | Self::Spec(..) | Self::Json(_) | Self::Attribute | Self::Table(_) => {
                false
            }
        }
    }
}
