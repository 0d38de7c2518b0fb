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

/// A variable of a node: an entry of its table, and an arm that writes it.
#[derive(Clone)]
pub(crate) struct Variable {
    /// The loop whose item it is about.
    pub(crate) item_of: Option<u16>,
    /// What is printed.
    pub(crate) operand: Operand,
    /// How.
    pub(crate) print: Print,
    /// What is missed where a text prints it without more ado.
    pub(crate) missed: Option<Missed>,
    /// Where a use of it is to be blamed on.
    pub(crate) span: Span,
}

/// What a value that is printed without more ado misses.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Missed {
    /// It is an `Option`.
    Default,
    /// It is a list.
    Join,
    /// It is a `HashMap` or `HashSet`.
    Order,
    /// Nothing, as far as one sees; it may be an `Option` all the same.
    Nothing,
}

impl Variable {
    /// A variable that misses nothing.
    pub(crate) fn new(operand: Operand, print: Print, span: Span) -> Self {
        Self {
            item_of: None,
            operand,
            print,
            missed: None,
            span,
        }
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
#[allow(
    clippy::large_enum_variant,
    reason = "nearly all of them print something"
)]
pub(crate) enum Piece {
    /// As it stands.
    Literal(String),
    /// A field, an entry of `vars`, the item.
    Value(Operand, Print),
}

/// A template with a text of its own, whose numbers count through these lists.
#[derive(Clone)]
pub(crate) struct TextTemplate {
    pub(crate) text: Text,
    pub(crate) uses: Uses,
}

/// What the texts of a node use, or what a template does.
#[derive(Clone)]
pub(crate) struct Uses {
    pub(crate) variables: Vec<Variable>,
    pub(crate) conditions: Vec<Condition>,
    pub(crate) loops: Vec<Loop>,
}

impl Uses {
    /// Everything that is read for them, also by the templates of values.
    pub(crate) fn operands(&self) -> Vec<&Operand> {
        let printed = self.variables.iter().flat_map(|it| {
            let own = std::iter::once(&it.operand);
            own.chain(it.print.operands())
        });
        let asked = self.conditions.iter().filter_map(|it| match &it.asked {
            Asked::Value(operand) => Some(operand),
            Asked::Section | Asked::Place(_) => None,
        });
        let lists = self.loops.iter().map(|it| &it.list);
        printed.chain(asked).chain(lists).collect()
    }
}

impl Template {
    /// Nothing but what a value prints.
    pub(crate) fn of(operand: Operand, print: Print) -> Self {
        Self::Pieces(vec![Piece::Value(operand, print)])
    }

    /// What it prints, besides words.
    pub(crate) fn values(&self) -> Vec<(&Operand, &Print)> {
        match self {
            Self::Pieces(pieces) => {
                let values = pieces.iter().filter_map(|piece| match piece {
                    Piece::Value(operand, print) => Some((operand, print)),
                    Piece::Literal(_) => None,
                });
                values.collect()
            }
            Self::Text(text) => {
                let variables = text.uses.variables.iter();
                variables.map(|it| (&it.operand, &it.print)).collect()
            }
        }
    }

    /// Everything that is read for it.
    pub(crate) fn operands(&self) -> Vec<&Operand> {
        match self {
            Self::Pieces(_) => {
                let values = self.values().into_iter();
                let read = values.map(|(operand, print)| [vec![operand], print.operands()]);
                read.flatten().flatten().collect()
            }
            Self::Text(text) => text.uses.operands(),
        }
    }
}

/// What a condition asks.
#[derive(Clone)]
pub(crate) struct Condition {
    /// What it is.
    pub(crate) asked: Asked,
    /// Whether white space at the ends of the text counts for nothing, as `trim` prints it.
    pub(crate) trimmed: bool,
    /// The loop whose item it is about.
    pub(crate) item_of: Option<u16>,
}

/// What stands behind a question mark.
#[derive(Clone)]
pub(crate) enum Asked {
    /// A value.
    Value(Operand),
    /// Whether a section prints something.
    Section,
    /// Whether the item of a loop is its first or last: a method of the place.
    Place(&'static str),
}

/// A `{*name}`.
#[derive(Clone)]
pub(crate) struct Loop {
    /// What it goes over.
    pub(crate) list: Operand,
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
    /// What is in the `Option` whose template it is: the `{}` of `some`.
    Found,
    /// What an entry of the table stands for, which that knows.
    Entry,
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
    /// As it stands: it may be an `Option` under another name.
    Plain,
    /// An `Option`, which conditions have to ask.
    Maybe,
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
    /// An `Option`: what is in it, with a text around it, or another text.
    Maybe {
        some: Template,
        default: Option<Template>,
    },
    /// The same for a list that is printed in one piece.
    Whole {
        some: Template,
        default: Option<Template>,
    },
    /// Item by item.
    List {
        join: String,
        last: String,
        item: Template,
        clip: Option<Clip>,
    },
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
    pub(crate) max: Option<i64>,
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

    /// Its templates.
    pub(crate) fn templates(&self) -> Vec<&Template> {
        match self {
            Self::Choice { yes, no } => vec![yes, no],
            Self::Maybe { some, default } | Self::Whole { some, default } => {
                std::iter::once(some).chain(default).collect()
            }
            Self::List { item, .. } => vec![item],
            Self::With(_, inner) | Self::Clipped(_, inner) => inner.templates(),
            Self::Display | Self::Spec(..) | Self::Json(_) | Self::Attribute | Self::Table(_) => {
                Vec::new()
            }
        }
    }

    /// Everything that its templates read.
    pub(crate) fn operands(&self) -> Vec<&Operand> {
        let templates = self.templates().into_iter();
        templates.flat_map(Template::operands).collect()
    }
}
