//! How the names of texts print: what their keys say, with the spec of the text that prints them.

use super::{
    form::{Missed, Operand, Print, Variable},
    kind::Kind,
    paths::is_debug,
    text::{Context, Texts},
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
        context: &Context<'_>,
        errors: &mut Errors,
    ) -> Variable {
        let (operand, print) = self.value(used, context, errors);
        let span = operand.span;
        let spec = used.spec.as_ref().filter(|_| used.origin.place().is_some());
        if let Some(problem) = spec.and_then(|spec| lower::place_spec(spec)) {
            errors.report(span, problem);
        }
        if used.origin != Origin::Node {
            return Variable {
                missed: matches!(used.origin, Origin::Item(_)).then_some(Missed::Nothing),
                item_of: used.origin.in_loop(),
                ..Variable::new(operand, print, span)
            };
        }
        let Some(known) = self.names.get(&used.name) else {
            return Variable::new(operand, print, span);
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

    /// What `{name.path:spec}` prints, and how.
    fn value(&self, used: &Used, context: &Context<'_>, errors: &mut Errors) -> (Operand, Print) {
        let spec = used.spec.as_ref().filter(|spec| !spec.is_empty());
        let is_item = used.origin != Origin::Node;
        let plain = match spec {
            Some(spec) if spec == "json" && is_item => Print::Json(Json::Compact),
            Some(spec) => Print::Spec(spec.clone(), context.places.span(used)),
            None => Print::Display,
        };
        let operand = self.operand(used, context, errors);
        let is_name = !is_item && used.path.is_empty();
        let Some(known) = self.names.get(&used.name).filter(|_| is_name) else {
            return (operand, plain);
        };
        let said = &known.keys.said;
        let alone = said.first(&["yes", "no", "json", "debug", "item"]);
        if let (Some(spec), Some((key, _)), false) = (spec, alone, said.faulty) {
            let problem = rules::idle_spec(spec, key, Holder::Var);
            errors.report(context.places.span(used), problem);
        }
        (operand, print(known, plain))
    }
}

/// How a name prints: what its keys say, with the spec of the text that prints it.
fn print(known: &Known<'_>, plain: Print) -> Print {
    let keys = &known.keys.own;
    match (&keys.with, keys.json, keys.debug) {
        (Some(path), ..) => Print::With(path.0.clone(), Box::new(plain)),
        (_, Some(json), _) => Print::Json(json),
        (_, _, Some(debug)) if debug.on => Print::Spec("?".to_owned(), debug.span),
        _ => plain,
    }
}
