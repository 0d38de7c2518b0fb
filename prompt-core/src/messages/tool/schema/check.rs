//! The check of a tool's schema against what every provider's strict mode takes: one walk over the schema, one small
//! function per rule, and the place of the first violation as a JSON pointer.
//!
//! Sources: `OpenAI`'s "Supported schemas" of structured outputs (closed objects, all required, the limits), Anthropic's
//! "JSON Schema limitations" of strict tool use (no numeric or length constraints, `minItems` 0 or 1, plain enums), and
//! Gemini's schema subset (no unions but with null).

use super::super::ToolSpecError;
use super::properties::{LONGEST_PROPERTY_NAME, is_property_name, pointer_step};
use serde_json::{Map, Value};
use std::collections::BTreeSet;

/// Levels of objects, the root included.
const MOST_LEVELS: usize = 10;
/// Levels of anything: arrays and alternatives count too. It only keeps the walk off the end of the stack.
const MOST_DEPTH: usize = 40;
const MOST_PROPERTIES: usize = 5_000;
const MOST_ENUM_VALUES: usize = 1_000;
/// An enum with more values than this is held to [`MOST_ENUM_CHARACTERS`].
const LARGE_ENUM: usize = 250;
const MOST_ENUM_CHARACTERS: usize = 15_000;
/// In the names of properties and the values of enums, all together.
const MOST_CHARACTERS: usize = 120_000;

const FORMATS: [&str; 9] = [
    "date-time",
    "time",
    "date",
    "duration",
    "email",
    "hostname",
    "ipv4",
    "ipv6",
    "uuid",
];
const TYPES: [&str; 7] = [
    "object", "array", "string", "number", "integer", "boolean", "null",
];

/// Whether strict mode takes this `format` everywhere.
#[cfg(feature = "schemars")]
pub(crate) fn is_format(name: &str) -> bool {
    FORMATS.contains(&name)
}

/// Checks a whole schema of tool arguments.
pub(crate) fn check(schema: &Value) -> Result<(), ToolSpecError> {
    let mut check = Check::default();
    check.root(schema)?;
    check.schema(schema, 0)
}

/// Keywords that `OpenAI` and Anthropic refuse beside the root's type.
const NOT_AT_ROOT: [&str; 5] = ["anyOf", "oneOf", "allOf", "enum", "not"];
/// Levels of anything in a schema that is taken as it is.
const MOST_LOOSE_DEPTH: usize = 60;

/// Checks a schema that is not made for strict mode: an object at the root, and not too deep to be walked.
pub(crate) fn check_loose(schema: &Value) -> Result<(), ToolSpecError> {
    let mut check = Check::default();
    let root = check.root(schema)?;
    if let Some(key) = NOT_AT_ROOT.iter().find(|key| root.contains_key(**key)) {
        return Err(check.refuse_at(*key, "not taken at the root"));
    }
    let mut open = vec![(schema, 0)];
    while let Some((value, depth)) = open.pop() {
        if depth > MOST_LOOSE_DEPTH {
            return Err(check.refuse(format!("nested more than {MOST_LOOSE_DEPTH} deep")));
        }
        match value {
            Value::Array(list) => open.extend(list.iter().map(|inner| (inner, depth + 1))),
            Value::Object(map) => open.extend(map.values().map(|inner| (inner, depth + 1))),
            _ => {}
        }
    }
    Ok(())
}

/// The walk: where it stands, and what it has counted so far.
#[derive(Default)]
struct Check {
    /// Unescaped steps of the JSON pointer.
    path: Vec<String>,
    depth: usize,
    properties: usize,
    enum_values: usize,
    characters: usize,
}

impl Check {
    fn refuse(&self, reason: impl Into<String>) -> ToolSpecError {
        ToolSpecError::Schema {
            path: self.path.iter().map(|step| pointer_step(step)).collect(),
            reason: reason.into(),
        }
    }

    /// Refuses what stands one step further down.
    fn refuse_at(&mut self, step: impl Into<String>, reason: &str) -> ToolSpecError {
        self.path.push(step.into());
        self.refuse(reason)
    }

    /// Does something one step further down.
    fn within<T>(
        &mut self,
        step: impl Into<String>,
        inner: impl FnOnce(&mut Self) -> Result<T, ToolSpecError>,
    ) -> Result<T, ToolSpecError> {
        self.path.push(step.into());
        let outcome = inner(self)?;
        self.path.pop();
        Ok(outcome)
    }

    fn object_of<'a>(&self, schema: &'a Value) -> Result<&'a Map<String, Value>, ToolSpecError> {
        schema
            .as_object()
            .ok_or_else(|| self.refuse("a schema must be an object, which says what may stand here; for what may be anything, such as a `Value`, use `ToolSpec::loose_of` or `ToolSpec::loose`"))
    }

    fn root<'a>(&self, schema: &'a Value) -> Result<&'a Map<String, Value>, ToolSpecError> {
        let root = self.object_of(schema)?;
        if root.get("type").and_then(Value::as_str) != Some("object") {
            return Err(self.refuse("the root must have the type `object`"));
        }
        Ok(root)
    }

    fn schema(&mut self, schema: &Value, levels: usize) -> Result<(), ToolSpecError> {
        let map = self.object_of(schema)?;
        self.depth += 1;
        if self.depth > MOST_DEPTH {
            return Err(self.refuse(format!("nested more than {MOST_DEPTH} deep")));
        }
        for (keyword, value) in map {
            self.within(keyword, |check| check.keyword(keyword, value))?;
        }
        let kind = self.kind(map)?;
        if kind == Some("object") {
            self.object(map, levels + 1)?;
        } else if let Some(stray) = ["properties", "required", "additionalProperties"]
            .iter()
            .find(|key| map.contains_key(**key))
        {
            return Err(self.refuse_at(*stray, "belongs to the type `object`"));
        }
        self.array(map, kind, levels)?;
        self.alternatives(map, levels)?;
        self.depth -= 1;
        Ok(())
    }

    /// Only keywords that every provider takes, each with a value of the right kind.
    fn keyword(&mut self, keyword: &str, value: &Value) -> Result<(), ToolSpecError> {
        match keyword {
            "type" | "properties" | "required" | "additionalProperties" | "items" | "anyOf" => {
                Ok(())
            }
            "description" | "pattern" if value.is_string() => Ok(()),
            "description" | "pattern" => Err(self.refuse("must be a string")),
            "enum" => self.values(value),
            "const" => self.value(value),
            "format" if value.as_str().is_some_and(|name| FORMATS.contains(&name)) => Ok(()),
            "format" => {
                Err(self.refuse(format!("the format must be one of {}", FORMATS.join(", "))))
            }
            "minItems" if matches!(value.as_u64(), Some(0 | 1)) => Ok(()),
            "minItems" => Err(self.refuse("must be 0 or 1; say other bounds in the description")),
            "$ref" | "$defs" => {
                Err(self.refuse("references are not allowed; write the schema out in place"))
            }
            "oneOf" | "allOf" => Err(self.refuse("not allowed; `anyOf` is, below the root")),
            "default" => Err(self.refuse("not allowed; name the default in the description")),
            _ => {
                Err(self
                    .refuse("not taken by every provider's strict mode; say it in the description"))
            }
        }
    }

    /// The type, which may be absent where alternatives or values stand in for it; for `[T, "null"]` it is `T`.
    fn kind<'a>(&mut self, map: &'a Map<String, Value>) -> Result<Option<&'a str>, ToolSpecError> {
        let Some(kind) = map.get("type") else {
            let stands_in = ["anyOf", "enum", "const"]
                .iter()
                .any(|key| map.contains_key(*key));
            return if stands_in {
                Ok(None)
            } else {
                Err(self.refuse("needs a `type`"))
            };
        };
        let name = match kind {
            Value::String(name) => Some(name),
            Value::Array(names) => match names.as_slice() {
                [Value::String(name), Value::String(null)] if null == "null" && name != "null" => {
                    Some(name)
                }
                _ => None,
            },
            _ => None,
        };
        match name.filter(|name| TYPES.contains(&name.as_str())) {
            Some(name) => Ok(Some(name)),
            None => Err(self.refuse_at("type", "must be one type, or `[type, \"null\"]`")),
        }
    }

    /// Objects are closed, and all their properties are required.
    fn object(&mut self, map: &Map<String, Value>, levels: usize) -> Result<(), ToolSpecError> {
        if levels > MOST_LEVELS {
            return Err(self.refuse(format!("more than {MOST_LEVELS} levels of objects")));
        }
        match map.get("additionalProperties") {
            Some(Value::Bool(false)) => {}
            None => return Err(self.refuse("`additionalProperties` must be false")),
            Some(_) => {
                return Err(self.refuse_at("additionalProperties", "must be false; a map is a list of pairs in strict mode, or goes through `ToolSpec::loose_of` or `ToolSpec::loose`"));
            }
        }
        let Some(properties) = map.get("properties").and_then(Value::as_object) else {
            return Err(self.refuse("an object needs `properties`"));
        };
        self.within("required", |check| {
            check.required(map.get("required"), properties)
        })?;
        let required: BTreeSet<&str> = map
            .get("required")
            .and_then(Value::as_array)
            .into_iter()
            .flatten()
            .filter_map(Value::as_str)
            .collect();
        self.within("properties", |check| {
            for (name, schema) in properties {
                check.within(name, |check| {
                    check.property(name, schema, required.contains(name.as_str()), levels)
                })?;
            }
            Ok(())
        })
    }

    /// `required` is a list of names, each once, each of a property.
    fn required(
        &mut self,
        list: Option<&Value>,
        properties: &Map<String, Value>,
    ) -> Result<(), ToolSpecError> {
        let names = match list {
            None if properties.is_empty() => return Ok(()),
            None => return Err(self.refuse("all properties must be listed here")),
            Some(list) => list
                .as_array()
                .ok_or_else(|| self.refuse("must be a list of property names"))?,
        };
        let mut seen = BTreeSet::new();
        for (index, name) in names.iter().enumerate() {
            let known = name
                .as_str()
                .is_some_and(|name| properties.contains_key(name) && seen.insert(name));
            if !known {
                return Err(self.refuse_at(
                    index.to_string(),
                    "must name a property, and each only once",
                ));
            }
        }
        Ok(())
    }

    fn property(
        &mut self,
        name: &str,
        schema: &Value,
        required: bool,
        levels: usize,
    ) -> Result<(), ToolSpecError> {
        if !is_property_name(name) {
            let reason = format!(
                "property names are letters, digits, `_`, `.`, `-`, at most {LONGEST_PROPERTY_NAME}"
            );
            return Err(self.refuse(reason));
        }
        if !required {
            return Err(
                self.refuse("must be listed in `required`; an optional property has the type `[type, \"null\"]`")
            );
        }
        self.properties += 1;
        if self.properties > MOST_PROPERTIES {
            return Err(self.refuse(format!("more than {MOST_PROPERTIES} properties")));
        }
        self.count_characters(name)?;
        self.schema(schema, levels)
    }

    fn array(
        &mut self,
        map: &Map<String, Value>,
        kind: Option<&str>,
        levels: usize,
    ) -> Result<(), ToolSpecError> {
        match (kind == Some("array"), map.get("items")) {
            (true, Some(items)) => self.within("items", |check| check.schema(items, levels)),
            (true, None) => Err(self.refuse("an array needs `items`")),
            (false, Some(_)) => Err(self.refuse_at("items", "belongs to the type `array`")),
            (false, None) => Ok(()),
        }
    }

    /// `anyOf` is a filled list, and not at the root.
    fn alternatives(
        &mut self,
        map: &Map<String, Value>,
        levels: usize,
    ) -> Result<(), ToolSpecError> {
        let Some(alternatives) = map.get("anyOf") else {
            return Ok(());
        };
        let at_root = self.path.is_empty();
        self.within("anyOf", |check| {
            let list = alternatives
                .as_array()
                .filter(|list| !list.is_empty() && !at_root);
            let list = list
                .ok_or_else(|| check.refuse("must be a filled list of schemas, below the root"))?;
            for (index, alternative) in list.iter().enumerate() {
                check.within(index.to_string(), |check| check.schema(alternative, levels))?;
            }
            Ok(())
        })
    }

    /// An enum is a filled list of different plain values, within the limits.
    fn values(&mut self, list: &Value) -> Result<(), ToolSpecError> {
        let Some(list) = list.as_array().filter(|list| !list.is_empty()) else {
            return Err(
                self.refuse("an enum must not be empty; leave the tool or the property out")
            );
        };
        let mut seen = BTreeSet::new();
        for (index, value) in list.iter().enumerate() {
            self.within(index.to_string(), |check| {
                check.value(value)?;
                if seen.insert(value.to_string()) {
                    Ok(())
                } else {
                    Err(check.refuse("stands in the enum twice"))
                }
            })?;
        }
        let characters: usize = list
            .iter()
            .filter_map(Value::as_str)
            .map(|value| value.chars().count())
            .sum();
        if list.len() > LARGE_ENUM && characters > MOST_ENUM_CHARACTERS {
            let reason = format!(
                "an enum above {LARGE_ENUM} values may hold {MOST_ENUM_CHARACTERS} characters"
            );
            return Err(self.refuse(reason));
        }
        self.enum_values += list.len();
        if self.enum_values > MOST_ENUM_VALUES {
            return Err(self.refuse(format!("more than {MOST_ENUM_VALUES} enum values in all")));
        }
        Ok(())
    }

    fn value(&mut self, value: &Value) -> Result<(), ToolSpecError> {
        match value {
            Value::Array(_) | Value::Object(_) => {
                Err(self.refuse("must be a string, a number, a boolean or null"))
            }
            Value::String(text) => self.count_characters(text),
            _ => Ok(()),
        }
    }

    fn count_characters(&mut self, text: &str) -> Result<(), ToolSpecError> {
        self.characters += text.chars().count();
        if self.characters > MOST_CHARACTERS {
            return Err(self.refuse(format!(
                "more than {MOST_CHARACTERS} characters in names and values"
            )));
        }
        Ok(())
    }
}
