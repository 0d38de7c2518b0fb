//! The attributes of a tag as a file writes them.

use crate::by_name::ByName;
use serde::{
    Deserialize, Deserializer, Serialize, Serializer,
    de::{MapAccess, Visitor},
};
use serde_json::{Map, Value};
use std::fmt;

/// Names and values in the order in which they were written, which is the order in which they print. A map of
/// `serde_json` sorts them unless some crate of the program turns on that crate's `preserve_order`, so it would not do.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Attributes(ByName<Value>);

impl Attributes {
    /// Adds one at the end; one that is there already gets the value and keeps its place.
    pub(super) fn insert(&mut self, name: String, value: Value) {
        self.0.insert(name, value);
    }

    pub(super) fn iter(&self) -> impl Iterator<Item = (&String, &Value)> {
        self.0.iter().map(|(name, value)| (name, value))
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

    pub(super) fn into_value(self) -> Value {
        match self {
            Self::Attributes(attributes) => {
                let mut map = Map::new();
                map.extend(attributes.0.into_entries());
                Value::Object(map)
            }
            Self::Other(value) => value,
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
