//! A value against the shape of its type: all faults at once, and, where it is allowed, the coercions that the type asks
//! for. `serde` has refused the value before; what it accepts is only looked at for bounds.

use super::fault::{Fault, FaultKind};
use super::json::{Json, push_step};
use super::print::{brief, limits, listed};
use super::read::number_end;
use super::shape::{Bounds, Field, Object, Rest, Shape, Shapes, What, Word};
use prompt_syntax::nearest;
use serde_json::Value;
use std::collections::BTreeSet;

/// Unknown fields of an object that are looked at for one that is missing.
const MOST_STRANGERS: usize = 50;

/// What was found out about a value.
#[derive(Debug, Default)]
pub(super) struct Checked {
    /// In the order of the text; what is missing of an object stands behind what is there.
    pub(super) faults: Vec<Fault>,
    /// Places of values that were read as what the type wants.
    pub(super) coerced: Vec<String>,
}

/// Looks at a value; with `coerce` it is changed where exactly one thing can be meant.
pub(super) fn check(value: &mut Json, shapes: &Shapes, coerce: bool) -> Checked {
    let mut check = Check {
        shapes,
        coerce,
        path: String::new(),
        checked: Checked::default(),
    };
    check.value(value, &shapes.root);
    check.checked
}

/// The bounds that an accepted value breaks.
pub(super) fn broken_bounds(value: &mut Json, shapes: &Shapes) -> Vec<Fault> {
    let mut faults = check(value, shapes, false).faults;
    faults.retain(|fault| fault.kind == FaultKind::Bound);
    faults
}

struct Check<'s> {
    shapes: &'s Shapes,
    coerce: bool,
    /// JSON pointer of the place.
    path: String,
    checked: Checked,
}

impl Check<'_> {
    fn within(&mut self, step: &str, look: impl FnOnce(&mut Self)) {
        let length = self.path.len();
        push_step(&mut self.path, step);
        look(self);
        self.path.truncate(length);
    }

    fn fault(&mut self, kind: FaultKind, value: &Json, expected: impl Into<String>) {
        let fault = Fault::new(kind, &self.path, expected).found(value.excerpt());
        self.checked.faults.push(fault);
    }

    fn wrong_type(&mut self, value: &Json, shape: &Shape) {
        let expected = brief(self.shapes, shape);
        self.fault(FaultKind::Type, value, expected);
    }

    /// The value is replaced by what was meant.
    fn coerce(&mut self, value: &mut Json, meant: Json) {
        *value = meant;
        self.checked.coerced.push(self.path.clone());
    }

    fn value(&mut self, value: &mut Json, shape: &Shape) {
        if *value == Json::Null && shape.nullable {
            return;
        }
        let shape = self.shapes.resolve(shape);
        if *value == Json::Null && (shape.nullable || matches!(shape.what, What::Null)) {
            return;
        }
        match &shape.what {
            What::Any | What::Named(_) => {}
            What::Words(words) => self.word(value, words, shape),
            What::List(item) => self.list(value, item, shape),
            What::Tuple(items) => self.tuple(value, items, shape),
            What::Object(object) => self.object(value, object, shape),
            What::Either(list) => self.either(value, list, shape),
            What::All(parts) => {
                for part in parts {
                    self.value(value, part);
                }
            }
            What::Null | What::Boolean | What::Integer | What::Number | What::Text => {
                if self.coerce
                    && let Some(meant) = meant(value, &shape.what)
                {
                    self.coerce(value, meant);
                }
                if is_of(value, &shape.what) {
                    self.bounds(value, &shape.bounds, &shape.what);
                } else {
                    self.wrong_type(value, shape);
                }
            }
        }
    }

    fn bounds(&mut self, value: &Json, bounds: &Bounds, what: &What) {
        let length = match value {
            Json::Number(digits) => {
                let number = digits.parse::<f64>().unwrap_or(f64::NAN);
                let below = bounds.least.as_ref().filter(|least| {
                    number < least.value || (least.exclusive && number <= least.value)
                });
                let above = bounds
                    .most
                    .as_ref()
                    .filter(|most| number > most.value || (most.exclusive && number >= most.value));
                if let Some(limit) = below.or(above) {
                    let expected = match limits(bounds, what) {
                        // The range of the number type, which is not printed elsewhere.
                        said if said.is_empty() || limit.implied => {
                            let text = |limit: &Option<super::shape::Limit>| {
                                limit.as_ref().map(|limit| limit.text.clone())
                            };
                            match (text(&bounds.least), text(&bounds.most)) {
                                (Some(least), Some(most)) => format!("{least} to {most}"),
                                (Some(least), None) => format!("at least {least}"),
                                (_, most) => format!("at most {}", most.unwrap_or_default()),
                            }
                        }
                        said => said,
                    };
                    self.fault(FaultKind::Bound, value, expected);
                }
                return;
            }
            Json::Text(text) => text.chars().count(),
            Json::List(list) => list.len(),
            _ => return,
        };
        let length = u64::try_from(length).unwrap_or(u64::MAX);
        let short = bounds.shortest.is_some_and(|shortest| length < shortest);
        let long = bounds.longest.is_some_and(|longest| length > longest);
        if short || long {
            self.fault(FaultKind::Bound, value, limits(bounds, what));
        }
    }

    fn word(&mut self, value: &mut Json, words: &[Word], shape: &Shape) {
        if words.iter().any(|word| is_word(value, word)) {
            return;
        }
        let Json::Text(text) = &*value else {
            return self.wrong_type(value, shape);
        };
        match one_meant(text, words.iter().filter_map(|word| word.value.as_str())) {
            Some(meant) if self.coerce => {
                let meant = Json::Text(meant.to_owned());
                self.coerce(value, meant);
            }
            _ => {
                let names: Vec<&str> = words
                    .iter()
                    .filter_map(|word| word.value.as_str())
                    .collect();
                let fault = self.no_variant(text, &names).found(value.excerpt());
                self.checked.faults.push(fault);
            }
        }
    }

    fn no_variant(&self, name: &str, names: &[&str]) -> Fault {
        let quoted = names.iter().map(|name| Value::from(*name).to_string());
        // Where two could be meant by their letters alone, none is proposed.
        let alike = names.iter().filter(|known| plain(known) == plain(name));
        let near = if alike.count() > 1 {
            None
        } else {
            nearest(name, names.iter().copied())
        };
        Fault::new(FaultKind::Variant, &self.path, listed(quoted, ", ")).near(near)
    }

    fn list(&mut self, value: &mut Json, item: &Shape, shape: &Shape) {
        if self.coerce && !matches!(value, Json::List(_)) && self.could_be(value, item) {
            let only = std::mem::replace(value, Json::Null);
            self.coerce(value, Json::List(vec![only]));
        }
        let Json::List(items) = value else {
            return self.wrong_type(value, shape);
        };
        // In a list of lists one value is no list of one: nobody knows which list it belongs to.
        let inner = self.shapes.resolve(item);
        let of_lists = matches!(inner.what, What::List(_));
        for (at, value) in items.iter_mut().enumerate() {
            let stray = of_lists && !matches!(value, Json::List(_) | Json::Null);
            self.within(&at.to_string(), |check| {
                if stray {
                    check.wrong_type(value, inner);
                } else {
                    check.value(value, item);
                }
            });
        }
        self.bounds(value, &shape.bounds, &shape.what);
    }

    /// Whether one value is meant where a list of such stands: it is of the right type. A null is none, and neither is
    /// anything where the elements are lists themselves.
    fn could_be(&self, value: &Json, item: &Shape) -> bool {
        let item = self.shapes.resolve(item);
        match (&item.what, value) {
            (What::Words(words), Json::Text(text)) => {
                let mut names = words.iter().filter_map(|word| word.value.as_str());
                names.any(|name| name == text)
                    || one_meant(text, words.iter().filter_map(|word| word.value.as_str()))
                        .is_some()
            }
            (What::Object(_) | What::All(_), value) => matches!(value, Json::Object(_)),
            (What::Either(list), value) => {
                *value != Json::Null && list.iter().any(|shape| self.could_be(value, shape))
            }
            (What::Boolean | What::Integer | What::Number | What::Text, value) => {
                is_of(value, &item.what) || meant(value, &item.what).is_some()
            }
            _ => false,
        }
    }

    fn tuple(&mut self, value: &mut Json, shapes: &[Shape], shape: &Shape) {
        match value {
            Json::List(items) if items.len() == shapes.len() => {
                for (at, (value, shape)) in items.iter_mut().zip(shapes).enumerate() {
                    self.within(&at.to_string(), |check| check.value(value, shape));
                }
            }
            _ => self.wrong_type(value, shape),
        }
    }

    fn object(&mut self, value: &mut Json, object: &Object, shape: &Shape) {
        let Json::Object(entries) = value else {
            return self.wrong_type(value, shape);
        };
        let mut seen = BTreeSet::new();
        let mut strangers: Vec<String> = Vec::new();
        let mut dropped = Vec::new();
        for (at, (name, value)) in entries.iter_mut().enumerate() {
            let field = object
                .by_name
                .get(name)
                .and_then(|&field| Some((field, object.fields.get(field)?)));
            let twice = field.is_some_and(|(field, _)| !seen.insert(field));
            self.within(name, |check| match (field, &object.rest) {
                (Some(_), _) if twice => {
                    check.fault(FaultKind::DuplicateField, value, "");
                }
                (Some((_, field)), _) if check.may_go(value, field) => {
                    check.checked.coerced.push(check.path.clone());
                    dropped.push(at);
                }
                (Some((_, field)), _) => check.value(value, &field.shape),
                (None, Rest::Of(shape)) => check.value(value, shape),
                (None, Rest::Nothing) => {
                    let names = object.fields.iter().map(|field| field.name.as_str());
                    let fault = Fault::new(FaultKind::UnknownField, &check.path, "");
                    let fault = fault.found(value.excerpt()).near(nearest(name, names));
                    check.checked.faults.push(fault);
                    strangers.push(name.clone());
                }
                (None, Rest::Anything) if strangers.len() < MOST_STRANGERS => {
                    strangers.push(name.clone());
                }
                (None, Rest::Anything) => {}
            });
        }
        // From behind, so that the places before stay what they are.
        for at in dropped.into_iter().rev() {
            entries.remove(at);
        }
        for (at, field) in object.fields.iter().enumerate() {
            if field.required && !seen.contains(&at) {
                let expected = brief(self.shapes, &field.shape);
                let near = nearest(&field.name, strangers.iter().map(String::as_str));
                self.within(&field.name, |check| {
                    let fault = Fault::new(FaultKind::Missing, &check.path, expected).near(near);
                    check.checked.faults.push(fault);
                });
            }
        }
    }

    /// A null for a field that may be left out, and whose type has no null.
    fn may_go(&self, value: &Json, field: &Field) -> bool {
        let shape = self.shapes.resolve(&field.shape);
        let takes_null = field.shape.nullable
            || shape.nullable
            || matches!(shape.what, What::Null | What::Any | What::Named(_));
        self.coerce && *value == Json::Null && !field.required && !takes_null
    }

    /// One of several: the variant that is named, else the one whose kind of value it is; of objects the one with the
    /// most fields that are there. Its faults are those of the value.
    fn either(&mut self, value: &mut Json, list: &[Shape], shape: &Shape) {
        let shapes = self.shapes;
        let list: Vec<&Shape> = list.iter().map(|shape| shapes.resolve(shape)).collect();
        if self.tagged(value, &list) || self.named(value, &list) {
            return;
        }
        let fitting: Vec<&&Shape> = list
            .iter()
            .filter(|shape| self.is_kind(value, shape))
            .collect();
        let best = fitting
            .into_iter()
            .max_by_key(|shape| self.score(value, shape));
        match best {
            Some(shape) => self.value(value, shape),
            // Texts are only read as something else where no text may stand.
            None => match list
                .iter()
                .find(|shape| self.coerce && self.could_be(value, shape))
            {
                Some(shape) => self.value(value, shape),
                None => self.wrong_type(value, shape),
            },
        }
    }

    /// Variants with a tag in them. Whether these are such, and the value was looked at.
    fn tagged(&mut self, value: &mut Json, list: &[&Shape]) -> bool {
        let tags: Option<Vec<_>> = list.iter().map(|shape| Self::tag_of(shape)).collect();
        let Some(tags) = tags else { return false };
        let Some((name, _)) = tags.first() else {
            return false;
        };
        let Json::Object(entries) = value else {
            return false;
        };
        if tags.iter().any(|(other, _)| other != name) {
            return false;
        }
        let words: Vec<&str> = tags
            .iter()
            .flat_map(|(_, words)| words.iter().copied())
            .collect();
        let Some((_, tag)) = entries.iter_mut().find(|(key, _)| key == name) else {
            let quoted = words.iter().map(|word| Value::from(*word).to_string());
            let expected = listed(quoted, " | ");
            self.within(name, |check| {
                let fault = Fault::new(FaultKind::Missing, &check.path, expected);
                check.checked.faults.push(fault);
            });
            return true;
        };
        let Json::Text(text) = &*tag else {
            let quoted = words.iter().map(|word| Value::from(*word).to_string());
            let expected = listed(quoted, " | ");
            self.within(name, |check| check.fault(FaultKind::Type, tag, expected));
            return true;
        };
        let meant = words.iter().find(|word| *word == text).copied();
        let meant =
            meant.or_else(|| one_meant(text, words.iter().copied()).filter(|_| self.coerce));
        let Some(meant) = meant else {
            let found = tag.excerpt();
            let text = text.clone();
            self.within(name, |check| {
                let fault = check.no_variant(&text, &words).found(found);
                check.checked.faults.push(fault);
            });
            return true;
        };
        if meant != text {
            let meant = Json::Text(meant.to_owned());
            self.within(name, |check| check.coerce(tag, meant));
        }
        let variant = list
            .iter()
            .zip(&tags)
            .find(|(_, (_, words))| words.contains(&meant));
        if let Some((shape, _)) = variant {
            self.value(value, shape);
        }
        true
    }

    /// The tag of a variant: a required field for which only words may stand, and its words.
    fn tag_of(shape: &Shape) -> Option<(&str, Vec<&str>)> {
        fn tag(object: &Object) -> Option<(&str, Vec<&str>)> {
            object
                .fields
                .iter()
                .find_map(|field| match &field.shape.what {
                    What::Words(words) if field.required && words.len() == 1 => {
                        let words = words.iter().filter_map(|word| word.value.as_str());
                        Some((field.name.as_str(), words.collect()))
                    }
                    _ => None,
                })
        }
        match &shape.what {
            What::Object(object) => tag(object),
            What::All(parts) => parts.iter().find_map(|part| match &part.what {
                What::Object(object) => tag(object),
                _ => None,
            }),
            _ => None,
        }
    }

    /// Variants whose name is the only key of an object, and the words beside them. Whether these are such, and the value
    /// was looked at.
    fn named(&mut self, value: &mut Json, list: &[&Shape]) -> bool {
        let is_variant = |object: &Object| {
            object.fields.len() == 1
                && object.fields.iter().all(|field| field.required)
                && matches!(object.rest, Rest::Nothing)
        };
        let mut names = Vec::new();
        let mut variants = 0;
        for shape in list {
            match &shape.what {
                What::Object(object) if is_variant(object) => {
                    variants += 1;
                    names.extend(object.fields.iter().map(|field| field.name.as_str()));
                }
                What::Words(words) => {
                    names.extend(words.iter().filter_map(|word| word.value.as_str()));
                }
                _ => return false,
            }
        }
        if variants == 0 {
            return false;
        }
        let Json::Object(entries) = value else {
            let Json::Text(text) = &*value else {
                return false;
            };
            let words = list.iter().filter_map(|shape| match &shape.what {
                What::Words(words) => Some(words),
                _ => None,
            });
            let mut words = words.flatten().filter_map(|word| word.value.as_str());
            if words.any(|word| word == text) {
                return true;
            }
            match one_meant(text, names.iter().copied()) {
                Some(meant) if self.coerce => {
                    let meant = Json::Text(meant.to_owned());
                    self.coerce(value, meant);
                }
                _ => {
                    let fault = self.no_variant(text, &names).found(value.excerpt());
                    self.checked.faults.push(fault);
                }
            }
            return true;
        };
        let [(key, _)] = entries.as_mut_slice() else {
            return false;
        };
        if !names.contains(&key.as_str()) {
            match one_meant(key, names.iter().copied()) {
                Some(meant) if self.coerce => {
                    meant.clone_into(key);
                    self.checked.coerced.push(self.path.clone());
                }
                _ => {
                    let name = key.clone();
                    self.within(&name, |check| {
                        let quoted = Json::Text(name.clone());
                        let fault = check.no_variant(&name, &names).found(quoted.excerpt());
                        check.checked.faults.push(fault);
                    });
                    return true;
                }
            }
        }
        let variant = list.iter().find(|shape| match &shape.what {
            What::Object(object) => object.by_name.contains_key(key.as_str()),
            _ => false,
        });
        if let Some(shape) = variant {
            self.value(value, shape);
        }
        true
    }

    /// Whether a value is of the kind that a shape wants, whatever is in it.
    fn is_kind(&self, value: &Json, shape: &Shape) -> bool {
        match &shape.what {
            What::Any | What::Named(_) => true,
            What::Words(words) => words.iter().any(|word| is_word(value, word)),
            What::List(_) | What::Tuple(_) => matches!(value, Json::List(_)),
            What::Object(_) | What::All(_) => matches!(value, Json::Object(_)),
            What::Either(list) => list
                .iter()
                .any(|shape| self.is_kind(value, self.shapes.resolve(shape))),
            what => is_of(value, what),
        }
    }

    /// How well an object fits: fields that are there, less those that are missing.
    fn score(&self, value: &Json, shape: &Shape) -> isize {
        let Json::Object(entries) = value else {
            return 0;
        };
        let score = |object: &Object| {
            let there: BTreeSet<usize> = entries
                .iter()
                .filter_map(|(name, _)| object.by_name.get(name).copied())
                .collect();
            let required = object.fields.iter().enumerate();
            let missing = required.filter(|(at, field)| field.required && !there.contains(at));
            there.len().cast_signed() - missing.count().cast_signed()
        };
        match &shape.what {
            What::Object(object) => score(object),
            What::All(parts) => {
                let parts = parts.iter().map(|part| self.shapes.resolve(part));
                parts
                    .map(|part| match &part.what {
                        What::Object(object) => score(object),
                        _ => 0,
                    })
                    .sum()
            }
            _ => 0,
        }
    }
}

/// Whether a value is of a plain type.
fn is_of(value: &Json, what: &What) -> bool {
    match (what, value) {
        (What::Null, Json::Null)
        | (What::Boolean, Json::Bool(_))
        | (What::Number, Json::Number(_))
        | (What::Text, Json::Text(_)) => true,
        (What::Integer, Json::Number(digits)) => is_integer(digits),
        _ => false,
    }
}

fn is_word(value: &Json, word: &Word) -> bool {
    match (value, &word.value) {
        (Json::Text(text), Value::String(word)) => text == word,
        (Json::Bool(value), Value::Bool(word)) => value == word,
        (Json::Number(digits), Value::Number(word)) => *digits == word.to_string(),
        _ => false,
    }
}

fn is_integer(digits: &str) -> bool {
    let digits = digits.strip_prefix('-').unwrap_or(digits);
    digits.bytes().all(|byte| byte.is_ascii_digit())
}

/// What a plain value means where another plain type is wanted; `None` if nothing, or not surely.
fn meant(value: &Json, what: &What) -> Option<Json> {
    match (what, value) {
        (What::Text, Json::Number(digits)) => Some(Json::Text(digits.clone())),
        (What::Boolean, Json::Text(text)) => match text.trim().to_ascii_lowercase().as_str() {
            "true" | "yes" => Some(Json::Bool(true)),
            "false" | "no" => Some(Json::Bool(false)),
            _ => None,
        },
        (What::Number, Json::Text(text)) => number_in(text).map(Json::Number),
        (What::Integer, Json::Text(text)) => whole(&number_in(text)?).map(Json::Number),
        (What::Integer, Json::Number(digits)) if !is_integer(digits) => {
            whole(digits).map(Json::Number)
        }
        _ => None,
    }
}

/// A text that is nothing but a number of JSON.
fn number_in(text: &str) -> Option<String> {
    let text = text.trim();
    (number_end(text) == Some(text.len())).then(|| text.to_owned())
}

/// `3.0` and `3e2` as an integer. Beyond 15 digits a float does not say which.
fn whole(digits: &str) -> Option<String> {
    if is_integer(digits) {
        return Some(digits.to_owned());
    }
    let number: f64 = digits.parse().ok()?;
    match number {
        0.0 => Some("0".to_owned()),
        _ if number.fract() == 0.0 && number.abs() < 1e15 => Some(format!("{number:.0}")),
        _ => None,
    }
}

/// The one of some names that is meant by another case or other separators.
fn one_meant<'n>(name: &str, names: impl Iterator<Item = &'n str>) -> Option<&'n str> {
    let wanted = plain(name);
    let mut alike = names.filter(|known| plain(known) == wanted);
    let meant = alike.next()?;
    (alike.next().is_none() && !wanted.is_empty()).then_some(meant)
}

/// A name in small letters, without separators.
fn plain(name: &str) -> String {
    let kept = name.chars().filter(|c| !matches!(c, ' ' | '_' | '-' | '.'));
    kept.flat_map(char::to_lowercase).collect()
}
