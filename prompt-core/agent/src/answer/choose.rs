//! Which of the values in a text is the answer. A text and how it ended come in; out goes what the type accepted and what was
//! done for it, or the faults of what was to be the answer. The last word counts: of several values that fit the last, and
//! none that fits where something behind it was to be the answer and breaks off, is no JSON, or has a wrong value in it.

use super::check;
use super::fault::{Fault, FaultKind, Repair};
use super::find::{self, Found};
use super::json::{Json, shown};
use super::print;
use super::read::{Candidate, Seen, is_blank};
use super::serde_error;
use super::shape::What;
use super::{Answer, Ending};
use schemars::JsonSchema;
use serde::de::DeserializeOwned;
use serde_json::Value;
use std::collections::BTreeSet;

/// Values in a text whose faults are compared, if none fits.
const MOST_COMPARED: usize = 16;

/// Characters of the text that a reason shows.
const SHOWN: usize = 20;

/// What stands around a word that is the whole answer.
const MARKUP: &[char] = &[
    '"', '\'', '`', '*', '_', '.', '“', '”', '„', '‘', '’', '«', '»',
];

/// What reading a text gives.
pub(super) enum Outcome<T> {
    /// With the JSON that the type read.
    Fits(T, Value, Vec<Repair>),
    Faults(Vec<Fault>),
    /// A value that breaks off, at this place.
    CutOff(String),
}

impl<T> Outcome<T> {
    fn fault(fault: Fault) -> Self {
        Self::Faults(vec![fault])
    }

    fn syntax(what: String, place: &str) -> Self {
        let between = if place.is_empty() { "" } else { ", in " };
        Self::fault(Fault::new(FaultKind::Syntax, "", what + between + place))
    }

    fn broken_off(place: String, comment: Option<&str>, ending: Ending) -> Self {
        if ending == Ending::Length {
            return Self::CutOff(place);
        }
        let place = match comment {
            Some(comment) => format!("{place}, where `{comment}` runs to the end"),
            None => place,
        };
        Self::syntax("it stops in the middle".into(), &place)
    }
}

/// A value that the type was asked for.
struct Tried<T> {
    /// With what was coerced.
    tree: Json,
    outcome: Outcome<T>,
    /// The type accepts it, whatever its bounds and the caller's check say.
    is_of_type: bool,
}

impl<T> Tried<T> {
    /// Whether this was to be the answer, all of it: a value in it is wrong, but none is missing.
    fn is_whole(&self) -> bool {
        let is_inside = |fault: &Fault| fault.kind != FaultKind::Missing && !fault.path.is_empty();
        match &self.outcome {
            Outcome::Faults(faults) => self.is_of_type || faults.iter().all(is_inside),
            _ => true,
        }
    }
}

impl<T: DeserializeOwned + JsonSchema> Answer<T> {
    pub(super) fn judge(&self, text: &str, ending: Ending) -> Outcome<T> {
        if self.settings.strict {
            return self.read_strictly(text, ending);
        }
        // Whatever is JSON is read as serde_json reads it: serde is asked before anything else.
        let plain = text.trim_matches(is_blank);
        if let Ok(value) = parse(plain) {
            let (mut tree, mut repairs) = own_tree(plain);
            repairs.retain(|repair| *repair == Repair::DuplicateKey);
            return self.accept(value, &mut tree, Vec::from_iter(repairs));
        }
        let found = find::find(text, self.wants_list());
        match self.choose_word(text, &found, ending) {
            Some(outcome) => outcome,
            None => self.choose(text, found, ending),
        }
    }

    fn read_strictly(&self, text: &str, ending: Ending) -> Outcome<T> {
        let (text, fenced) = find::find_strictly(text);
        let repairs = fenced.then_some(Repair::Fence);
        match parse(text) {
            Ok(value) => self.accept(value, &mut own_tree(text).0, Vec::from_iter(repairs)),
            Err(fault) if fault.expected.starts_with("EOF") && ending == Ending::Length => {
                Outcome::CutOff(fault.path)
            }
            Err(fault) => Outcome::Faults(self.refuse(text, fault)),
        }
    }

    /// The variant that the whole text is, where the type is an enum of words.
    fn choose_word(&self, text: &str, found: &Found, ending: Ending) -> Option<Outcome<T>> {
        let shapes = &self.kind.shapes;
        let What::Words(words) = &shapes.resolve(&shapes.root).what else {
            return None;
        };
        let (inside, fenced) = find::find_strictly(text.get(found.start..)?);
        let word = inside.trim_matches(|c| is_blank(c) || MARKUP.contains(&c));
        if let Some(meant) = check::one_word(word, words) {
            let mut repairs = BTreeSet::from([Repair::Word]);
            repairs.extend(fenced.then_some(Repair::Fence));
            repairs.extend(found.reasoning.is_some().then_some(Repair::Prose));
            let mut tree = Json::Text(meant.to_owned());
            let value = parse(&tree.to_text()).ok()?;
            return Some(self.accept(value, &mut tree, Vec::from_iter(repairs)));
        }
        let is_text = found.values.is_empty() && found.stray.is_none() && !found.in_reasoning;
        (is_text && !inside.is_empty() && ending != Ending::Length).then(|| {
            let mut tree = Json::Text(inside.to_owned());
            Outcome::Faults(check::check(&mut tree, shapes, false).faults)
        })
    }

    /// The last value that fits, unless something behind it was to be the answer; else what is wrong with the one that fits
    /// best.
    fn choose(&self, text: &str, mut found: Found, ending: Ending) -> Outcome<T> {
        if ending == Ending::Length && (found.in_reasoning || find::ends_in_fence_head(text)) {
            return Outcome::CutOff(String::new());
        }
        let alone = found.values.len() == 1;
        let mut compared: Vec<Vec<Fault>> = Vec::new();
        while let Some(seen) = found.values.pop() {
            let candidate = match seen {
                Seen::Value(candidate) if candidate.open && ending != Ending::Own => {
                    return Outcome::broken_off(candidate.place, None, ending);
                }
                Seen::Value(candidate) => candidate,
                Seen::Cut(place, comment) => {
                    return Outcome::broken_off(place, comment.as_deref(), ending);
                }
                Seen::Broken(place, why) => {
                    return Outcome::syntax(format!("it is no JSON: {why}"), &place);
                }
            };
            let tried = self.try_it(text, candidate, alone);
            let is_whole = tried.is_whole();
            match tried.outcome {
                Outcome::Fits(value, json, mut repairs) => {
                    if self.fits_otherwise(text, &tried.tree, found.values) {
                        repairs.push(Repair::Several);
                        repairs.sort_unstable();
                    }
                    return Outcome::Fits(value, json, repairs);
                }
                Outcome::Faults(faults) if !is_whole => {
                    if compared.len() < MOST_COMPARED {
                        compared.push(faults);
                    }
                }
                outcome => return outcome,
            }
        }
        match compared.into_iter().min_by_key(Vec::len) {
            Some(faults) => Outcome::Faults(faults),
            // Stopped before it came to the value.
            None if ending == Ending::Length => Outcome::CutOff(String::new()),
            None => Outcome::fault(self.no_value(text, &found)),
        }
    }

    /// Whether one of these values fits, too, and is another one.
    fn fits_otherwise(&self, text: &str, tree: &Json, values: Vec<Seen>) -> bool {
        values.into_iter().rev().any(|seen| {
            let Seen::Value(candidate) = seen else {
                return false;
            };
            let tried = self.try_it(text, candidate, false);
            matches!(tried.outcome, Outcome::Fits(..)) && tried.tree != *tree
        })
    }

    /// There is no value: nothing that looks like one, or the bracket that came nearest.
    fn no_value(&self, text: &str, found: &Found) -> Fault {
        let shapes = &self.kind.shapes;
        let at = |place: usize| {
            let rest = text.get(place..).unwrap_or_default();
            let (end, cut) = match rest.char_indices().nth(SHOWN) {
                Some((end, _)) => (end, ".."),
                None => (rest.len(), ""),
            };
            shown(&rest[..end]) + cut
        };
        let missing =
            |place: usize, why: String| Fault::new(FaultKind::Missing, "", why).found(at(place));
        match (&found.stray, found.reasoning) {
            (_, Some(place)) if found.in_reasoning => missing(
                place,
                "the reasoning does not end, and no answer follows".into(),
            ),
            (Some((place, why)), _) => missing(
                *place,
                format!("no answer begins at `{}`: {why}", at(*place)),
            ),
            (None, Some(place)) => missing(place, "no answer follows the reasoning".into()),
            (None, None) => Fault::new(FaultKind::Missing, "", print::brief(shapes, &shapes.root)),
        }
    }

    /// Asks the type; then, with what was coerced, once more.
    fn try_it(&self, text: &str, candidate: Candidate, alone: bool) -> Tried<T> {
        let mut tree = candidate.value;
        let mut repairs = Vec::from_iter(candidate.repairs);
        let is_frame = |repair: &Repair| matches!(repair, Repair::Fence | Repair::Prose);
        let source = text.get(candidate.range);
        let source = source.filter(|_| repairs.iter().all(is_frame));
        let first = match source.map_or_else(|| parse(&tree.to_text()), parse) {
            Ok(value) => return self.of_type(value, tree, repairs),
            Err(fault) => fault,
        };
        // Several values where a list is wanted: one of them is not the list.
        let coerce = alone || !self.wants_list() || matches!(tree, Json::List(_));
        let checked = check::check(&mut tree, &self.kind.shapes, coerce);
        let mut own = first;
        if !checked.coerced.is_empty() {
            match parse(&tree.to_text()) {
                Ok(value) => {
                    repairs.extend(checked.coerced.into_iter().map(Repair::Coerced));
                    return self.of_type(value, tree, repairs);
                }
                Err(fault) => own = fault,
            }
        }
        Tried {
            tree,
            outcome: Outcome::Faults(serde_error::join(checked.faults, own)),
            is_of_type: false,
        }
    }

    fn of_type(&self, value: T, mut tree: Json, repairs: Vec<Repair>) -> Tried<T> {
        Tried {
            outcome: self.accept(value, &mut tree, repairs),
            tree,
            is_of_type: true,
        }
    }

    /// What the type accepts is only held to its bounds and to the check of the caller.
    pub(super) fn accept(&self, value: T, tree: &mut Json, repairs: Vec<Repair>) -> Outcome<T> {
        let mut faults = check::broken_bounds(tree, &self.kind.shapes);
        if let Some(Err(reason)) = self.check.as_ref().map(|check| check(&value)) {
            faults.push(Fault::new(FaultKind::Custom, "", reason));
        }
        if faults.is_empty() {
            Outcome::Fits(value, tree.clone().into_value(), repairs)
        } else {
            Outcome::Faults(faults)
        }
    }

    /// All faults of a text that serde has refused and that is not changed.
    pub(super) fn refuse(&self, text: &str, fault: Fault) -> Vec<Fault> {
        if fault.kind == FaultKind::Syntax {
            return vec![fault];
        }
        let (mut tree, _) = own_tree(text);
        let checked = check::check(&mut tree, &self.kind.shapes, false);
        serde_error::join(checked.faults, fault)
    }
}

/// Lets serde read a value.
pub(super) fn parse<T: DeserializeOwned>(text: &str) -> Result<T, Fault> {
    let mut source = serde_json::Deserializer::from_str(text);
    let read = serde_path_to_error::deserialize(&mut source);
    let value = read.map_err(|error| serde_error::fault_of(&error))?;
    let behind = |error: serde_json::Error| {
        let reason = serde_error::without_place(&error.to_string());
        Fault::new(FaultKind::Syntax, "", reason)
    };
    source.end().map_err(behind)?;
    Ok(value)
}

/// The tree of a text that is JSON, and what reading it took; null where it is none.
pub(super) fn own_tree(text: &str) -> (Json, BTreeSet<Repair>) {
    match find::whole(text, 0) {
        Some(Seen::Value(candidate)) => (candidate.value, candidate.repairs),
        _ => (Json::Null, BTreeSet::new()),
    }
}
