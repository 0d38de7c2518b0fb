//! Arguments of a tool, read as an answer is: by serde, with repairs and coercions where exactly one thing can be meant, held to
//! the bounds of the schema, and refused with all faults at once.

use super::check;
use super::choose::{own_tree, parse};
use super::fault::{Fault, FaultKind, Repair};
use super::find;
use super::json::Json;
use super::read::Seen;
use super::serde_error;
use super::shape::Shapes;
use super::wording::AnswerWording;
use serde::de::DeserializeOwned;
use serde_json::Value;

/// What a tool takes.
pub(crate) struct Parameters {
    shapes: Shapes,
}

impl Parameters {
    pub(crate) fn of(schema: &Value) -> Self {
        let shapes = Shapes::of(schema);
        Self { shapes }
    }

    /// Reads the arguments of a call; the faults are in words for the model.
    pub(crate) fn read<T: DeserializeOwned>(
        &self,
        tool: &str,
        arguments: &Value,
    ) -> Result<(T, Vec<Repair>), String> {
        let text = match arguments {
            // No object, or one with numbers that a `Value` does not hold.
            Value::String(text) => text.clone(),
            arguments => arguments.to_string(),
        };
        self.read_text(&text).map_err(|faults| {
            let wording = AnswerWording {
                refused: format!("The arguments of `{tool}` do not fit its parameters:"),
                again: "Correct them and call it again with one JSON object.".into(),
                root: "the whole".into(),
                ..AnswerWording::default()
            };
            wording.refusal(&faults)
        })
    }

    fn read_text<T: DeserializeOwned>(&self, text: &str) -> Result<(T, Vec<Repair>), Vec<Fault>> {
        let (own, mut tree, mut repairs) = match parse::<T>(text) {
            Ok(value) => {
                let (mut tree, repairs) = own_tree(text);
                let repairs = repairs.into_iter();
                let repairs = repairs
                    .filter(|repair| *repair == Repair::DuplicateKey)
                    .collect();
                return self.accept(value, &mut tree, repairs);
            }
            Err(own) => match find::whole(text, 0) {
                Some(Seen::Value(candidate)) if !candidate.open => {
                    (own, candidate.value, Vec::from_iter(candidate.repairs))
                }
                Some(Seen::Broken(place, why)) => return Err(no_json(&place, &why)),
                _ => return Err(vec![own]),
            },
        };
        if let Some(object) = check::written(&tree) {
            tree = object;
            repairs.push(Repair::Coerced(String::new()));
        }
        if !matches!(tree, Json::Object(_)) {
            let shown = Fault::new(FaultKind::Type, "", "object").found(tree.excerpt());
            return Err(vec![shown]);
        }
        let own = match parse::<T>(&tree.to_text()) {
            Ok(value) => return self.accept(value, &mut tree, repairs),
            Err(again) if own.kind == FaultKind::Syntax => again,
            Err(_) => own,
        };
        let checked = check::check(&mut tree, &self.shapes, true);
        if !checked.coerced.is_empty()
            && let Ok(value) = parse::<T>(&tree.to_text())
        {
            repairs.extend(checked.coerced.into_iter().map(Repair::Coerced));
            return self.accept(value, &mut tree, repairs);
        }
        Err(serde_error::join(checked.faults, own))
    }

    /// What the type accepts is held to the bounds of the schema.
    fn accept<T>(
        &self,
        value: T,
        tree: &mut Json,
        repairs: Vec<Repair>,
    ) -> Result<(T, Vec<Repair>), Vec<Fault>> {
        let faults = check::broken_bounds(tree, &self.shapes);
        if faults.is_empty() {
            Ok((value, repairs))
        } else {
            Err(faults)
        }
    }
}

fn no_json(place: &str, why: &str) -> Vec<Fault> {
    let between = if place.is_empty() { "" } else { ", in " };
    let words = format!("it is no JSON: {why}{between}{place}");
    vec![Fault::new(FaultKind::Syntax, "", words)]
}
