//! The properties of a schema: their names, and pointers to them.

use serde_json::{Map, Value};

/// Longest name of a property, in bytes.
pub(super) const LONGEST_PROPERTY_NAME: usize = 64;

/// Whether Anthropic takes a property of this name: `^[a-zA-Z0-9_.-]{1,64}$` (Messages API, "Tool use").
pub fn is_property_name(name: &str) -> bool {
    let is_legal = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'.' | b'-');
    (1..=LONGEST_PROPERTY_NAME).contains(&name.len()) && name.bytes().all(is_legal)
}

/// A step of a JSON pointer, escaped.
pub fn pointer_step(name: &str) -> String {
    format!("/{}", name.replace('~', "~0").replace('/', "~1"))
}

/// The properties of an object's schema, in the order of the declaration.
pub(crate) fn properties(schema: &Map<String, Value>) -> impl Iterator<Item = (&str, &Value)> {
    let properties = schema.get("properties").and_then(Value::as_object);
    let properties = properties.into_iter().flatten();
    properties.map(|(name, schema)| (name.as_str(), schema))
}

/// Changes a schema that strict mode takes, then all schemas in it. Their depth is bounded by the check.
pub fn change(schema: &mut Value, with: &dyn Fn(&mut Map<String, Value>)) {
    let Some(map) = schema.as_object_mut() else {
        return;
    };
    with(map);
    for (key, inner) in map {
        match (key.as_str(), inner) {
            ("properties", Value::Object(named)) => {
                for schema in named.values_mut() {
                    change(schema, with);
                }
            }
            ("anyOf", Value::Array(list)) => {
                for schema in list {
                    change(schema, with);
                }
            }
            ("items", schema) => change(schema, with),
            _ => {}
        }
    }
}
