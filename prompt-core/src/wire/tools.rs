//! What all formats share about tools: unique names, the choice among them, and the schema dialects.

use super::WireError;
use crate::tool::ToolSpec;
use serde_json::{Map, Value, json};
use std::collections::BTreeSet;

/// Whether and which tool the model shall call.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum ToolChoice {
    /// As the model likes.
    Auto,
    /// No tool.
    None,
    /// Some tool.
    Required,
    /// This tool.
    Tool(String),
}

/// Every provider refuses two tools of one name.
pub(super) fn check_names(tools: &[ToolSpec]) -> Result<(), WireError> {
    let mut seen = BTreeSet::new();
    match tools.iter().find(|tool| !seen.insert(tool.name.as_str())) {
        Some(twice) => Err(WireError::DuplicateTool {
            name: twice.name.clone(),
        }),
        None => Ok(()),
    }
}

/// The schema without `additionalProperties`, for providers that neither know nor need it.
pub(super) fn open_schema(schema: &Value) -> Value {
    rewrite(schema, &|map| {
        map.shift_remove("additionalProperties");
    })
}

/// The schema in the subset of `OpenAPI` that Gemini's `parameters` take: no `additionalProperties`, `nullable` in place
/// of a union with null, values as `enum`, only the formats it knows.
pub(super) fn openapi_schema(schema: &Value) -> Value {
    rewrite(schema, &|map| {
        map.shift_remove("additionalProperties");
        if let Some(value) = map.shift_remove("const") {
            map.insert("enum".into(), json!([value]));
        }
        if map
            .get("format")
            .is_some_and(|format| format != "date-time")
        {
            map.shift_remove("format");
        }
        make_nullable(map);
    })
}

/// `[T, "null"]` and an alternative that is only null become `nullable: true`.
fn make_nullable(map: &mut Map<String, Value>) {
    let mut nullable = false;
    if let Some(Value::Array(kinds)) = map.get("type") {
        let kind = kinds.first().cloned().unwrap_or_default();
        map.insert("type".into(), kind);
        nullable = true;
    }
    if let Some(Value::Array(alternatives)) = map.get_mut("anyOf") {
        let before = alternatives.len();
        alternatives
            .retain(|alternative| alternative.get("type").is_none_or(|kind| kind != "null"));
        nullable |= alternatives.len() < before;
    }
    if let Some(Value::Array(values)) = map.get_mut("enum") {
        values.retain(|value| !value.is_null());
    }
    if nullable {
        map.insert("nullable".into(), Value::Bool(true));
    }
}

/// Applies a change to a schema and all schemas in it. The depth is bounded by the check of [`ToolSpec::new`].
fn rewrite(schema: &Value, change: &impl Fn(&mut Map<String, Value>)) -> Value {
    let Some(map) = schema.as_object() else {
        return schema.clone();
    };
    let mut changed: Map<String, Value> = map
        .iter()
        .map(|(key, value)| {
            let inner = match (key.as_str(), value) {
                ("properties", Value::Object(named)) => named
                    .iter()
                    .map(|(name, schema)| (name.clone(), rewrite(schema, change)))
                    .collect(),
                ("anyOf", Value::Array(list)) => {
                    list.iter().map(|schema| rewrite(schema, change)).collect()
                }
                ("items", schema) => rewrite(schema, change),
                _ => value.clone(),
            };
            (key.clone(), inner)
        })
        .collect();
    change(&mut changed);
    Value::Object(changed)
}

/// Writes the entries a caller adds by hand; they win over ours of the same name.
pub(super) fn add_extra(body: &mut Map<String, Value>, extra: &Map<String, Value>) {
    for (key, value) in extra {
        body.insert(key.clone(), value.clone());
    }
}
