//! The data of texts and templates, and of what they print: what the passes over them hand on.

use super::places::Places;
use crate::input::value::Json;
use proc_macro2::Span;
use prompt_syntax::{
    Element, Origin, Target, Used,
    wording::{Wording, Wordings},
};
use std::collections::BTreeMap;
use syn::{Expr, Member, Path};

/// A text whose values, conditions and loops are numbered through the tables of its node.
#[derive(Clone)]
pub(crate) struct Text(pub(crate) prompt_syntax::Text);

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
}

/// What the keys of names say, and where the names in their templates stand.
#[derive(Default)]
pub(crate) struct Worded {
    pub(super) by_name: BTreeMap<String, Wording>,
    pub(super) places: Vec<Places>,
}

impl Wordings for Worded {
    fn of(&self, used: &Used) -> Option<&Wording> {
        let is_name = used.origin == Origin::Node && used.path.is_empty();
        self.by_name.get(&used.name).filter(|_| is_name)
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
    /// Whether something prints it as it is. What is only named is described all the same.
    pub(crate) is_printed: bool,
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
            is_printed: true,
            span,
        }
    }
}

/// What the texts of a node use.
pub(crate) struct Uses {
    pub(crate) variables: Vec<Variable>,
    pub(crate) conditions: Vec<Condition>,
    pub(crate) loops: Vec<Loop>,
}

impl Uses {
    /// The variables that something prints, with their numbers.
    pub(crate) fn printed(&self) -> impl Iterator<Item = (usize, &Variable)> {
        let variables = self.variables.iter().enumerate();
        variables.filter(|(_, variable)| variable.is_printed)
    }

    /// Everything that is read for them.
    pub(crate) fn operands(&self) -> impl Iterator<Item = &Operand> {
        let printed = self.printed().map(|(_, it)| &it.operand);
        let asked = self.conditions.iter().filter_map(|it| match &it.asked {
            Asked::Value(operand) | Asked::Presence(operand, _) => Some(operand),
            Asked::Known => None,
        });
        let lists = self.loops.iter().map(|it| &it.list);
        printed.chain(asked).chain(lists)
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
    /// Whether a value is there: a list, or an `Option`.
    Presence(Operand, Presence),
    /// What the renderer knows: whether a section prints something, where an item stands in its list.
    Known,
}

/// How a value can be absent.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Presence {
    /// As an `Option`.
    Some,
    /// As a list without items.
    Items,
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
    /// What an entry of the table stands for, which that knows.
    Entry,
    /// The item of a loop, by its name.
    LoopItem { of: u16, alias: String },
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
    /// The value of an attribute.
    Attribute,
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
