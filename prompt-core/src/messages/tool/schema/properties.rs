//! The properties of a schema: their names, their order, and pointers to them.

use serde_json::{Map, Value};
use std::collections::BTreeSet;

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

/// The keyword with the order of an object's properties. It is Gemini's ("`propertyOrdering`: not a standard field", Gemini
/// API, `Schema`), and to all others an annotation.
pub(crate) const ORDER: &str = "propertyOrdering";

/// The properties of an object's schema in the order of the declaration: as `propertyOrdering` and `required` list them, then
/// the others by name.
pub fn properties(schema: &Map<String, Value>) -> Vec<(&str, &Value)> {
    let Some(properties) = schema.get("properties").and_then(Value::as_object) else {
        return Vec::new();
    };
    let lists = [ORDER, "required"].map(|list| schema.get(list).and_then(Value::as_array));
    let named = lists.into_iter().flatten().flatten();
    let sorted: BTreeSet<&str> = properties.keys().map(String::as_str).collect();
    let mut seen = BTreeSet::new();
    let mut listed = Vec::with_capacity(sorted.len());
    let mut list = |name| match properties.get(name) {
        Some(property) if seen.insert(name) => listed.push((name, property)),
        _ => {}
    };
    for name in named.filter_map(Value::as_str) {
        list(name);
    }
    for name in sorted {
        list(name);
    }
    listed
}
