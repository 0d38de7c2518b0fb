//! How the names of texts print: what their keys say, with the spec of the text that prints them.

use super::{
    form::{Missed, Print, Variable},
    kind::Kind,
    paths::is_debug,
    places::AllPlaces,
    text::Texts,
    uses,
    value::Known,
};
use crate::{diagnostic::Errors, input::value::Json};
use prompt_syntax::{
    Origin, Used,
    book::{Holder, rules},
    lower,
};

impl Texts<'_> {
    /// A variable that prints a field, an entry of `vars`, or something about an item.
    pub(super) fn variable(
        &self,
        used: &Used,
        places: AllPlaces<'_>,
        errors: &mut Errors,
    ) -> Variable {
        let known = self.names.get(&used.name);
        let known = known.filter(|_| used.origin == Origin::Node);
        let print = print(used, known, places, errors);
        let operand = self.operand(used, uses::Kind::Value, places, errors);
        let span = operand.span;
        let spec = used.spec.as_ref().filter(|_| used.origin.place().is_some());
        if let Some(problem) = spec.and_then(|spec| lower::place_spec(spec)) {
            errors.report(span, problem);
        }
        let Some(known) = known else {
            return Variable {
                missed: matches!(used.origin, Origin::Item(_)).then_some(Missed::Nothing),
                item_of: used.origin.in_loop(),
                ..Variable::new(operand, print, span)
            };
        };
        let whole = used.path.is_empty();
        let bare = print.is_bare();
        let missed = match known.kind {
            _ if known.keys.said.faulty => None,
            _ if whole && known.is_hashed() && (bare || is_debug(used)) => Some(Missed::Order),
            _ if whole && known.asks_presence() => Some(Missed::Nothing),
            _ if !bare => None,
            Kind::Option if whole => Some(Missed::Default),
            Kind::List { .. } if whole => Some(Missed::Join),
            Kind::Text | Kind::Scalar | Kind::Unit if whole => None,
            _ => Some(Missed::Nothing),
        };
        Variable {
            missed,
            ..Variable::new(operand, print, known.span)
        }
    }
}

/// How `{name.path:spec}` prints: what the keys of a name say, with the spec of the text.
fn print(
    used: &Used,
    known: Option<&Known<'_>>,
    places: AllPlaces<'_>,
    errors: &mut Errors,
) -> Print {
    let spec = used.spec.as_ref().filter(|spec| !spec.is_empty());
    let plain = match spec {
        Some(spec) if spec == "json" && used.origin != Origin::Node => Print::Json(Json(None)),
        Some(spec) => Print::Spec(spec.clone(), places.span(used)),
        None => Print::Display,
    };
    let Some(known) = known.filter(|_| used.path.is_empty()) else {
        return plain;
    };
    let said = &known.keys.said;
    let alone = said.first(&["yes", "no", "json", "debug", "item"]);
    if let (Some(spec), Some((key, _)), false) = (spec, alone, said.faulty) {
        let problem = rules::idle_spec(spec, key, Holder::Var);
        errors.report(places.span(used), problem);
    }
    let keys = known.keys;
    match (&keys.with, keys.json, keys.debug) {
        (Some(path), ..) => Print::With(path.0.clone(), Box::new(plain)),
        (_, Some(json), _) => Print::Json(json),
        (_, _, Some(debug)) if debug.on => Print::Spec("?".to_owned(), debug.span),
        _ => plain,
    }
}
