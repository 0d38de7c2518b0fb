//! How the names of texts print: what their keys say, with the spec of the text that prints them.

use super::{
    form::{Base, Clip, Missed, Operand, Print, Template, Variable},
    kind::{self, Kind},
    paths::{is_debug, optional_item},
    text::{Context, Item, Local, Texts},
    value::{Known, on},
};
use crate::{
    diagnostic::Errors,
    input::{
        groups::ItemKeys,
        value::{Json, Switch, Words},
        var::{OF_ITEMS, PrintKeys},
    },
};
use proc_macro2::Span;
use prompt_syntax::{
    Origin, Used,
    book::{Holder, rules},
    lower,
};

impl Texts<'_> {
    /// A variable that prints a field, an entry of `vars`, or something about an item.
    pub(super) fn variable(
        &mut self,
        used: &Used,
        context: &Context<'_>,
        errors: &mut Errors,
    ) -> Variable {
        let (operand, print) = self.value(used, context, errors);
        let span = operand.span;
        if used.origin != (Origin::Node { item: 0 }) {
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
    pub(crate) fn value(
        &mut self,
        used: &Used,
        context: &Context<'_>,
        errors: &mut Errors,
    ) -> (Operand, Print) {
        let spec = used.spec.as_ref().filter(|spec| !spec.is_empty());
        let is_item = used.origin != Origin::Node { item: 0 };
        let plain = match spec {
            Some(spec) if spec == "json" && is_item => Print::Json(Json::Compact),
            Some(spec) => Print::Spec(spec.clone(), context.places.span(used)),
            None => Print::Display,
        };
        let operand = self.operand(used, context, errors);
        let is_name = matches!(used.origin, Origin::Node { item: 0 }) && used.path.is_empty();
        let Some(known) = self.names.get(&used.name).filter(|_| is_name).cloned() else {
            return (operand, plain);
        };
        let said = &known.keys.said;
        let alone = said.first(&["yes", "no", "json", "debug", "item"]);
        if let (Some(spec), Some((key, _)), false) = (spec, alone, said.faulty) {
            let problem = rules::idle_spec(spec, key, Holder::Var);
            errors.report(context.places.span(used), problem);
        }
        let print = self.print(&known, plain, errors);
        (operand, print)
    }

    /// How a name prints: what its keys say, with the spec of the text that prints it.
    fn print(&mut self, known: &Known<'_>, plain: Print, errors: &mut Errors) -> Print {
        let keys = &known.keys.own;
        let clip = clip(keys);
        if let Some(path) = &keys.with {
            return clipped(clip, Print::With(path.0.clone(), Box::new(plain)));
        }
        if keys.yes.is_some() || keys.no.is_some() {
            return Print::Choice {
                yes: self.words(keys.yes.as_ref(), errors),
                no: self.words(keys.no.as_ref(), errors),
            };
        }
        let is_list = matches!(known.kind, Kind::List { .. });
        let (inner, whole) = match (keys.json, keys.debug) {
            (Some(json), _) => (clipped(clip, Print::Json(json)), is_list),
            (None, Some(Switch { on: true, span })) => {
                let debug = Print::Spec("?".to_owned(), span);
                (clipped(clip, debug), is_list)
            }
            _ if known.keys.said.has(&OF_ITEMS) => {
                let list = (known.ty, plain, known.span);
                (self.list(&known.keys.items, list, clip, errors), true)
            }
            _ => (clipped(clip, plain), false),
        };
        if !known.keys.said.has(&["some", "default"]) {
            return inner;
        }
        let operand = if whole {
            known.operand.clone()
        } else {
            Operand::new(Base::Found, known.operand.span)
        };
        let some = match &keys.some {
            Some(some) => self.some(some, (&operand, &inner), errors),
            None => Template::of(operand, inner),
        };
        let default = keys.default.as_ref();
        let default = default.map(|words| self.template(words, Local::default(), errors));
        if whole {
            Print::Whole { some, default }
        } else {
            Print::Maybe { some, default }
        }
    }

    fn words(&mut self, words: Option<&Words>, errors: &mut Errors) -> Template {
        words.map_or_else(
            || Template::Pieces(Vec::new()),
            |words| self.template(words, Local::default(), errors),
        )
    }

    /// A list: items as their template says, or plain.
    pub(crate) fn list(
        &mut self,
        keys: &ItemKeys,
        (ty, plain, span): (Option<&syn::Type>, Print, Span),
        clip: Option<Clip>,
        errors: &mut Errors,
    ) -> Print {
        let local = Local {
            item: Some(Item::OfValue(ty)),
            ..Local::default()
        };
        let item = keys.item.as_ref();
        let item = item.map(|template| self.template(template, local, errors));
        if item.is_none() && plain.is_bare() && ty.is_some_and(kind::has_optional_items) {
            errors.push(optional_item(span));
        }
        let item = item.unwrap_or_else(|| Template::of(Operand::new(Base::Item, span), plain));
        let [join, last] = self.joins(keys, errors);
        let join = join.unwrap_or_else(|| "\n".to_owned());
        let last = last.unwrap_or_else(|| join.clone());
        Print::List {
            join,
            last,
            item,
            clip,
        }
    }

    /// What stands between items, and before the last one.
    fn joins(&self, keys: &ItemKeys, errors: &mut Errors) -> [Option<String>; 2] {
        [("join", &keys.join), ("last", &keys.last)].map(|(key, words)| {
            let words = words.as_ref()?;
            let is_value = |name: &str| self.names.get(name).is_some();
            if let Some(problem) = lower::not_literal(&words.value(), key, is_value) {
                errors.report(words.span(), problem);
            }
            Some(words.value())
        })
    }
}

/// `trim`, `max`, `more`.
fn clip(keys: &PrintKeys) -> Option<Clip> {
    let clip = Clip {
        trim: on(keys.trim),
        max: keys.max.map(|max| max.0),
        more: keys.more.as_ref().map(Words::value).unwrap_or_default(),
    };
    (clip.trim || clip.max.is_some()).then_some(clip)
}

fn clipped(clip: Option<Clip>, print: Print) -> Print {
    match clip {
        Some(clip) => Print::Clipped(clip, Box::new(print)),
        None => print,
    }
}
