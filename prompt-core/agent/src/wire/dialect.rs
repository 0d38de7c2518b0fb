//! The dialects of schemas: what single providers refuse, and the subsets that they take.

use prompt_core::tool::schema::{change, is_property_name, pointer_step};
use serde_json::{Map, Value, json};

/// What a rule finds wrong with one schema: the step to the place, and the reason.
pub(crate) type Fault = Option<(String, &'static str)>;

/// All schemas within a schema, itself first, each with its JSON pointer.
///
/// The walk goes through every keyword that holds schemas. Its depth is bounded by the checks of a tool, so the
/// pointers are short.
pub(crate) fn schemas_in(schema: &Value) -> Vec<(String, &Map<String, Value>)> {
    let mut found = Vec::new();
    let mut open = vec![(String::new(), schema)];
    while let Some((path, schema)) = open.pop() {
        let Some(map) = schema.as_object() else {
            continue;
        };
        for (key, value) in map.iter().rev() {
            let inner = format!("{path}/{key}");
            match (key.as_str(), value) {
                (
                    "properties" | "patternProperties" | "$defs" | "definitions",
                    Value::Object(named),
                ) => {
                    let named = named.iter().rev();
                    open.extend(
                        named.map(|(name, schema)| (inner.clone() + &pointer_step(name), schema)),
                    );
                }
                ("anyOf" | "oneOf" | "allOf" | "prefixItems" | "items", Value::Array(list)) => {
                    let list = list.iter().enumerate().rev();
                    open.extend(list.map(|(at, schema)| (format!("{inner}/{at}"), schema)));
                }
                ("items" | "additionalProperties" | "not" | "if" | "then" | "else", schema) => {
                    open.push((inner, schema));
                }
                _ => {}
            }
        }
        found.push((path, map));
    }
    found
}

/// Anthropic: names of properties.
pub(crate) fn anthropic_rule(schema: &Map<String, Value>) -> Fault {
    let mut names = schema.get("properties")?.as_object()?.keys();
    let bad = names.find(|name| !is_property_name(name))?;
    Some((
        format!("/properties{}", pointer_step(bad)),
        "a property's name is letters, digits, `_`, `.`, `-`, at most 64",
    ))
}

/// Gemini: the values of an enum are strings and say so (Gemini API, `Schema`: "`enum`: possible values of the element
/// of primitive type with enum format").
pub(crate) fn gemini_rule(schema: &Map<String, Value>) -> Fault {
    let is_text = |value: &Value| value.is_string() || value.is_null();
    let (key, all_text) = match (schema.get("enum"), schema.get("const")) {
        (Some(values), _) => (
            "enum",
            values
                .as_array()
                .is_some_and(|list| list.iter().all(is_text)),
        ),
        (None, Some(value)) => ("const", value.is_string()),
        (None, None) => return None,
    };
    if !all_text {
        return Some((
            format!("/{key}"),
            "its values must be strings; say others in the description",
        ));
    }
    let typed = match schema.get("type") {
        Some(Value::Array(kinds)) => kinds.iter().any(|kind| kind == "string"),
        kind => kind.is_some_and(|kind| kind == "string"),
    };
    (!typed).then(|| (format!("/{key}"), "needs the type `string` beside it"))
}

/// Whether an object somewhere in the schema has no properties.
pub(crate) fn has_empty_object(schema: &Value) -> bool {
    let is_empty = |map: &Value| map.as_object().is_some_and(Map::is_empty);
    let mut all = schemas_in(schema).into_iter();
    all.any(|(_, schema)| schema.get("properties").is_some_and(is_empty))
}

/// The schema without `additionalProperties`, for providers that neither know nor need it.
pub(crate) fn open_schema(schema: &Value) -> Value {
    changed(schema, &|map| {
        map.shift_remove("additionalProperties");
    })
}

/// The schema in the subset of `OpenAPI` that Gemini's `parameters` take: no `additionalProperties`, `nullable` in place
/// of a union with null, values as `enum`, only the formats it knows.
pub(crate) fn openapi_schema(schema: &Value) -> Value {
    changed(schema, &|map| {
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

fn changed(schema: &Value, with: &dyn Fn(&mut Map<String, Value>)) -> Value {
    let mut schema = schema.clone();
    change(&mut schema, with);
    schema
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
