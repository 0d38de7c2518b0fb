//! A value against the shape of its type: all faults at once, and, where it is allowed, the coercions that the type asks
//! for. `serde` has refused the value before; what it accepts is only looked at for bounds.

use super::fault::{Fault, FaultKind};
use super::find;
use super::formats::{Format, format};
use super::json::{Json, push_step};
use super::print::{brief, key, limits, listed};
use super::read::{Seen, is_number};
use super::shape::{Bounds, Field, Limit, Object, Pattern, Rest, Shape, Shapes, What, Word};
use prompt_core::diagnostics::nearest;
use serde_json::Value;
use std::cmp::Ordering;
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
        self.add(Fault::new(kind, &self.path, expected).found(value.excerpt()));
    }

    fn add(&mut self, fault: Fault) {
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

    fn value(&mut self, value: &mut Json, named: &Shape) {
        let shape = self.shapes.resolve(named);
        if *value == Json::Null
            && (named.nullable || shape.nullable || matches!(shape.what, What::Null))
        {
            return;
        }
        if self.coerce
            && !self.is_kind(value, shape)
            && let Some(meant) = written(value).filter(|meant| self.is_kind(meant, shape))
        {
            self.coerce(value, meant);
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
                self.plain(value, shape);
            }
        }
    }

    fn plain(&mut self, value: &mut Json, shape: &Shape) {
        let format = shape.bounds.format.as_deref().and_then(format);
        // A number is no date.
        if self.coerce
            && format.is_none()
            && let Some(meant) = meant(value, &shape.what)
        {
            self.coerce(value, meant);
        }
        match (&*value, format) {
            (value, None) if !is_of(value, &shape.what) => self.wrong_type(value, shape),
            (Json::Text(text), Some(format)) if format.takes(text) => {
                self.bounds(value, &shape.bounds, &shape.what);
            }
            (value, Some(Format { said, .. })) => self.fault(FaultKind::Type, value, said),
            (value, None) => self.bounds(value, &shape.bounds, &shape.what),
        }
    }

    fn bounds(&mut self, value: &Json, bounds: &Bounds, what: &What) {
        let length = match value {
            Json::Number(digits) => {
                let (least, most) = (bounds.least.as_ref(), bounds.most.as_ref());
                let below = least.filter(|least| is_beyond(digits, least, Ordering::Less));
                let above = most.filter(|most| is_beyond(digits, most, Ordering::Greater));
                if let Some(limit) = below.or(above) {
                    let said = limits(bounds, what);
                    let is_said = !said.is_empty() && !limit.implied;
                    let expected = match (least, most) {
                        _ if is_said => said,
                        // The range of the number type, which is not printed elsewhere.
                        (Some(least), Some(most)) => format!("{} to {}", least.text, most.text),
                        (Some(least), None) => format!("at least {}", least.text),
                        (None, most) => {
                            most.map_or_else(String::new, |most| format!("at most {}", most.text))
                        }
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
        let strange = match (value, &bounds.pattern) {
            (Json::Text(text), Some(Pattern(regex))) => !regex.is_match(text),
            _ => false,
        };
        if short || long || strange {
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
        match self.pick(text, &names(words), |name| Value::from(name).to_string()) {
            Ok(meant) => self.coerce(value, Json::Text(meant.to_owned())),
            Err(fault) => self.add(fault),
        }
    }

    /// Which of some names a text means that is none of them. A fault shows them as they stand in an answer.
    fn pick<'n>(
        &self,
        text: &str,
        names: &[&'n str],
        show: impl Fn(&str) -> String,
    ) -> Result<&'n str, Fault> {
        let meant = one_meant(text, names).filter(|_| self.coerce);
        meant.ok_or_else(|| {
            let shown = names.iter().map(|name| show(name));
            // Where two could be meant by their letters alone, none is proposed.
            let alike = names.iter().filter(|known| plain(known) == plain(text));
            let near = nearest(text, names.iter().copied()).filter(|_| alike.count() < 2);
            Fault::new(FaultKind::Variant, &self.path, listed(shown, ", "))
                .found(Json::Text(text.to_owned()).excerpt())
                .near(near)
        })
    }

    fn list(&mut self, value: &mut Json, item: &Shape, shape: &Shape) {
        let is_one = !matches!(value, Json::List(_)) && !is_written(value);
        if self.coerce && is_one && self.could_be(value, item) {
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
                let names = names(words);
                names.contains(&text.as_str()) || one_meant(text, &names).is_some()
            }
            (What::Object(_) | What::All(_), Json::Object(entries)) => self.shares(entries, item),
            (What::Either(list), value) => {
                *value != Json::Null && list.iter().any(|shape| self.could_be(value, shape))
            }
            (What::Boolean | What::Integer | What::Number | What::Text, value) => {
                is_of(value, &item.what) || meant(value, &item.what).is_some()
            }
            _ => false,
        }
    }

    /// Whether an object has a field of a shape, in any spelling, or the shape has none.
    fn shares(&self, entries: &[(String, Json)], shape: &Shape) -> bool {
        let objects = self.shapes.objects(shape);
        let names: Vec<&String> = objects
            .iter()
            .flatten()
            .flat_map(|object| object.by_name.keys())
            .collect();
        let is_name = |key: &str| {
            names
                .iter()
                .any(|name| *name == key || plain(name) == plain(key))
        };
        names.is_empty() || entries.iter().any(|(key, _)| is_name(key))
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
            let place = object.by_name.get(name).copied();
            let twice = place.is_some_and(|place| !seen.insert(place));
            let field = place.map(|place| &object.fields[place]);
            self.within(name, |check| match (field, &object.rest) {
                (Some(_), _) if twice => check.fault(FaultKind::DuplicateField, value, ""),
                (Some(field), _) if check.may_go(value, field) => {
                    check.checked.coerced.push(check.path.clone());
                    dropped.push(at);
                }
                (Some(field), _) => check.value(value, &field.shape),
                (None, Rest::Of(shape)) => check.value(value, shape),
                (None, Rest::Nothing) => {
                    let names = object.fields.iter().map(|field| field.name.as_str());
                    let fault = Fault::new(FaultKind::UnknownField, &check.path, "");
                    check.add(fault.found(value.excerpt()).near(nearest(name, names)));
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
                    check.add(Fault::new(FaultKind::Missing, &check.path, expected).near(near));
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
    /// most fields that are there, if there is one. Its faults are those of the value. None is picked at random.
    fn either(&mut self, value: &mut Json, list: &[Shape], shape: &Shape) {
        let shapes = self.shapes;
        let list: Vec<&Shape> = list.iter().map(|shape| shapes.resolve(shape)).collect();
        if self.tagged(value, &list) || self.named(value, &list, shape) {
            return;
        }
        let fitting = list.iter().filter(|shape| self.is_kind(value, shape));
        let mut scored: Vec<_> = fitting
            .map(|shape| (self.score(value, shape), *shape))
            .collect();
        scored.sort_by_key(|(score, _)| *score);
        let best = match (scored.pop(), scored.last()) {
            (Some((best, _)), Some((next, _))) if best == *next && value.is_container() => {
                return self.wrong_type(value, shape);
            }
            (best, _) => best.map(|(_, shape)| shape),
        };
        // Texts are only read as something else where no text may stand.
        let could_be = |shape: &&&Shape| self.coerce && self.could_be(value, shape);
        match best.or_else(|| list.iter().find(could_be).copied()) {
            Some(shape) => self.value(value, shape),
            None => self.wrong_type(value, shape),
        }
    }

    /// Variants with a tag in them. Whether these are such, and the value was looked at.
    fn tagged(&mut self, value: &mut Json, list: &[&Shape]) -> bool {
        let shapes = self.shapes;
        let tags: Option<Vec<_>> = list.iter().map(|shape| tag_of(shapes, shape)).collect();
        let (Some(tags), Json::Object(entries)) = (tags, &mut *value) else {
            return false;
        };
        let Some((name, _)) = tags.first() else {
            return false;
        };
        if tags.iter().any(|(other, _)| other != name) {
            return false;
        }
        let words: Vec<&str> = tags.iter().map(|(_, word)| *word).collect();
        let expected = || {
            let quoted = words.iter().map(|word| Value::from(*word).to_string());
            listed(quoted, " | ")
        };
        let Some(at) = entries.iter().position(|(key, _)| key == name) else {
            let near = nearest(name, entries.iter().map(|(key, _)| key.as_str()));
            self.within(name, |check| {
                check.add(Fault::new(FaultKind::Missing, &check.path, expected()).near(near));
            });
            return true;
        };
        let tag = &mut entries[at].1;
        let mut variant = None;
        self.within(name, |check| {
            let Json::Text(text) = &*tag else {
                return check.fault(FaultKind::Type, tag, expected());
            };
            variant = words.iter().position(|word| word == text);
            if variant.is_none() {
                match check.pick(text, &words, |word| Value::from(word).to_string()) {
                    Ok(meant) => {
                        variant = words.iter().position(|word| *word == meant);
                        check.coerce(tag, Json::Text(meant.to_owned()));
                    }
                    Err(fault) => check.add(fault),
                }
            }
        });
        if let Some(variant) = variant {
            self.value(value, list[variant]);
        }
        true
    }

    /// Variants whose name is the only key of an object, and the words beside them. Whether these are such, and the value
    /// was looked at.
    fn named(&mut self, value: &mut Json, list: &[&Shape], shape: &Shape) -> bool {
        let Some(variants) = Variants::of(list) else {
            return false;
        };
        match value {
            Json::Text(text) => match self.pick_variant(text, &variants) {
                Ok(_) if variants.words.contains(&text.as_str()) => {}
                Ok(meant) if variants.words.contains(&meant) => {
                    self.coerce(value, Json::Text(meant.to_owned()));
                }
                Ok(meant) => {
                    let of = variants.data.iter().find(|field| field.name == meant);
                    let of = of.map(|field| brief(self.shapes, &field.shape));
                    let expected = format!("{{ {}: {} }}", key(meant), of.unwrap_or_default());
                    self.fault(FaultKind::Type, value, expected);
                }
                Err(fault) => self.add(fault),
            },
            Json::Object(entries) if entries.len() == 1 => self.only_key(value, &variants),
            Json::Object(_) => self.wrong_type(value, shape),
            _ => return false,
        }
        true
    }

    /// The variant that a name means, also one that is written as it should.
    fn pick_variant<'n>(&self, name: &str, variants: &Variants<'n>) -> Result<&'n str, Fault> {
        let all = variants.names();
        match all.iter().find(|known| **known == name) {
            Some(known) => Ok(known),
            None => self.pick(name, &all, |name| variants.show(name)),
        }
    }

    /// A variant with what is in it.
    fn only_key(&mut self, value: &mut Json, variants: &Variants<'_>) {
        let Json::Object(entries) = value else {
            return;
        };
        let [(name, inner)] = entries.as_mut_slice() else {
            return;
        };
        let meant = match self.pick_variant(name, variants) {
            Ok(meant) => meant,
            Err(fault) => {
                let name = name.clone();
                return self.within(&name, |check| {
                    let path = check.path.clone();
                    check.add(Fault { path, ..fault });
                });
            }
        };
        let Some(field) = variants.data.iter().find(|field| field.name == meant) else {
            // A word has nothing in it, and may be written so.
            if *inner != Json::Null || name != meant {
                self.fault(FaultKind::Type, value, variants.show(meant));
            }
            return;
        };
        if name != meant {
            meant.clone_into(name);
            self.checked.coerced.push(self.path.clone());
        }
        self.within(meant, |check| check.value(inner, &field.shape));
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
            let there = |name: &str| object.by_name.get(name).copied();
            let there: BTreeSet<usize> =
                entries.iter().filter_map(|(name, _)| there(name)).collect();
            let required = object.fields.iter().enumerate();
            let missing = required.filter(|(at, field)| field.required && !there.contains(at));
            there.len().cast_signed() - missing.count().cast_signed()
        };
        let objects = self.shapes.objects(shape);
        objects.into_iter().flatten().map(score).sum()
    }
}

/// The variants of an enum as serde writes them: words, and objects with the name of the variant as their only key.
struct Variants<'s> {
    words: Vec<&'s str>,
    data: Vec<&'s Field>,
}

impl<'s> Variants<'s> {
    fn of(list: &[&'s Shape]) -> Option<Self> {
        let (mut words, mut data) = (Vec::new(), Vec::new());
        let mut is_closed = true;
        for shape in list {
            match &shape.what {
                What::Words(of) => words.extend(names(of)),
                What::Object(object) => {
                    let [only] = object.fields.as_slice() else {
                        return None;
                    };
                    is_closed &= only.required && matches!(object.rest, Rest::Nothing);
                    data.push(only);
                }
                _ => return None,
            }
        }
        let is_result = data
            .iter()
            .map(|field| field.name.as_str())
            .eq(["Ok", "Err"]);
        (!data.is_empty() && (is_closed || is_result)).then_some(Self { words, data })
    }

    fn names(&self) -> Vec<&'s str> {
        let data = self.data.iter().map(|field| field.name.as_str());
        self.words.iter().copied().chain(data).collect()
    }

    /// A variant as it stands in an answer, in short.
    fn show(&self, name: &str) -> String {
        if self.words.contains(&name) {
            Value::from(name).to_string()
        } else {
            format!("{{ {} }}", key(name))
        }
    }
}

/// The tag of a variant: a required field for which only one word may stand, and the word.
fn tag_of<'s>(shapes: &'s Shapes, shape: &'s Shape) -> Option<(&'s str, &'s str)> {
    let objects = shapes.objects(shape).into_iter().flatten();
    let mut fields = objects.flat_map(|object| &object.fields);
    fields.find_map(|field| match &field.shape.what {
        What::Words(words) if field.required && words.len() == 1 => {
            Some((field.name.as_str(), words[0].value.as_str()?))
        }
        _ => None,
    })
}

/// The list or object that a text is the JSON of: models write arguments and fields so.
pub(super) fn written(value: &Json) -> Option<Json> {
    let Json::Text(text) = value else { return None };
    let text = text.trim();
    if !text.starts_with(['[', '{']) {
        return None;
    }
    match find::whole(text, 0) {
        Some(Seen::Value(candidate)) if !candidate.open && candidate.repairs.is_empty() => {
            Some(candidate.value)
        }
        _ => None,
    }
}

/// Words of models for nothing.
const NOTHING: [&str; 5] = ["null", "none", "nil", "n/a", "undefined"];

/// Whether a text is no element of a list that was meant: it says nothing, or is JSON of its own, whole or not.
fn is_written(value: &Json) -> bool {
    let Json::Text(text) = value else {
        return false;
    };
    let text = text.trim().trim_start_matches('\u{feff}');
    text.is_empty()
        || NOTHING.iter().any(|word| text.eq_ignore_ascii_case(word))
        || text.starts_with(['[', '{', '"'])
        || text.ends_with([']', '}'])
        || text.contains("```")
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
    let unsigned = digits.strip_prefix('-').unwrap_or(digits);
    digits != "-0" && unsigned.bytes().all(|byte| byte.is_ascii_digit())
}

/// Whether a number lies on the wrong side of a limit.
fn is_beyond(digits: &str, limit: &Limit, wrong: Ordering) -> bool {
    let order = if is_integer(digits) && is_integer(&limit.text) {
        Some(compare_integers(digits, &limit.text))
    } else {
        let number = digits.parse::<f64>().ok();
        number.and_then(|number| number.partial_cmp(&limit.value))
    };
    order.is_some_and(|order| order == wrong || (limit.exclusive && order == Ordering::Equal))
}

/// Compares integers of any length, which no float holds.
fn compare_integers(one: &str, other: &str) -> Ordering {
    let lengths = |one: &str, other: &str| one.len().cmp(&other.len()).then(one.cmp(other));
    match (one.strip_prefix('-'), other.strip_prefix('-')) {
        (Some(one), Some(other)) => lengths(other, one),
        (Some(_), None) => Ordering::Less,
        (None, Some(_)) => Ordering::Greater,
        (None, None) => lengths(one, other),
    }
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
    is_number(text).then(|| text.to_owned())
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

/// The one of some words that a text means, as it is or by another case or other separators.
pub(super) fn one_word<'w>(text: &str, words: &'w [Word]) -> Option<&'w str> {
    let names = names(words);
    let same = names.iter().find(|name| **name == text).copied();
    same.or_else(|| one_meant(text, &names))
}

/// The one of some names that is meant by another case or other separators.
fn one_meant<'n>(name: &str, names: &[&'n str]) -> Option<&'n str> {
    let wanted = plain(name);
    let mut alike = names.iter().filter(|known| plain(known) == wanted);
    let meant = alike.next()?;
    (alike.next().is_none() && !wanted.is_empty()).then_some(*meant)
}

/// The words that are texts.
fn names(words: &[Word]) -> Vec<&str> {
    let values = words.iter().map(|word| &word.value);
    values.filter_map(Value::as_str).collect()
}

/// A name in small letters, without separators.
fn plain(name: &str) -> String {
    let kept = name.chars().filter(|c| !matches!(c, ' ' | '_' | '-' | '.'));
    kept.flat_map(char::to_lowercase).collect()
}
