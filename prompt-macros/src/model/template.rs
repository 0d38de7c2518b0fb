//! Templates of values: `item`, `some`, `yes`, `no`, `default`. What stands in them besides values is the author's and
//! is written as it stands.

use super::{
    form::{Piece, Print, ScopedValue, Template, Text, TextTemplate, Value},
    paths::Places,
    text::{Context, Local, Texts, loop_of},
    uses::{self, AskedPaths, Kind},
};
use crate::{
    diagnostic::Errors,
    input::{docs::Source, value::Words},
};
use prompt_syntax::{
    Code, Each, Element, If, Inline, InlineText, List, Origin, Parsed, Part, Place, Tables, Used,
    ValuePlace,
};

impl Texts<'_> {
    /// A template with the names of its node, and `item` where it is one of an item.
    pub(crate) fn template(
        &mut self,
        words: &Words,
        local: Local<'_>,
        errors: &mut Errors,
    ) -> Template {
        let source = Source::verbatim(&words.0);
        let parsed = self.parse(&source, Place::Template, local, errors);
        self.assemble(&source, parsed, local, errors)
    }

    /// A `some` template: one `{}` in it stands for the value.
    pub(crate) fn some(&mut self, words: &Words, errors: &mut Errors) -> Template {
        let source = Source::verbatim(&words.0);
        let local = Local::default();
        let mut parsed = self.parse(&source, Place::Template, local, errors);
        let mut holes = 0;
        parsed.elements = parsed
            .elements
            .map(|element| open_element(element, &mut holes));
        if holes != 1 {
            let fact = "`some` shows the value once, as `{}`";
            let help = "write `some = \" in the {} register\"`; a text that does not show it is a condition: `{?name}..{/name}`";
            errors.add(Code::InvalidValue, words.span(), fact, help);
        }
        self.assemble(&source, parsed, local, errors)
    }

    fn assemble(
        &mut self,
        source: &Source,
        parsed: Parsed,
        local: Local<'_>,
        errors: &mut Errors,
    ) -> Template {
        let mut tables = Tables::new(&[]);
        let scope = usize::from(local.item.is_some());
        let text = tables.text(parsed.elements, &[], scope);
        self.note_template(&tables);
        let places = Places::new(source, parsed.uses);
        let context = Context {
            local,
            places: &places,
            loops: tables.loops(),
            wants_list: false,
        };
        let found = uses::found(&text, &tables);
        self.check_paths(&found, &tables, &context, errors);
        let mut asked = AskedPaths::default();
        for found in found {
            asked.note(found);
        }
        let values = tables.values().iter().enumerate();
        let values = values.map(|(index, used)| ScopedValue {
            value: self.piece(used, asked.of(Kind::Value, index), &context, errors),
            item_of: loop_of(used.origin),
        });
        let values: Vec<ScopedValue> = values.collect();
        if let Some(pieces) = pieces(&text, &values) {
            return Template::Pieces(pieces);
        }
        let conditions = tables.conditions().iter().enumerate();
        let conditions = conditions.map(|(index, used)| {
            let mut condition = self.local_condition(used, &context, errors);
            condition.ask(asked.of(Kind::Condition, index));
            condition
        });
        let conditions = conditions.collect();
        let loops = tables.loops().iter().enumerate();
        let loops = loops.map(|(index, found)| {
            let mut it = self.loop_over(found, &context, errors);
            it.ask(asked.of(Kind::Loop, index));
            it
        });
        Template::Text(Box::new(TextTemplate {
            loops: loops.collect(),
            text: Text(text),
            values,
            conditions,
        }))
    }

    /// What a template prints: a value that is one short call, or else what the table of the node says.
    fn piece(
        &mut self,
        used: &Used,
        asked: &[usize],
        context: &Context<'_>,
        errors: &mut Errors,
    ) -> Value {
        if used.name == HOLE {
            return Value::Hole;
        }
        let is_name = used.origin == Origin::Node { item: 0 } && used.path.is_empty();
        let known = self.names.get(&used.name).filter(|_| is_name);
        if known.is_some_and(|known| !known.is_one_call()) {
            let entry = self.number(used, asked.to_vec());
            return Value::Print(super::form::Operand::entry(), Print::Table(entry));
        }
        let may_be_option = known.is_none_or(|known| !known.is_plain());
        let (mut operand, print) = self.value(used, context, errors);
        operand.ask(asked, print.is_bare() && may_be_option);
        Value::Print(operand, print)
    }
}

/// The name of the `{}` of `some` among the values: no name that a user can write.
const HOLE: &str = "";

/// An element in which each `{}` is a value.
fn open_element(mut element: Element, holes: &mut usize) -> Element {
    match &mut element {
        Element::Text { text, .. } | Element::Title { text, .. } | Element::Code { text, .. } => {
            let pieces: List<Inline> = text.iter().cloned().collect();
            *text = open_holes(&pieces, holes)
                .into_iter()
                .collect::<InlineText>();
        }
        Element::If { branches, .. } => {
            for part in std::iter::once(&mut branches.then).chain(&mut branches.otherwise) {
                open_blocks(part, holes);
            }
        }
        Element::Each { branches, .. } => {
            for part in std::iter::once(&mut branches.body).chain(&mut branches.otherwise) {
                open_blocks(part, holes);
            }
        }
        Element::Slot { .. } => {}
    }
    element
}

fn open_blocks(part: &mut Part<Element>, holes: &mut usize) {
    let elements = part.list.iter().cloned();
    part.list = elements
        .map(|element| open_element(element, holes))
        .collect();
}

fn open_holes(pieces: &[Inline], holes: &mut usize) -> Vec<Inline> {
    let mut open = Vec::new();
    for piece in pieces {
        match piece {
            Inline::Literal(text) => {
                let mut parts = text.split("{}");
                let literal = |text: &str| Inline::Literal(text.to_owned().into());
                open.extend(parts.next().map(literal));
                for part in parts {
                    *holes += 1;
                    open.push(Inline::Value {
                        source: HOLE.into(),
                        index: 0,
                        place: ValuePlace::INLINE,
                    });
                    open.push(literal(part));
                }
            }
            Inline::If(branches) => open.push(Inline::If(If {
                then: open_part(&branches.then, holes),
                otherwise: branches
                    .otherwise
                    .as_ref()
                    .map(|part| open_part(part, holes)),
                ..branches.clone()
            })),
            Inline::Each(branches) => open.push(Inline::Each(Each {
                body: open_part(&branches.body, holes),
                otherwise: branches
                    .otherwise
                    .as_ref()
                    .map(|part| open_part(part, holes)),
                ..branches.clone()
            })),
            piece => open.push(piece.clone()),
        }
    }
    open
}

fn open_part(part: &Part<Inline>, holes: &mut usize) -> Part<Inline> {
    Part {
        list: open_holes(&part.list, holes).into(),
        ..part.clone()
    }
}

/// Words and values in order, if nothing else stands in the text: no condition, no loop, and no line that goes when it
/// comes out empty.
fn pieces(text: &prompt_syntax::Text, values: &[ScopedValue]) -> Option<Vec<Piece>> {
    let inline = match &*text.elements {
        [] => return Some(Vec::new()),
        [Element::Text { text, .. }] => text,
        _ => return None,
    };
    let mut pieces = Vec::new();
    for piece in inline {
        match piece {
            Inline::Literal(text) | Inline::Escaped(text) => match pieces.last_mut() {
                Some(Piece::Literal(words)) => words.push_str(text),
                _ if text.is_empty() => {}
                _ => pieces.push(Piece::Literal(text.to_string())),
            },
            Inline::Value { index, place, .. } if place.quote.is_empty() => {
                pieces.push(Piece::Value(values[usize::from(*index)].value.clone()));
            }
            Inline::Line { head } if head.is_empty() => {}
            _ => return None,
        }
    }
    Some(pieces)
}
