//! JSON whose bytes hang on no feature of `serde_json`: keys sorted, the properties of schemas as declared.

use super::properties::properties;
use serde::{Serialize, Serializer};
use serde_json::{Map, Value};
use std::collections::BTreeMap;

/// JSON with the properties of every schema in it in the order of their declaration, and all other keys sorted. By itself a
/// [`Value`] sorts all of them, or keeps the order in which they were inserted.
#[derive(Clone, Copy, Debug)]
pub struct Ordered<'v>(pub &'v Value);

impl Serialize for Ordered<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self.0 {
            Value::Object(map) => {
                let sorted: BTreeMap<_, _> = map.iter().collect();
                serializer.collect_map(sorted.into_iter().map(|(key, value)| {
                    let is_schema = key == "properties" && value.is_object();
                    let schema = is_schema.then_some(map);
                    (key, Member { value, schema })
                }))
            }
            Value::Array(list) => serializer.collect_seq(list.iter().map(Ordered)),
            plain => plain.serialize(serializer),
        }
    }
}

/// What stands under a key; under `properties`, with the schema around it.
struct Member<'v> {
    value: &'v Value,
    schema: Option<&'v Map<String, Value>>,
}

impl Serialize for Member<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self.schema {
            Some(schema) => {
                let declared = properties(schema).into_iter();
                serializer.collect_map(declared.map(|(name, schema)| (name, Ordered(schema))))
            }
            None => Ordered(self.value).serialize(serializer),
        }
    }
}

/// For a field of JSON.
pub(crate) fn ordered<S: Serializer>(value: &Value, serializer: S) -> Result<S::Ok, S::Error> {
    Ordered(value).serialize(serializer)
}
