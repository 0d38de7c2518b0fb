//! The attributes of a tag as a file writes them.

use serde::{
    Deserialize, Deserializer, Serialize, Serializer,
    de::{MapAccess, Visitor},
};
use serde_json::Value;
use std::{collections::BTreeMap, fmt};

/// Names and values in the order in which they were written, which is the order in which they print. A map of
/// `serde_json` sorts them unless some crate of the program turns on that crate's `preserve_order`, so it would not do.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Attributes(BTreeMap<String, Placed>);

/// A value, and how many attributes stand before it.
#[derive(Clone, Debug, PartialEq)]
struct Placed {
    place: usize,
    value: Value,
}

impl Attributes {
    /// Adds one at the end; one that is there already gets the value and keeps its place.
    pub(super) fn insert(&mut self, name: String, value: Value) {
        let place = self.0.len();
        let placed = self.0.entry(name).or_insert(Placed {
            place,
            value: Value::Null,
        });
        placed.value = value;
    }

    pub(super) fn iter(&self) -> impl Iterator<Item = (&String, &Value)> {
        let mut placed: Vec<_> = self.0.iter().collect();
        placed.sort_by_key(|(_, placed)| placed.place);
        placed
            .into_iter()
            .map(|(name, placed)| (name, &placed.value))
    }
}

impl FromIterator<(String, Value)> for Attributes {
    fn from_iter<I: IntoIterator<Item = (String, Value)>>(entries: I) -> Self {
        let mut attributes = Self::default();
        for (name, value) in entries {
            attributes.insert(name, value);
        }
        attributes
    }
}

impl<'de> Deserialize<'de> for Attributes {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Entries;

        impl<'de> Visitor<'de> for Entries {
            type Value = Attributes;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a map")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Attributes, A::Error> {
                let mut attributes = Attributes::default();
                while let Some((name, value)) = map.next_entry()? {
                    attributes.insert(name, value);
                }
                Ok(attributes)
            }
        }

        deserializer.deserialize_map(Entries)
    }
}

/// What stands under a key of a file.
#[derive(Deserialize)]
#[serde(untagged)]
pub(super) enum Given {
    Attributes(Attributes),
    Other(Value),
}

impl Given {
    pub(super) fn as_str(&self) -> Option<&str> {
        match self {
            Self::Attributes(_) => None,
            Self::Other(value) => value.as_str(),
        }
    }
}

impl Serialize for Given {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::Attributes(attributes) => serializer.collect_map(attributes.iter()),
            Self::Other(value) => value.serialize(serializer),
        }
    }
}
