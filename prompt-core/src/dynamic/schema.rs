//! What may stand in a prompt file, as a JSON schema: made of the book of keys.

use prompt_syntax::book::{self, Holder, Takes};
use serde_json::{Map, Value, json};

/// The JSON schema (draft 7) of prompt files, for editors: every key with what it takes and what it does. JSON, and TOML
/// through extensions such as Taplo, are completed and checked by it while they are written. It knows no names of values and
/// sections: [`DynamicNode`](crate::DynamicNode) checks those, and which keys go together.
///
/// ```
/// let schema = prompt_core::dynamic::json_schema();
/// assert_eq!(schema["properties"]["body"]["type"], "string");
/// assert_eq!(schema["definitions"]["section"]["properties"]["level"]["maximum"], 6);
/// ```
pub fn json_schema() -> Value {
    let mut schema = json!({
        "$schema": "http://json-schema.org/draft-07/schema#",
        "title": "A prompt file of prompt-core",
    });
    if let (Value::Object(schema), Value::Object(root)) =
        (&mut schema, holder(Holder::FileRoot, &[]))
    {
        schema.extend(root);
    }
    schema["definitions"] = json!({
        "section": holder(Holder::FileSection, &["key"]),
        "var": holder(Holder::FileVar, &[]),
    });
    schema
}

fn holder(holder: Holder, required: &[&str]) -> Value {
    let properties = book::keys(holder).map(|key| {
        let mut value = match key.name {
            "vars" => json!({ "type": "object", "additionalProperties": reference("var") }),
            _ => value(key.takes),
        };
        value["description"] = key.about.into();
        (key.name.to_owned(), value)
    });
    let properties: Map<String, Value> = properties.collect();
    json!({
        "type": "object",
        "properties": properties,
        "required": required,
        "additionalProperties": false,
    })
}

fn reference(name: &str) -> Value {
    json!({ "$ref": format!("#/definitions/{name}") })
}

/// What a key takes in a file.
fn value(takes: Takes) -> Value {
    let whole =
        |least: u32, most: u32| json!({ "type": "integer", "minimum": least, "maximum": most });
    match takes {
        Takes::Text | Takes::ItemField | Takes::ValueName => json!({ "type": "string" }),
        Takes::Switch => json!({ "type": "boolean" }),
        Takes::Level => whole(1, 6),
        Takes::Gap => whole(0, 9),
        Takes::Columns => whole(0, 255),
        Takes::Characters => whole(1, 65_535),
        Takes::Hang => json!({ "anyOf": [{ "type": "boolean" }, whole(0, 65_535)] }),
        Takes::Seconds => json!({ "anyOf": [{ "type": "boolean" }, whole(1, u32::MAX)] }),
        Takes::Priority => json!({ "anyOf": [
            { "type": "integer", "minimum": i32::MIN, "maximum": i32::MAX },
            { "enum": ["required"] },
        ] }),
        Takes::OneOf(words) | Takes::OneOfOrExpression(words) | Takes::OneOfOrNothing(words) => {
            json!({ "enum": words })
        }
        Takes::Json => {
            json!({ "anyOf": [{ "type": "boolean" }, whole(0, 255), { "enum": ["pretty"] }] })
        }
        Takes::Decision => json!({ "type": ["boolean", "string"] }),
        Takes::Texts => json!({ "type": "array", "items": { "type": "string" } }),
        Takes::Map => json!({
            "type": "object",
            "additionalProperties": { "type": ["string", "number", "boolean", "null"] },
        }),
        Takes::Sections => json!({ "type": "array", "items": reference("section") }),
        Takes::Expression | Takes::Path | Takes::Bounds | Takes::List => json!(false),
    }
}
