//! Tool schemas from Rust types, through `schemars`: the generated schema is rewritten into the strict form, and what
//! cannot be rewritten without losing a rule of the type is left for the check to refuse by its path.

use super::schema;
use super::{ToolSpec, ToolSpecError};
use schemars::{JsonSchema, generate::SchemaSettings};
use serde_json::{Map, Value, json};

/// Says nothing about the arguments themselves; `default` is for the program, because the model must name every value.
const NOISE: [&str; 7] = [
    "$schema",
    "title",
    "default",
    "examples",
    "deprecated",
    "readOnly",
    "writeOnly",
];

/// Limits that the strict mode of some provider does not know.
const LIMITS: [&str; 13] = [
    "minimum",
    "exclusiveMinimum",
    "maximum",
    "exclusiveMaximum",
    "multipleOf",
    "minLength",
    "maxLength",
    "pattern",
    "format",
    "minItems",
    "maxItems",
    "uniqueItems",
    "contentEncoding",
];

impl ToolSpec {
    /// A tool whose arguments are the type `T`. The description is the doc comment of the type.
    ///
    /// Subschemas are written out in place; objects become closed with all properties required, in the order of the
    /// fields. An `Option` is nullable. A field with
    /// `#[serde(default)]` that is no `Option` must be given by the model. Enums of unit variants become an `enum`, the
    /// doc comments of the variants lines of its description; variants with fields become `anyOf`. Limits that strict
    /// mode does not know (`minimum`, `maxLength`, `pattern`, ..) are said in the description: `(minimum: 1, maximum: 5)`.
    ///
    /// ```
    /// use prompt_core::ToolSpec;
    ///
    /// /// Finds a file.
    /// #[derive(schemars::JsonSchema, serde::Deserialize)]
    /// struct Find {
    ///     /// Part of the name.
    ///     name: String,
    ///     folder: Option<String>,
    /// }
    ///
    /// let spec = ToolSpec::of::<Find>("find")?;
    /// assert_eq!(spec.description(), "Finds a file.");
    /// assert_eq!(spec.parameters()["required"], serde_json::json!(["name", "folder"]));
    /// assert_eq!(spec.parameters()["properties"]["folder"]["type"], serde_json::json!(["string", "null"]));
    /// # Ok::<(), prompt_core::tool::ToolSpecError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// [`ToolSpecError`], with the path, for what strict mode has no form for: maps, tuples, recursive types, a root
    /// that is no struct.
    pub fn of<T: JsonSchema>(name: impl Into<String>) -> Result<Self, ToolSpecError> {
        let settings =
            SchemaSettings::draft2020_12().with(|settings| settings.inline_subschemas = true);
        let full = schema_of::<T>(settings);
        let mut parameters = full.clone();
        schema::change(&mut parameters, &make_strict);
        let mut tool = Self::new(name, take_description(&mut parameters), parameters)?;
        tool.said().full = super::Full(Some(full));
        Ok(tool)
    }

    /// A tool whose arguments are the type `T`, for types that strict mode has no form for: maps, open and recursive
    /// ones. Its schema is sent as `schemars` gives it, without strict mode. A type that may be anything at all, such as [`Value`], can be a field of `T`, but not
    /// `T` itself.
    ///
    /// ```
    /// use prompt_core::ToolSpec;
    /// use std::collections::BTreeMap;
    ///
    /// /// Sets prices.
    /// #[derive(schemars::JsonSchema, serde::Deserialize)]
    /// struct Prices {
    ///     prices: BTreeMap<String, f64>,
    /// }
    ///
    /// let spec = ToolSpec::loose_of::<Prices>("set_prices")?;
    /// assert!(!spec.is_strict() && spec.description() == "Sets prices.");
    /// # Ok::<(), prompt_core::tool::ToolSpecError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// As [`ToolSpec::loose`]: for a root that is no struct.
    pub fn loose_of<T: JsonSchema>(name: impl Into<String>) -> Result<Self, ToolSpecError> {
        let mut parameters = schema_of::<T>(SchemaSettings::draft2020_12());
        if let Some(root) = parameters.as_object_mut() {
            root.retain(|key, _| key != "$schema" && key != "title");
        }
        Self::loose(name, take_description(&mut parameters), parameters)
    }
}

fn schema_of<T: JsonSchema>(settings: SchemaSettings) -> Value {
    settings
        .into_generator()
        .into_root_schema_for::<T>()
        .to_value()
}

/// Takes the description of the root, which is that of the tool.
fn take_description(parameters: &mut Value) -> String {
    let root = parameters.as_object_mut();
    match root.and_then(|root| root.shift_remove("description")) {
        Some(Value::String(text)) => text,
        _ => String::new(),
    }
}

/// Rewrites one schema. Recursive types end in a `$ref`, so the generated tree is finite and shallow.
fn make_strict(map: &mut Map<String, Value>) {
    for key in NOISE {
        map.shift_remove(key);
    }
    drop_number_noise(map);
    merge_single_all_of(map);
    merge_constants(map);
    if let Some(alternatives) = map.shift_remove("oneOf") {
        map.insert("anyOf".into(), alternatives);
    }
    say_limits(map);
    close(map);
}

/// Moves limits that strict mode does not know into the description.
fn say_limits(map: &mut Map<String, Value>) {
    let mut said = Vec::new();
    for key in LIMITS {
        let known = match (key, map.get(key)) {
            ("format", Some(Value::String(name))) => schema::is_format(name),
            ("minItems", Some(count)) => matches!(count.as_u64(), Some(0 | 1)),
            (_, None) => true,
            _ => false,
        };
        if let Some(limit) = (!known).then(|| map.shift_remove(key)).flatten() {
            said.push(match limit {
                Value::String(text) => format!("{key}: {text}"),
                Value::Bool(false) => continue,
                Value::Bool(true) => key.to_owned(),
                limit => format!("{key}: {limit}"),
            });
        }
    }
    if said.is_empty() {
        return;
    }
    let limits = format!("({})", said.join(", "));
    let text = match map.get("description").and_then(Value::as_str) {
        Some(text) => format!("{text} {limits}"),
        None => limits,
    };
    map.insert("description".into(), text.into());
}

/// `format: uint8`, `minimum: 0`, `maximum: 255` only repeat the number's type. Formats of texts stay, to be said.
fn drop_number_noise(map: &mut Map<String, Value>) {
    let Some(format) = map.get("format").and_then(Value::as_str).map(str::to_owned) else {
        return;
    };
    let is_number = ["int", "uint", "float", "double"]
        .iter()
        .any(|kind| format.starts_with(kind));
    if !is_number {
        return;
    }
    map.shift_remove("format");
    let (least, most): (Option<i64>, Option<i64>) = match format.as_str() {
        "uint8" => (Some(0), Some(u8::MAX.into())),
        "uint16" => (Some(0), Some(u16::MAX.into())),
        "uint32" | "uint64" | "uint128" | "uint" => (Some(0), None),
        "int8" => (Some(i8::MIN.into()), Some(i8::MAX.into())),
        "int16" => (Some(i16::MIN.into()), Some(i16::MAX.into())),
        _ => (None, None),
    };
    for (key, bound) in [("minimum", least), ("maximum", most)] {
        if bound.is_some() && map.get(key).and_then(Value::as_i64) == bound {
            map.shift_remove(key);
        }
    }
}

/// `allOf` around one schema only carries the description beside it.
fn merge_single_all_of(map: &mut Map<String, Value>) {
    let Some(Value::Array(list)) = map.get("allOf") else {
        return;
    };
    let [Value::Object(inner)] = list.as_slice() else {
        return;
    };
    let inner = inner.clone();
    map.shift_remove("allOf");
    for (key, value) in inner {
        map.entry(key).or_insert(value);
    }
}

/// Documented unit variants, a `oneOf` of string constants, are one enum whose description says what each value means.
fn merge_constants(map: &mut Map<String, Value>) {
    let Some(Value::Array(variants)) = map.get("oneOf") else {
        return;
    };
    let Some(constants) = variants
        .iter()
        .map(constants_of)
        .collect::<Option<Vec<_>>>()
    else {
        return;
    };
    let mut lines: Vec<String> = map
        .get("description")
        .and_then(Value::as_str)
        .map(str::to_owned)
        .into_iter()
        .collect();
    let described = constants
        .iter()
        .filter_map(|(names, text)| Some((names.first()?, (*text)?)));
    lines.extend(described.map(|(name, text)| format!("- {name}: {text}")));
    let names: Vec<&str> = constants
        .iter()
        .flat_map(|(names, _)| names.iter().copied())
        .collect();
    let values = json!(names);
    map.shift_remove("oneOf");
    map.insert("type".into(), json!("string"));
    map.insert("enum".into(), values);
    if !lines.is_empty() {
        map.insert("description".into(), lines.join("\n").into());
    }
}

/// The string values a variant stands for, with its description; `None` if it is anything but strings.
fn constants_of(variant: &Value) -> Option<(Vec<&str>, Option<&str>)> {
    let names = match (variant.get("const"), variant.get("enum")) {
        (Some(name), None) => vec![name.as_str()?],
        (None, Some(Value::Array(names))) => {
            names.iter().map(Value::as_str).collect::<Option<_>>()?
        }
        _ => return None,
    };
    Some((names, variant.get("description").and_then(Value::as_str)))
}

/// Closes an object and requires its properties, in the order of the declaration. A map, whose `additionalProperties`
/// is a schema, stays as it is.
fn close(map: &mut Map<String, Value>) {
    let is_object = match map.get("type") {
        Some(Value::Array(kinds)) => kinds.iter().any(|kind| kind == "object"),
        kind => kind.is_some_and(|kind| kind == "object"),
    };
    let is_open = map
        .get("additionalProperties")
        .is_some_and(|open| *open != Value::Bool(false));
    if !is_object || is_open {
        return;
    }
    map.entry("properties").or_insert_with(|| json!({}));
    let names: Vec<String> = schema::properties(map)
        .map(|(name, _)| name.to_owned())
        .collect();
    map.insert("required".into(), names.into());
    map.insert("additionalProperties".into(), Value::Bool(false));
}
