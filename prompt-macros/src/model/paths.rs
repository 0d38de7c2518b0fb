//! The paths that texts read, and whether they lead somewhere.

use super::{
    kind::{Kind, ORDER_CHANGES, Seen},
    places::AllPlaces,
    text::Texts,
    uses::{self, Found},
};
use crate::{
    diagnostic::{Diagnostic, Errors},
    input::{docs::Location, var::OF_ITEMS},
};
use proc_macro2::Span;
use prompt_syntax::{Code, Origin, Used, book};
use std::collections::HashMap;

impl Texts<'_> {
    /// A loop goes through a value, and not through what the language gives: `{*index}`.
    pub(super) fn check_list(used: &Used, places: AllPlaces<'_>, errors: &mut Errors) {
        if !matches!(used.origin, Origin::Node | Origin::Item(_)) {
            errors.push(no_list(used, places.nth(used, 0)));
        }
    }

    /// A path reads an `Option` only where a condition says that it is there, and an item that is one prints only there;
    /// a list is one. Of what cannot be seen the compiler says the same.
    pub(crate) fn check_paths(&self, found: &[Found], places: AllPlaces<'_>, errors: &mut Errors) {
        let tables = &self.numbers.tables;
        let mut counts: HashMap<(&str, &[String]), usize> = HashMap::new();
        for found in found {
            let used = uses::used(tables, found.kind, found.index);
            let is_item = matches!(used.origin, Origin::Item(_));
            if used.path.is_empty() && !is_item && found.kind != uses::Kind::Loop {
                continue;
            }
            let count = counts.entry((&used.name, &used.path)).or_default();
            let number = std::mem::replace(count, *count + 1);
            let is_free = |count: &usize| !found.asked.has(*count);
            let is_option = |count: &usize| self.seen(used, *count).is_some_and(Seen::is_option);
            let mut through = (0..used.path.len()).filter(is_free);
            let seen = self.seen(used, used.path.len());
            if let Some(count) = through.find(is_option) {
                let location = places.nth(used, number);
                errors.push(through_option(used, found.kind, count, location));
            } else if found.kind == uses::Kind::Value
                && used.path.is_empty()
                && is_item
                && !is_debug(used)
                && is_free(&0)
                && is_option(&0)
            {
                errors.push(optional_item(places.nth(used, number).span));
            } else if let (uses::Kind::Loop, Some(seen), false) =
                (found.kind, seen, self.is_checked_list(used))
            {
                let location = places.nth(used, number);
                match seen.ty().map(Kind::of_list) {
                    Some(Kind::Hashed) => errors.push(hashed(location)),
                    Some(kind) if !kind.is_no_list() => {}
                    _ => errors.push(no_list(used, location)),
                }
            }
        }
    }

    /// Whether the keys of a list say that it is one: they are checked where they stand.
    fn is_checked_list(&self, used: &Used) -> bool {
        let known = self.names.get(&used.name);
        let known = known.filter(|_| used.origin == Origin::Node && used.path.is_empty());
        known.is_some_and(|known| known.keys.said.has(&OF_ITEMS))
    }

    /// Each field that a path names exists, where the type before it can be seen.
    pub(super) fn check_fields(
        &self,
        used: &Used,
        kind: uses::Kind,
        places: AllPlaces<'_>,
        errors: &mut Errors,
    ) {
        for (count, name) in used.path.iter().enumerate() {
            let Some(seen) = self.seen(used, count) else {
                return;
            };
            let Some(fields) = self.fields_of(seen) else {
                continue;
            };
            if !fields.contains(name) {
                let location = places.nth(used, 0);
                let what = match (count, used.origin) {
                    (0, Origin::Item(_)) => "an item".to_owned(),
                    _ => format!("`{}`", beginning(used, count)),
                };
                let is_end = kind == uses::Kind::Loop && count + 1 == used.path.len();
                let fact = if is_end && self.lists_of(seen, fields.clone()).is_empty() {
                    no_list_in(&what, name, location.span)
                } else {
                    no_field(&what, name, &fields, location.span)
                };
                errors.push(fact.at(location.place));
                return;
            }
        }
    }
}

/// An item that may be absent has no keys of its own: its template asks.
pub(super) fn optional_item(span: Span) -> Diagnostic {
    let fact = "an item is an `Option`: nothing says what an absent one prints";
    let help = "ask first: `{?item}{item}{else}-{/item}`";
    Diagnostic::new(Code::MissingDefault, span, fact, help)
}

/// A path reads what may be absent.
fn through_option(used: &Used, kind: uses::Kind, count: usize, location: Location) -> Diagnostic {
    let (option, whole) = (beginning(used, count), beginning(used, used.path.len()));
    let fact = format!("`{option}` is an `Option`: `{whole}` is there only where `{option}` is");
    let sign = match kind {
        uses::Kind::Value => "",
        uses::Kind::Condition => "?",
        uses::Kind::Loop => "*",
    };
    let help = format!(
        "ask first, and write it there: `{{?{option}}}..{{{sign}{whole}}}..{{/{option}}}`; what an absent one prints stands behind `{{else}}`"
    );
    Diagnostic::new(Code::MissingDefault, location.span, fact, help).at(location.place)
}

/// What a loop goes over has no items.
fn no_list(used: &Used, location: Location) -> Diagnostic {
    let name = beginning(used, used.path.len());
    let fact = format!("`{name}` is no list: there is nothing to go through");
    let help = format!(
        "a loop goes through a `Vec`, slice, array, `BTreeMap` or `BTreeSet`; whether `{name}` is there asks `{{?{name}}}`"
    );
    Diagnostic::new(Code::NotAList, location.span, fact, help).at(location.place)
}

/// A list whose order changes from run to run.
fn hashed(location: Location) -> Diagnostic {
    let help = "use `BTreeMap` or `BTreeSet`, or sort it: `vars(name = sorted(&self.field))`";
    Diagnostic::new(Code::InvalidValue, location.span, ORDER_CHANGES, help).at(location.place)
}

/// A name with so many of its fields.
fn beginning(used: &Used, count: usize) -> String {
    let mut words = used.name.clone();
    for name in used.path.iter().take(count) {
        words.push('.');
        words.push_str(name);
    }
    words
}

/// `no_field`: what has none of that name.
pub(crate) fn no_field(what: &str, name: &str, fields: &[String], span: Span) -> Diagnostic {
    let words: Vec<&str> = fields.iter().map(String::as_str).collect();
    let help = if words.is_empty() {
        "it has no fields: print the whole of it".to_owned()
    } else {
        book::instead(name, &words, "it has")
    };
    let fact = format!("{what} has no field `{name}`");
    Diagnostic::new(Code::UnknownVariable, span, fact, help)
}

/// The same where none of its fields is a list.
fn no_list_in(what: &str, name: &str, span: Span) -> Diagnostic {
    let fact = format!("{what} has no field `{name}`, and none that is a list");
    let help = "remove the loop, or give it a list to go through: a `Vec`, slice, array, `BTreeMap` or `BTreeSet`";
    Diagnostic::new(Code::UnknownVariable, span, fact, help)
}

/// Whether a value is printed with `Debug`.
pub(super) fn is_debug(used: &Used) -> bool {
    used.spec.as_ref().is_some_and(|spec| spec.ends_with('?'))
}
