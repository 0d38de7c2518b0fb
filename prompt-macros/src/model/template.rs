//! Templates of values: `item`, `some`, `yes`, `no`, `default`. What stands in them besides values is the author's and
//! is written as it stands.

use super::{
    form::{Missed, Operand, Piece, Print, Template, Text, TextTemplate, Uses, Variable},
    places::Places,
    text::{Context, Local, Texts},
    uses::{self, AskedPaths, Kind},
};
use crate::{
    diagnostic::Errors,
    input::{docs::Source, value::Words},
};
use prompt_syntax::{Element, Inline, List, Origin, Parsed, Place, Tables, Used, lower};

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
        self.assemble((&source, parsed), local, None, errors)
    }

    /// A `some` template: one `{}` in it stands for the value, which prints like this.
    pub(super) fn some(
        &mut self,
        words: &Words,
        value: (&Operand, &Print),
        errors: &mut Errors,
    ) -> Template {
        let source = Source::verbatim(&words.0);
        let local = Local::default();
        let mut parsed = self.parse(&source, Place::Template, local, errors);
        let mut holes = 0;
        parsed.elements = parsed
            .elements
            .map(|element| open_element(element, &mut holes));
        if let Some(problem) = lower::some_shows(holes) {
            errors.report(words.span(), problem);
        }
        self.assemble((&source, parsed), local, Some(value), errors)
    }

    /// A template as its pieces, or with a text of its own. `hole` is what stands for the `{}` of `some`.
    fn assemble(
        &mut self,
        (source, parsed): (&Source, Parsed),
        local: Local<'_>,
        hole: Option<(&Operand, &Print)>,
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
        let values = values.map(|(index, used)| match hole.filter(|_| used.name == HOLE) {
            Some((operand, print)) => Variable::new(operand.clone(), print.clone(), operand.span),
            None => self.piece(used, asked.of(Kind::Value, index), &context, errors),
        });
        let variables = values.collect();
        let conditions = tables.conditions().iter();
        let conditions = conditions.map(|used| self.local_condition(used, &context, errors));
        let conditions = conditions.collect();
        let loops = tables.loops().iter();
        let loops = loops.map(|found| self.loop_over(found, &context, errors));
        let mut uses = Uses {
            variables,
            conditions,
            loops: loops.collect(),
        };
        uses.ask(&asked);
        match pieces(&text, &uses.variables) {
            Some(pieces) => Template::Pieces(pieces),
            None => Template::Text(Box::new(TextTemplate {
                text: Text(text),
                uses,
            })),
        }
    }

    /// What a template prints: a value that is one short call, or else what the table of the node says.
    fn piece(
        &mut self,
        used: &Used,
        asked: uses::Asked,
        context: &Context<'_>,
        errors: &mut Errors,
    ) -> Variable {
        let is_name = used.origin == Origin::Node { item: 0 } && used.path.is_empty();
        let known = self.names.get(&used.name).filter(|_| is_name);
        let may_be_option = known.is_none_or(|known| !known.is_plain());
        let (operand, print) = if known.is_some_and(|known| !known.is_one_call()) {
            let entry = self.number(used, asked);
            (Operand::entry(), Print::Table(entry))
        } else {
            self.value(used, context, errors)
        };
        let span = operand.span;
        Variable {
            missed: (print.is_bare() && may_be_option).then_some(Missed::Nothing),
            item_of: used.origin.in_loop(),
            ..Variable::new(operand, print, span)
        }
    }
}

/// The name of the `{}` of `some` among the values: no name that a user can write.
const HOLE: &str = "";

/// An element in which each `{}` is a value.
fn open_element(mut element: Element, holes: &mut usize) -> Element {
    let mut blocks = |list: List<Element>| {
        let elements = list.into_owned().into_iter();
        elements
            .map(|element| open_element(element, holes))
            .collect()
    };
    match element {
        Element::If { branches, metadata } => {
            let branches = branches.map(&mut blocks);
            Element::If { branches, metadata }
        }
        Element::Each { branches, metadata } => {
            let branches = branches.map(&mut blocks);
            Element::Each { branches, metadata }
        }
        Element::Text { ref mut text, .. }
        | Element::Title { ref mut text, .. }
        | Element::Code { ref mut text, .. } => {
            let pieces = std::mem::take(text).into_iter().collect();
            *text = open_holes(pieces, holes).into_owned().into_iter().collect();
            element
        }
        Element::Slot { .. } => element,
    }
}

fn open_holes(pieces: List<Inline>, holes: &mut usize) -> List<Inline> {
    let mut open = Vec::new();
    for piece in pieces.into_owned() {
        open.push(match piece {
            Inline::Literal(text) => {
                let mut parts = text.split("{}");
                let literal = |text: &str| Inline::Literal(text.to_owned().into());
                open.extend(parts.next().map(literal));
                for part in parts {
                    *holes += 1;
                    open.push(Inline::Value {
                        source: HOLE.into(),
                        index: 0,
                        quote: "".into(),
                    });
                    open.push(literal(part));
                }
                continue;
            }
            Inline::If(branches) => Inline::If(branches.map(|list| open_holes(list, holes))),
            Inline::Each(branches) => Inline::Each(branches.map(|list| open_holes(list, holes))),
            piece => piece,
        });
    }
    open.into()
}

/// Words and values in order, if nothing else stands in the text: no condition, no loop, and no line that goes when it
/// comes out empty.
fn pieces(text: &prompt_syntax::Text, values: &[Variable]) -> Option<Vec<Piece>> {
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
            Inline::Value { index, quote, .. } if quote.is_empty() => {
                let value = &values[usize::from(*index)];
                pieces.push(Piece::Value(value.operand.clone(), value.print.clone()));
            }
            Inline::Line { head } if head.is_empty() => {}
            _ => return None,
        }
    }
    Some(pieces)
}
