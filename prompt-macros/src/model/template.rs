//! Templates of values: `item`, `some`, `yes`, `no`, `default`. What stands in them besides values is the author's and
//! is written as it stands.

use super::{
    form::{Marked, Piece, Template, Text, Value},
    text::{Local, Read, Texts},
};
use crate::{
    diagnostic::Errors,
    input::{docs::Source, value::Words},
};
use prompt_syntax::{Code, Lowered, Mark, MarkKind, Place};

impl Texts<'_> {
    /// A template with the names of its node, and `item` where it is one of an item.
    pub(crate) fn template(
        &mut self,
        words: &Words,
        local: Local<'_>,
        errors: &mut Errors,
    ) -> Template {
        let source = Source::verbatim(&words.0);
        let read = self.read(&source, Place::Inline, local, errors);
        self.assemble(&read, local, errors)
    }

    /// A `some` template: one `{}` in it stands for the value.
    pub(crate) fn some(&mut self, words: &Words, errors: &mut Errors) -> Template {
        let source = Source::verbatim(&words.0);
        let local = Local::default();
        let mut read = self.read(&source, Place::Inline, local, errors);
        if open_hole(&mut read.lowered).is_none() {
            let fact = "`some` shows the value once, as `{}`";
            let help = "write `some = \" in the {} register\"`; a text that does not show it is a condition: `{?name}..{/name}`";
            errors.add(Code::InvalidValue, words.span(), fact, help);
        }
        self.assemble(&read, local, errors)
    }

    fn assemble(&mut self, read: &Read<'_>, local: Local<'_>, errors: &mut Errors) -> Template {
        let lowered = &read.lowered;
        let values: Vec<Value> = lowered
            .variables
            .iter()
            .map(|found| {
                if found.name == HOLE {
                    return Value::Hole;
                }
                let (operand, print) = self.piece(found, local, read, errors);
                Value::Print(operand, print)
            })
            .collect();
        if !needs_renderer(lowered) {
            return Template::Pieces(pieces(lowered, &values));
        }
        let asked = lowered.conditions.iter();
        let conditions = asked
            .map(|condition| self.local_condition(condition, local, read, errors))
            .collect();
        Template::Marked(Box::new(Marked {
            text: Text::of(lowered, |mark| mark),
            values,
            conditions,
        }))
    }
}

/// The name of the `{}` of `some` among the variables: no name that a user can write.
const HOLE: &str = "";

/// Turns the one `{}` of the literal into a variable; `None` if there is not exactly one.
fn open_hole(lowered: &mut Lowered) -> Option<()> {
    let mut found = lowered.literal.match_indices("{}");
    let (at, _) = found.next()?;
    if found.next().is_some() {
        return None;
    }
    lowered.literal.replace_range(at..at + 2, "");
    let at = u32::try_from(at).ok()?;
    let index = u16::try_from(lowered.variables.len()).ok()?;
    // Marks at the first brace were written before it, those at the second end behind it.
    let place = lowered.marks.partition_point(|mark| mark.at <= at);
    for mark in &mut lowered.marks {
        mark.at = if mark.at > at {
            mark.at.saturating_sub(2).max(at)
        } else {
            mark.at
        };
        if let MarkKind::If { end, .. } | MarkKind::Else { end, .. } = &mut mark.kind
            && usize::try_from(*end).is_ok_and(|end| end >= place)
        {
            *end += 1;
        }
    }
    let kind = MarkKind::Variable(index);
    lowered.marks.insert(place, Mark { at, kind });
    lowered.variables.push(prompt_syntax::Variable {
        name: HOLE.to_owned(),
        path: Vec::new(),
        spec: None,
    });
    Some(())
}

/// Whether something in it is decided while it is printed: a condition, or a line that goes when it comes out empty.
fn needs_renderer(lowered: &Lowered) -> bool {
    let has_lines = lowered.literal.contains('\n');
    lowered.marks.iter().any(|mark| match mark.kind {
        MarkKind::If { .. } => true,
        MarkKind::Gap { .. } | MarkKind::Line { .. } => has_lines,
        _ => false,
    })
}

/// Words and values in order.
fn pieces(lowered: &Lowered, values: &[Value]) -> Vec<Piece> {
    let mut pieces = Vec::new();
    let mut done = 0;
    for mark in &lowered.marks {
        let (MarkKind::Variable(index) | MarkKind::Block(index)) = mark.kind else {
            continue;
        };
        let at = mark.at as usize;
        push_literal(&mut pieces, lowered.literal.get(done..at));
        done = at;
        pieces.extend(values.get(usize::from(index)).cloned().map(Piece::Value));
    }
    push_literal(&mut pieces, lowered.literal.get(done..));
    pieces
}

fn push_literal(pieces: &mut Vec<Piece>, text: Option<&str>) {
    if let Some(text) = text.filter(|text| !text.is_empty()) {
        pieces.push(Piece::Literal(text.to_owned()));
    }
}
