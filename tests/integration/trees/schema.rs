//! The JSON schema of prompt files says of each key what the reader says, and takes the files of the examples.

use prompt_core::DynamicNode;
use prompt_core::dynamic::json_schema;
use prompt_syntax::book::{Holder, Key, keys};
use serde_json::{Map, Value, json};
use std::path::Path;

/// Whether a value is one of a schema: of the words that ours has.
fn fits(schema: &Value, value: &Value, whole: &Value) -> bool {
    let has = |key: &str, holds: &dyn Fn(&Value) -> bool| schema.get(key).is_none_or(holds);
    let is_type = |name: &Value| match name.as_str() {
        Some("string") => value.is_string(),
        Some("boolean") => value.is_boolean(),
        Some("integer") => value.is_i64() || value.is_u64(),
        Some("number") => value.is_number(),
        Some("null") => value.is_null(),
        Some("array") => value.is_array(),
        Some("object") => value.is_object(),
        other => panic!("{other:?}"),
    };
    let number = value.as_i64();
    let is_entry = |(name, value): (&String, &Value)| match schema["properties"].get(name) {
        Some(known) => fits(known, value, whole),
        None => has("additionalProperties", &|more| {
            more != &json!(false) && (more == &json!(true) || fits(more, value, whole))
        }),
    };
    has("$ref", &|name| {
        let name = name.as_str().unwrap().trim_start_matches('#');
        fits(whole.pointer(name).unwrap(), value, whole)
    }) && has("type", &|types| match types {
        Value::Array(types) => types.iter().any(is_type),
        one => is_type(one),
    }) && has("enum", &|words| words.as_array().unwrap().contains(value))
        && has("minimum", &|least| {
            number.is_none_or(|it| it >= least.as_i64().unwrap())
        })
        && has("maximum", &|most| {
            number.is_none_or(|it| it <= most.as_i64().unwrap())
        })
        && has("anyOf", &|ways| {
            ways.as_array()
                .unwrap()
                .iter()
                .any(|way| fits(way, value, whole))
        })
        && has("required", &|names| {
            let names = names.as_array().unwrap().iter();
            value.as_object().is_none_or(|map| {
                names
                    .clone()
                    .all(|name| map.contains_key(name.as_str().unwrap()))
            })
        })
        && value.as_object().is_none_or(|map| map.iter().all(is_entry))
        && value.as_array().is_none_or(|items| {
            has("items", &|schema| {
                items.iter().all(|item| fits(schema, item, whole))
            })
        })
}

/// What keys may be given: at the ends of what each takes, and beyond. What is in lists and maps is looked at in files.
fn values() -> Vec<Value> {
    let numbers = [
        -1_i64,
        0,
        1,
        6,
        7,
        9,
        10,
        255,
        256,
        65_535,
        65_536,
        1 << 31,
        1 << 32,
    ];
    let mut values: Vec<Value> = numbers.map(Value::from).into();
    values.extend([true, false].map(Value::from));
    let words = [
        "x", "required", "pretty", "full", "summary", "escaped", "user", "decimal", "none",
    ];
    values.extend(words.map(Value::from));
    values.extend([json!([]), json!({})]);
    values
}

/// Whether the reader takes this value of a key: it refuses it in the words of the book.
fn is_read(file: &Value, holder: Holder, key: &Key, value: &Value) -> bool {
    let refused = key.refuse(holder, value.as_str()).message;
    match DynamicNode::from_json(&file.to_string()) {
        Ok(_) => true,
        Err(faults) => !faults.iter().any(|fault| fault.message == refused),
    }
}

#[test]
fn the_schema_takes_what_the_reader_takes() {
    let schema = json_schema();
    let section = |entry: Map<String, Value>| {
        let mut section = json!({ "key": "a", "body": "x" });
        section.as_object_mut().unwrap().extend(entry);
        json!({ "key": "root", "body": "x", "sections": [section] })
    };
    let root = |entry: Map<String, Value>| {
        let mut root = json!({ "key": "root", "body": "{x}" });
        root.as_object_mut().unwrap().extend(entry);
        root
    };
    let var =
        |entry: Map<String, Value>| json!({ "key": "root", "body": "{x}", "vars": { "x": entry } });
    type Place<'p> = (&'p str, Holder, &'p dyn Fn(Map<String, Value>) -> Value);
    let places: [Place<'_>; 3] = [
        ("/properties", Holder::FileRoot, &root),
        (
            "/definitions/section/properties",
            Holder::FileSection,
            &section,
        ),
        ("/definitions/var/properties", Holder::FileVar, &var),
    ];
    let (mut count, mut differences) = (0, Vec::new());
    for (place, holder, file) in places {
        let known = schema.pointer(place).unwrap().as_object().unwrap();
        assert_eq!(known.len(), keys(holder).count());
        for key in keys(holder) {
            for value in values() {
                let file = file(Map::from_iter([(key.name.to_owned(), value.clone())]));
                let (read, taken) = (
                    is_read(&file, holder, key, &value),
                    fits(&known[key.name], &value, &schema),
                );
                if read != taken {
                    let name = key.name;
                    differences.push(format!(
                        "{place} {name} = {value}: read {read}, by the schema {taken}"
                    ));
                }
                count += 1;
            }
        }
    }
    assert!(differences.is_empty(), "{}", differences.join("\n"));
    assert!(count > 1_000, "{count}");
}

#[test]
fn a_key_that_does_not_exist_is_in_no_schema() {
    let schema = json_schema();
    let has = |file: Value| fits(&schema, &file, &schema);
    assert!(has(
        json!({ "key": "root", "sections": [{ "key": "a", "sections": [] }] })
    ));
    assert!(!has(json!({ "key": "root", "sectoins": [] })));
    assert!(!has(
        json!({ "key": "root", "sections": [{ "body": "x" }] })
    ));
    assert!(!has(
        json!({ "key": "root", "sections": [{ "key": "a", "allow": [] }] })
    ));
    assert!(!has(
        json!({ "key": "root", "vars": { "x": { "joins": ", " } } })
    ));
}

#[test]
fn files_of_the_examples_fit() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../examples/data");
    let read = |name: &str| std::fs::read_to_string(folder.join(name)).unwrap();
    let schema = json_schema();
    let json: Value = serde_json::from_str(&read("ferry.json")).unwrap();
    assert!(fits(&schema, &json, &schema));
    for name in ["ferry.toml", "harbour.toml"] {
        let file: Value = toml::from_str(&read(name)).unwrap();
        assert!(fits(&schema, &file, &schema), "{name}");
    }
}
