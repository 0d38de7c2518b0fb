//! What the `open_sections` calls of a turn ask for, read from their arguments and checked against a rendered prompt.

use super::{
    ToolFault,
    fault::{LONGEST_REASON, MOST_NAMED},
    openable::{Openable, Openables, ancestors},
};
use crate::tool::ToolCall;
use crate::visibility::Visibility;
use serde_json::{Map, Value};
use std::collections::{BTreeMap, BTreeSet};

const KEYS: &str = "section_keys";
const REASON: &str = "reason";

/// The request of one call, or of several that were merged: what could be read, and what is wrong with it.
#[derive(Clone, Debug, Default)]
pub(crate) struct Request {
    pub(crate) section_keys: Vec<String>,
    pub(crate) reason: String,
    pub(crate) faults: Vec<ToolFault>,
}

impl Request {
    pub(crate) fn of<'c>(calls: impl IntoIterator<Item = &'c ToolCall>) -> Self {
        let mut request = Self::default();
        for call in calls {
            match &call.arguments {
                Value::Object(arguments) => request.read(arguments),
                other => request.wrong_type("arguments", "a JSON object", kind(other)),
            }
        }
        request
    }

    fn read(&mut self, arguments: &Map<String, Value>) {
        const LIST: &str = "an array of strings";
        const TEXT: &str = "a string";
        match arguments.get(KEYS) {
            None => self.faults.push(ToolFault::MissingArgument {
                argument: KEYS,
                expected: LIST,
            }),
            Some(Value::Array(keys)) if keys.is_empty() => self.faults.push(ToolFault::NoKeys),
            Some(Value::Array(keys)) => {
                self.section_keys
                    .extend(keys.iter().filter_map(Value::as_str).map(str::to_owned));
                if let Some(other) = keys.iter().find(|key| !key.is_string()) {
                    self.wrong_type(KEYS, LIST, &format!("an array with {} in it", kind(other)));
                }
            }
            Some(other) => self.wrong_type(KEYS, LIST, kind(other)),
        }
        match arguments.get(REASON) {
            None => self.faults.push(ToolFault::MissingArgument {
                argument: REASON,
                expected: TEXT,
            }),
            Some(Value::String(reason)) => self.add_reason(reason),
            Some(other) => self.wrong_type(REASON, TEXT, kind(other)),
        }
        let extra = arguments
            .keys()
            .filter(|name| ![KEYS, REASON].contains(&name.as_str()));
        self.faults
            .extend(extra.map(|name| ToolFault::UnexpectedArgument {
                argument: name.clone(),
            }));
    }

    fn wrong_type(&mut self, argument: &'static str, expected: &'static str, found: &str) {
        self.faults.push(ToolFault::WrongType {
            argument,
            expected,
            found: found.to_owned(),
        });
    }

    fn add_reason(&mut self, reason: &str) {
        let length = reason.chars().count();
        if length > LONGEST_REASON {
            self.faults.push(ToolFault::ReasonTooLong { length });
        }
        if self.reason.is_empty() {
            reason.clone_into(&mut self.reason);
        } else if self.reason != reason {
            self.reason.push_str("; ");
            self.reason.push_str(reason);
        }
    }
}

fn kind(value: &Value) -> &'static str {
    match value {
        Value::Null => "null",
        Value::Bool(_) => "a boolean",
        Value::Number(_) => "a number",
        Value::String(_) => "a string",
        Value::Array(_) => "an array",
        Value::Object(_) => "an object",
    }
}

/// How a section stands towards a request.
#[derive(Clone, Debug, PartialEq, Eq)]
enum State {
    Open,
    Closed,
    /// Inside this section, which is closed and not asked for.
    Hidden(String),
    Unknown,
}

/// How all sections of a rendered prompt stand.
pub(crate) struct Standing<'r> {
    shown: &'r BTreeMap<String, Visibility>,
    openables: &'r Openables,
    by_path: BTreeMap<&'r str, &'r Openable>,
}

impl<'r> Standing<'r> {
    pub(crate) fn new(shown: &'r BTreeMap<String, Visibility>, openables: &'r Openables) -> Self {
        let by_path = openables
            .list
            .iter()
            .map(|openable| (openable.path.as_str(), openable))
            .collect();
        Self {
            shown,
            openables,
            by_path,
        }
    }

    /// The paths that a request opens, in its order, each once.
    ///
    /// # Errors
    /// Every key that does not exist or is hidden; if nothing is left to open, those that are open already.
    pub(crate) fn check<'k>(&self, keys: &'k [String]) -> Result<Vec<&'k str>, Vec<ToolFault>> {
        let wanted: BTreeSet<&str> = keys.iter().map(String::as_str).collect();
        let mut met: BTreeSet<&str> = BTreeSet::new();
        let (mut closed, mut open, mut faults) = (Vec::new(), Vec::new(), Vec::new());
        for key in keys
            .iter()
            .map(String::as_str)
            .filter(|key| met.insert(key))
        {
            match self.state(key, &wanted) {
                State::Closed => closed.push(key),
                State::Open => open.push(ToolFault::AlreadyExpanded {
                    key: key.to_owned(),
                }),
                State::Hidden(parent) => faults.push(ToolFault::Hidden {
                    key: key.to_owned(),
                    parent,
                }),
                State::Unknown => {
                    faults.push(ToolFault::UnknownKey {
                        key: key.to_owned(),
                        nearest: self.nearest(key),
                    });
                }
            }
            if faults.len() == MOST_NAMED {
                return Err(faults);
            }
        }
        match (faults.is_empty(), closed.is_empty()) {
            (false, _) => Err(faults),
            (true, true) => Err(open),
            (true, false) => Ok(closed),
        }
    }

    /// The keys that can be opened now, in declaration order.
    pub(crate) fn closed(&self) -> impl Iterator<Item = &'r str> {
        let nothing = BTreeSet::new();
        self.openables
            .paths()
            .filter(move |path| self.state(path, &nothing) == State::Closed)
    }

    fn state(&self, key: &str, wanted: &BTreeSet<&str>) -> State {
        match self.shown.get(key) {
            Some(Visibility::Full) => return State::Open,
            Some(Visibility::Summary) => return State::Closed,
            None if !self.by_path.contains_key(key) => return State::Unknown,
            None => {}
        }
        // Nothing of it is shown: it is inside a summary, or a budget dropped it.
        let mut opens = false;
        for outer in ancestors(key) {
            let closed = match self.shown.get(outer) {
                Some(visibility) => *visibility == Visibility::Summary,
                None => self.by_path.get(outer).is_some_and(|outer| {
                    outer.visibility == Visibility::Summary || (outer.has_summary && !opens)
                }),
            };
            if closed && !wanted.contains(outer) {
                return State::Hidden(outer.to_owned());
            }
            opens |= closed;
        }
        State::Closed
    }

    fn nearest(&self, key: &str) -> Option<String> {
        let nothing = BTreeSet::new();
        let paths: Vec<&str> = self
            .openables
            .paths()
            .filter(|path| self.state(path, &nothing) != State::Open)
            .collect();
        nearest(key, &paths).map(str::to_owned)
    }
}

/// The path that a mistaken one most likely means: the most similar one, or the first that ends in the same key.
pub(crate) fn nearest<'p>(path: &str, paths: &[&'p str]) -> Option<&'p str> {
    let last = |path: &str| {
        path.rsplit('.')
            .next()
            .unwrap_or_default()
            .trim()
            .to_owned()
    };
    let key = last(path);
    let similar = prompt_syntax::nearest(path.trim(), paths.iter().copied());
    similar.or_else(|| {
        paths
            .iter()
            .copied()
            .find(|candidate| last(candidate) == key)
    })
}
