//! Values that are given at run time, and how they print: as the same value would in a derived type.
//!
//! They come from whatever serialises. A JSON value would not do: it widens an `f32` to digits that nobody wrote, has no
//! NaN, and prints 1e21 otherwise than Rust does.

use crate::node::spec::Spec;
use prompt_syntax::{Origin, Used};
use serde::{Serialize, Serializer};
use std::{borrow::Cow, fmt};

/// A value.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Value {
    Null,
    Bool(bool),
    Int(i128),
    Single(f32),
    Double(f64),
    Text(String),
    List(Vec<Value>),
    Map(Map),
}

/// How JSON stands.
#[derive(Clone, Copy, Debug)]
pub(super) enum Layout {
    Line,
    Indented(usize),
}

/// Names and values of a tree, sorted, each name once.
pub(super) type Values = Map;

/// Entries in the order in which they print: that of the fields of a struct, or sorted by key.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Map {
    entries: Vec<(String, Value)>,
    is_sorted: bool,
}

impl Map {
    /// The entries of a struct.
    pub(super) fn in_order(entries: Vec<(String, Value)>) -> Self {
        Self {
            entries,
            is_sorted: false,
        }
    }

    /// The entries of a map; of two with one name the later counts.
    pub(super) fn sorted(mut entries: Vec<(String, Value)>) -> Self {
        // The sort is stable: after it has been turned round, the later of two stands first.
        entries.reverse();
        entries.sort_by(|(left, _), (right, _)| left.cmp(right));
        entries.dedup_by(|later, one| later.0 == one.0);
        Self {
            entries,
            is_sorted: true,
        }
    }

    pub(super) fn position(&self, key: &str) -> Option<usize> {
        if self.is_sorted {
            let name = |(name, _): &(String, Value)| name.as_str().cmp(key);
            self.entries.binary_search_by(name).ok()
        } else {
            self.entries.iter().position(|(name, _)| name == key)
        }
    }

    /// The value at a position that was found.
    pub(super) fn at(&self, position: usize) -> &Value {
        &self.entries[position].1
    }

    pub(super) fn get(&self, key: &str) -> Option<&Value> {
        self.position(key).map(|position| self.at(position))
    }

    pub(super) fn len(&self) -> usize {
        self.entries.len()
    }

    pub(super) fn iter(&self) -> impl Iterator<Item = (&str, &Value)> {
        self.entries
            .iter()
            .map(|(key, value)| (key.as_str(), value))
    }

    /// The same, to look names up in.
    pub(super) fn into_sorted(self) -> Self {
        Self::sorted(self.entries)
    }

    pub(super) fn keys(&self) -> impl Iterator<Item = &str> {
        self.entries.iter().map(|(key, _)| key.as_str())
    }
}

impl Value {
    /// Whether a condition on it holds: it is true, a number, or something that is not empty.
    pub(super) fn holds(&self) -> bool {
        match self {
            Self::Null => false,
            Self::Bool(value) => *value,
            Self::Int(_) | Self::Single(_) | Self::Double(_) => true,
            Self::Text(text) => !text.is_empty(),
            Self::List(items) => !items.is_empty(),
            Self::Map(map) => !map.entries.is_empty(),
        }
    }

    /// Whether it is a text of which `trim` leaves nothing.
    pub(super) fn is_blank(&self) -> bool {
        matches!(self, Self::Text(text) if text.trim().is_empty())
    }

    /// The field of a map, or the item of a list.
    fn field(&self, name: &str) -> Option<&Self> {
        match self {
            Self::List(items) => items.get(name.parse::<usize>().ok()?),
            Self::Map(map) => map.get(name),
            _ => None,
        }
    }

    /// What is reached through these fields.
    pub(super) fn reach<'v>(&'v self, path: &[String]) -> Option<&'v Self> {
        path.iter()
            .try_fold(self, |value, field| value.field(field))
    }

    /// How many items a list has, or entries a map; 0 for anything else.
    pub(super) fn len(&self) -> usize {
        match self {
            Self::List(items) => items.len(),
            Self::Map(map) => map.entries.len(),
            _ => 0,
        }
    }

    /// The items of a list, or the entries of a map.
    pub(super) fn items(&self) -> impl Iterator<Item = Item<'_>> {
        let item = |index: usize| {
            let (key, value) = match self {
                Self::List(items) => (None, items.get(index)?),
                Self::Map(map) => {
                    let (key, value) = map.entries.get(index)?;
                    (Some(key.as_str()), value)
                }
                _ => return None,
            };
            let is_last = index + 1 == self.len();
            Some(Item {
                key,
                value,
                index,
                is_last,
            })
        };
        (0..self.len()).filter_map(item)
    }

    pub(super) fn is_list(&self) -> bool {
        matches!(self, Self::List(_) | Self::Map(_))
    }

    /// As text: lists and maps as JSON, `null` as nothing.
    pub(super) fn text(&self) -> Cow<'_, str> {
        match self {
            Self::Text(text) => Cow::Borrowed(text),
            other => Cow::Owned(other.printed(None)),
        }
    }

    fn printed(&self, precision: Option<usize>) -> String {
        match (self, precision) {
            (Self::Null, _) => String::new(),
            (Self::Bool(value), None) => value.to_string(),
            (Self::Bool(value), Some(most)) => value.to_string().chars().take(most).collect(),
            (Self::Int(number), _) => number.to_string(),
            (Self::Single(number), None) => number.to_string(),
            (Self::Single(number), Some(digits)) => format!("{number:.digits$}"),
            (Self::Double(number), None) => number.to_string(),
            (Self::Double(number), Some(digits)) => format!("{number:.digits$}"),
            (Self::Text(text), None) => text.clone(),
            (Self::Text(text), Some(most)) => text.chars().take(most).collect(),
            (list, _) => list.json(Layout::Line),
        }
    }

    /// As JSON.
    pub(super) fn json(&self, layout: Layout) -> String {
        let Layout::Indented(columns) = layout else {
            return serde_json::to_string(self).unwrap_or_default();
        };
        let (mut bytes, blanks) = (Vec::new(), " ".repeat(columns));
        let formatter = serde_json::ser::PrettyFormatter::with_indent(blanks.as_bytes());
        let mut serializer = serde_json::Serializer::with_formatter(&mut bytes, formatter);
        match self.serialize(&mut serializer) {
            Ok(()) => String::from_utf8(bytes).unwrap_or_default(),
            Err(_) => String::new(),
        }
    }

    /// Writes it under a format spec: fill, align, width, precision, as `std::fmt` does.
    ///
    /// # Errors
    /// What `out` returns.
    pub(super) fn write(&self, spec: &str, out: &mut impl fmt::Write) -> fmt::Result {
        if spec.is_empty() {
            return out.write_str(&self.text());
        }
        let spec = Spec::read(spec);
        let text = self.printed(spec.precision);
        let is_number = matches!(self, Self::Int(_) | Self::Single(_) | Self::Double(_));
        match self {
            Self::Null => out.write_str(&text),
            _ => spec.pad(&text, is_number, out),
        }
    }
}

/// An item of a list, or an entry of a map.
#[derive(Clone, Copy, Debug)]
pub(super) struct Item<'v> {
    /// Of an entry `{item.0}` is its key, `{item.1}` its value, and other fields are those of the value.
    key: Option<&'v str>,
    pub(super) value: &'v Value,
    pub(super) index: usize,
    pub(super) is_last: bool,
}

impl<'v> Item<'v> {
    /// The one item of a list.
    pub(super) fn only(value: &'v Value) -> Self {
        Self {
            key: None,
            value,
            index: 0,
            is_last: true,
        }
    }

    /// The names that a field of it may have, for advice.
    pub(super) fn fields(self, path: &[String]) -> impl Iterator<Item = &'v str> {
        let map = match self.reach(path) {
            Some(Cow::Borrowed(Value::Map(map))) => Some(map),
            _ => None,
        };
        map.into_iter().flat_map(Map::keys)
    }

    /// What `{item}`, `{item.name}`, `{item.0}` say.
    pub(super) fn reach(self, path: &[String]) -> Option<Cow<'v, Value>> {
        let rest = match (self.key, path) {
            (Some(key), [first]) if first == "0" => {
                return Some(Cow::Owned(Value::Text(key.to_owned())));
            }
            (Some(_), [first, rest @ ..]) if first == "1" => rest,
            _ => path,
        };
        self.value.reach(rest).map(Cow::Borrowed)
    }
}

impl Serialize for Value {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::Null => serializer.serialize_unit(),
            Self::Bool(value) => serializer.serialize_bool(*value),
            Self::Int(number) => match (i64::try_from(*number), u64::try_from(*number)) {
                (Ok(number), _) => serializer.serialize_i64(number),
                (_, Ok(number)) => serializer.serialize_u64(number),
                _ => serializer.serialize_i128(*number),
            },
            Self::Single(number) => serializer.serialize_f32(*number),
            Self::Double(number) => serializer.serialize_f64(*number),
            Self::Text(text) => serializer.serialize_str(text),
            Self::List(items) => serializer.collect_seq(items),
            Self::Map(map) => {
                serializer.collect_map(map.entries.iter().map(|(key, value)| (key, value)))
            }
        }
    }
}

/// A value, or a part of it: `crew.names`.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct ValuePath {
    pub(super) name: String,
    pub(super) path: Vec<String>,
}

impl ValuePath {
    /// As a text uses it that names it.
    pub(super) fn used(&self) -> Used {
        Used {
            name: self.name.clone(),
            path: self.path.clone(),
            spec: None,
            is_presence: false,
            is_inner: false,
            origin: Origin::Node,
        }
    }
}

impl From<&str> for ValuePath {
    fn from(source: &str) -> Self {
        let mut names = source.split('.').map(str::to_owned);
        Self {
            name: names.next().unwrap_or_default(),
            path: names.collect(),
        }
    }
}

impl fmt::Display for ValuePath {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&joined(&self.name, &self.path))
    }
}

/// `name.field`.
pub(super) fn joined(name: &str, path: &[String]) -> String {
    let path = path.iter().map(String::as_str);
    std::iter::once(name)
        .chain(path)
        .collect::<Vec<_>>()
        .join(".")
}
