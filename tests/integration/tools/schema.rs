//! What a tool's schema may say: every refusal with its place, and schemas from Rust types.
// Schemas are written in place: `place(json!(..))`.

use prompt_core::ToolSpec;
use prompt_core::tool::{ToolListing, ToolSpecError};
use schemars::JsonSchema;
use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::{Map, Value, json};

/// A closed object with all of the given properties required.
fn object(properties: Value) -> Value {
    let names: Vec<&String> = properties.as_object().unwrap().keys().collect();
    let required = json!(names);
    json!({ "type": "object", "properties": properties, "required": required, "additionalProperties": false })
}

fn with(mut schema: Value, key: &str, value: Value) -> Value {
    schema.as_object_mut().unwrap().insert(key.into(), value);
    schema
}

fn place(schema: Value) -> String {
    match ToolSpec::new("tool", "", schema.clone()) {
        Err(ToolSpecError::Schema { path, reason }) => {
            assert!(!reason.is_empty());
            path
        }
        other => panic!("{schema} gave {other:?}"),
    }
}

#[test]
fn a_strict_schema_is_taken_unchanged() {
    let schema = object(json!({
        "name": { "type": "string", "description": "Any.", "pattern": "^a" },
        "when": { "type": ["string", "null"], "format": "date-time" },
        "kind": { "type": "string", "enum": ["a", "b"] },
        "level": { "enum": [1, 2, null] },
        "tags": { "type": "array", "items": { "type": "string" }, "minItems": 1 },
        "place": { "anyOf": [object(json!({ "x": { "type": "number" } })), { "type": "null" }] },
        "on": { "const": true },
    }));
    assert_eq!(
        ToolSpec::new("tool", "", schema.clone())
            .unwrap()
            .parameters(),
        &schema
    );
}

#[test]
fn names_are_checked() {
    let longest = "a".repeat(64);
    for name in ["a", "_x", "open_sections", "A-1", longest.as_str()] {
        assert!(ToolSpec::closed(name, "").is_ok(), "{name}");
    }
    let too_long = "a".repeat(65);
    for name in ["", "1a", "-a", "a.b", "a b", "ä", "a\n", too_long.as_str()] {
        assert_eq!(
            ToolSpec::closed(name, ""),
            Err(ToolSpecError::InvalidName(name.into())),
            "{name:?}"
        );
    }
}

#[test]
fn the_root_is_a_closed_object() {
    assert_eq!(place(json!({ "type": "string" })), "");
    assert_eq!(place(json!(true)), "");
    assert_eq!(place(json!({ "anyOf": [object(json!({}))] })), "");
    assert_eq!(
        place(with(
            object(json!({})),
            "anyOf",
            json!([{ "type": "string" }])
        )),
        "/anyOf"
    );
    assert_eq!(
        place(
            json!({ "type": ["object", "null"], "properties": {}, "additionalProperties": false })
        ),
        ""
    );
    assert_eq!(place(json!({ "type": "object", "properties": {} })), "");
    assert_eq!(
        place(json!({ "type": "object", "additionalProperties": false })),
        ""
    );
    assert_eq!(
        place(with(object(json!({})), "additionalProperties", json!(true))),
        "/additionalProperties"
    );
    assert_eq!(
        place(with(object(json!({})), "additionalProperties", json!({}))),
        "/additionalProperties"
    );
}

#[test]
fn objects_below_the_root_are_closed_too() {
    let open = json!({ "type": "object", "properties": {} });
    assert_eq!(place(object(json!({ "a": open }))), "/properties/a");
    assert_eq!(
        place(object(json!({ "a": { "type": "array", "items": open } }))),
        "/properties/a/items"
    );
    assert_eq!(
        place(object(
            json!({ "a": { "anyOf": [{ "type": "null" }, open] } })
        )),
        "/properties/a/anyOf/1"
    );
}

#[test]
fn every_property_is_required() {
    let properties = json!({ "a": { "type": "string" }, "b": { "type": "string" } });
    assert_eq!(
        place(with(object(properties.clone()), "required", json!(["a"]))),
        "/properties/b"
    );
    assert_eq!(
        place(with(
            object(properties.clone()),
            "required",
            json!(["a", "b", "c"])
        )),
        "/required/2"
    );
    assert_eq!(
        place(with(
            object(properties.clone()),
            "required",
            json!(["a", "b", "a"])
        )),
        "/required/2"
    );
    assert_eq!(
        place(with(object(properties.clone()), "required", json!("a"))),
        "/required"
    );
    let mut none = object(properties);
    none.as_object_mut().unwrap().shift_remove("required");
    assert_eq!(place(none), "/required");
}

#[test]
fn keywords_that_some_provider_refuses_are_refused() {
    for (keyword, value) in [
        ("default", json!("x")),
        ("oneOf", json!([{ "type": "string" }])),
        ("allOf", json!([{ "type": "string" }])),
        ("not", json!({ "type": "string" })),
        ("patternProperties", json!({})),
        (
            "$schema",
            json!("https://json-schema.org/draft/2020-12/schema"),
        ),
        ("$ref", json!("#/$defs/a")),
        ("$defs", json!({})),
        ("title", json!("T")),
        ("minimum", json!(0)),
        ("maxLength", json!(9)),
        ("uniqueItems", json!(true)),
        ("if", json!({})),
        ("description", json!(1)),
        ("format", json!("uint8")),
        ("minItems", json!(2)),
        ("enum", json!([])),
        ("enum", json!("a")),
    ] {
        let schema = with(json!({ "type": "string" }), keyword, value);
        assert_eq!(
            place(object(json!({ "a": schema }))),
            format!("/properties/a/{keyword}")
        );
    }
    let title = with(object(json!({})), "title", json!("T"));
    assert_eq!(place(title), "/title");
}

#[test]
fn types_are_one_or_nullable() {
    let at = |schema: Value| place(object(json!({ "a": schema })));
    assert_eq!(at(json!({})), "/properties/a");
    assert_eq!(at(json!(true)), "/properties/a");
    assert_eq!(at(json!({ "type": "text" })), "/properties/a/type");
    assert_eq!(
        at(json!({ "type": ["string", "number"] })),
        "/properties/a/type"
    );
    assert_eq!(at(json!({ "type": ["string"] })), "/properties/a/type");
    assert_eq!(
        at(json!({ "type": ["null", "null"] })),
        "/properties/a/type"
    );
    assert_eq!(at(json!({ "type": "array" })), "/properties/a");
    assert_eq!(
        at(json!({ "type": "string", "items": { "type": "string" } })),
        "/properties/a/items"
    );
    assert_eq!(
        at(json!({ "type": "string", "properties": {} })),
        "/properties/a/properties"
    );
    assert_eq!(at(json!({ "anyOf": [] })), "/properties/a/anyOf");
}

#[test]
fn enums_hold_different_plain_values() {
    let at = |values: Value| place(object(json!({ "a": { "enum": values } })));
    assert_eq!(at(json!(["a", "b", "a"])), "/properties/a/enum/2");
    assert_eq!(at(json!([{ "a": 1 }])), "/properties/a/enum/0");
    assert_eq!(at(json!(["a", [1]])), "/properties/a/enum/1");
}

#[test]
fn paths_are_json_pointers() {
    let schema = object(json!({ "a/b~c": { "type": "string" } }));
    assert_eq!(place(schema.clone()), "/properties/a~1b~0c");
    assert!(schema.pointer("/properties/a~1b~0c").is_some());
    let long = "p".repeat(65);
    assert_eq!(
        place(object(json!({ long.as_str(): { "type": "string" } }))),
        format!("/properties/{long}")
    );
}

/// `levels` objects, one in the other.
fn nested(levels: usize) -> Value {
    (1..levels).fold(object(json!({})), |inner, _| object(json!({ "a": inner })))
}

#[test]
fn the_limits_are_those_of_the_provider() {
    assert!(ToolSpec::new("tool", "", nested(10)).is_ok());
    assert_eq!(place(nested(11)), "/properties/a".repeat(10));

    let properties = |count: usize| {
        let named: Map<String, Value> = (0..count)
            .map(|n| (format!("p{n:04}"), json!({ "type": "string" })))
            .collect();
        object(Value::Object(named))
    };
    assert!(ToolSpec::new("tool", "", properties(5000)).is_ok());
    assert_eq!(place(properties(5001)), "/properties/p5000");

    let values = |count: usize, width: usize| {
        let list: Vec<String> = (0..count).map(|n| format!("{n:0width$}")).collect();
        json!({ "type": "string", "enum": list })
    };
    assert!(ToolSpec::new("tool", "", object(json!({ "a": values(1000, 4) }))).is_ok());
    assert_eq!(
        place(object(json!({ "a": values(1001, 4) }))),
        "/properties/a/enum"
    );
    assert_eq!(
        place(object(json!({ "a": values(600, 4), "b": values(401, 4) }))),
        "/properties/b/enum"
    );
    assert!(ToolSpec::new("tool", "", object(json!({ "a": values(250, 61) }))).is_ok());
    assert_eq!(
        place(object(json!({ "a": values(251, 60) }))),
        "/properties/a/enum"
    );
    assert!(ToolSpec::new("tool", "", object(json!({ "a": values(300, 50) }))).is_ok());
    assert_eq!(
        place(object(json!({ "a": values(300, 51) }))),
        "/properties/a/enum"
    );
    let wide = object(json!({ "a": values(200, 400), "b": values(200, 400) }));
    assert_eq!(place(wide), "/properties/b/enum/99");
}

#[test]
fn depth_beyond_reason_is_refused_without_a_crash() {
    let nested = |levels: usize| {
        let arrays = (0..levels).fold(
            json!({ "type": "string" }),
            |inner, _| json!({ "type": "array", "items": inner }),
        );
        object(json!({ "a": arrays }))
    };
    // The root, the arrays and what is in the innermost: 40 levels.
    assert!(ToolSpec::new("tool", "", nested(38)).is_ok());
    let deepest = format!("/properties/a{}", "/items".repeat(39));
    assert_eq!(place(nested(39)), deepest);
    assert_eq!(place(nested(500)), deepest);
}

#[test]
fn a_loose_schema_may_be_nested_60_deep() {
    let nested = |levels: usize| {
        let inner = (0..levels).fold(json!(1), |inner, _| json!([inner]));
        json!({ "type": "object", "x": inner })
    };
    // One level is that of the keyword.
    assert!(ToolSpec::loose("tool", "", nested(59)).is_ok());
    for levels in [60, 500] {
        let error = ToolSpec::loose("tool", "", nested(levels)).unwrap_err();
        assert!(
            error.to_string().contains("nested more than 60 deep"),
            "{error}"
        );
    }
}

#[test]
fn objects_may_be_nested_10_deep() {
    let nested = |levels: usize| {
        (1..levels).fold(object(json!({})), |inner, _| object(json!({ "a": inner })))
    };
    assert!(ToolSpec::new("tool", "", nested(10)).is_ok());
    assert_eq!(place(nested(11)), "/properties/a".repeat(10));
}

#[test]
fn required_may_be_away_only_where_there_is_nothing_to_list() {
    let without = |properties: Value| {
        let mut schema = object(properties);
        schema.as_object_mut().unwrap().shift_remove("required");
        schema
    };
    assert!(ToolSpec::new("tool", "", without(json!({}))).is_ok());
    let schema = without(json!({ "a": { "type": "string" } }));
    let error = ToolSpec::new("tool", "", schema).unwrap_err();
    assert_eq!(
        error.to_string(),
        "schema at `/required`: all properties must be listed here"
    );
}

#[test]
fn reading_makes_the_same_checks() {
    let spec = ToolSpec::closed("now", "The time.")
        .unwrap()
        .category("clock")
        .priority(3)
        .when_to_use("Ask first.");
    let text = serde_json::to_string(&spec).unwrap();
    assert_eq!(serde_json::from_str::<ToolSpec>(&text).unwrap(), spec);
    let bad = json!({ "name": "now", "description": "", "parameters": { "type": "object" } });
    let error = serde_json::from_value::<ToolSpec>(bad).unwrap_err();
    assert!(error.to_string().starts_with("schema at ``"), "{error}");
}

/// Books a table.
#[derive(Deserialize, JsonSchema)]
#[expect(dead_code, reason = "only its schema is used")]
struct Booking {
    /// Who comes.
    name: String,
    seats: u8,
    #[serde(default)]
    quiet: bool,
    note: Option<String>,
    place: Place,
    fallback: Option<Place>,
    spot: Option<Spot>,
    dishes: Vec<Dish>,
}

/// Where to sit.
#[derive(Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
enum Place {
    /// By the window.
    Window,
    /// Near the door.
    Door,
    Any,
}

#[derive(Deserialize, JsonSchema)]
#[expect(dead_code, reason = "only its schema is used")]
struct Spot {
    x: f64,
    y: i32,
}

#[derive(Deserialize, JsonSchema)]
#[expect(dead_code, reason = "only its schema is used")]
enum Dish {
    Soup,
    Cake { slices: u32 },
}

#[test]
fn types_become_strict_schemas() {
    let spec = ToolSpec::of::<Booking>("book").unwrap();
    assert_eq!(spec.description(), "Books a table.");
    // The generator puts variants without a doc comment first.
    let place = json!({
        "type": "string",
        "enum": ["any", "window", "door"],
        "description": "Where to sit.\n- window: By the window.\n- door: Near the door.",
    });
    let spot = object(json!({ "x": { "type": "number" }, "y": { "type": "integer" } }));
    let spot = with(spot, "type", json!(["object", "null"]));
    let parameters = spec.parameters();
    assert_eq!(
        parameters["required"],
        json!([
            "name", "seats", "quiet", "note", "place", "fallback", "spot", "dishes"
        ])
    );
    let property = |name: &str| parameters["properties"][name].clone();
    assert_eq!(
        property("name"),
        json!({ "type": "string", "description": "Who comes." })
    );
    assert_eq!(property("seats"), json!({ "type": "integer" }));
    assert_eq!(property("quiet"), json!({ "type": "boolean" }));
    assert_eq!(property("note"), json!({ "type": ["string", "null"] }));
    assert_eq!(property("place"), place);
    assert_eq!(
        property("fallback")["anyOf"],
        json!([place, { "type": "null" }])
    );
    assert_eq!(property("spot"), spot);
    let cake = object(json!({ "slices": { "type": "integer" } }));
    let dish = &property("dishes")["items"]["anyOf"];
    assert_eq!(dish[1], object(json!({ "Cake": cake })));
    assert!(!parameters.to_string().contains("title"));
}

#[derive(Deserialize, JsonSchema)]
struct Nothing {}

#[test]
fn a_type_without_fields_is_a_tool_without_arguments() {
    let spec = ToolSpec::of::<Nothing>("ping").unwrap();
    let empty = json!({
        "type": "object", "properties": {}, "required": [], "additionalProperties": false,
    });
    assert_eq!(spec.parameters(), &empty);
    assert_eq!(ToolSpec::closed("ping", "").unwrap().parameters(), &empty);
}

#[derive(Deserialize, JsonSchema)]
#[expect(dead_code, reason = "only its schema is used")]
struct WithMap {
    inner: std::collections::BTreeMap<String, u32>,
}

#[derive(Deserialize, JsonSchema)]
#[expect(dead_code, reason = "only its schema is used")]
struct Tree {
    children: Vec<Tree>,
}

#[derive(Deserialize, JsonSchema)]
#[expect(dead_code, reason = "only its schema is used")]
struct Ranged {
    #[schemars(range(min = 1, max = 5))]
    stars: u8,
}

#[derive(Deserialize, JsonSchema)]
#[expect(dead_code, reason = "only its schema is used")]
struct Pair {
    both: (u8, u8),
}

#[derive(Deserialize, JsonSchema)]
#[expect(dead_code, reason = "only its schema is used")]
struct Anything {
    value: Value,
}

#[test]
fn what_cannot_be_strict_is_refused_with_its_place() {
    fn refused<T: DeserializeOwned + JsonSchema>() -> String {
        match ToolSpec::of::<T>("tool") {
            Err(ToolSpecError::Schema { path, .. }) => path,
            other => panic!("{other:?}"),
        }
    }
    assert_eq!(
        refused::<WithMap>(),
        "/properties/inner/additionalProperties"
    );
    assert_eq!(refused::<Tree>(), "/properties/children/items/$ref");
    assert!(refused::<Pair>().starts_with("/properties/both/"));
    assert_eq!(refused::<Anything>(), "/properties/value");
    assert_eq!(refused::<Place>(), "");
    assert_eq!(refused::<Vec<u8>>(), "");
}

#[test]
fn limits_that_strict_mode_does_not_know_are_said_in_the_description() {
    /// Rates a stay.
    #[derive(Deserialize, JsonSchema)]
    #[expect(dead_code, reason = "only its schema is used")]
    struct Rating {
        /// How good it was.
        #[schemars(range(min = 1, max = 5))]
        stars: u8,
        #[schemars(length(max = 80), regex(pattern = "^[a-z]"))]
        note: Option<String>,
        #[schemars(length(min = 2, max = 3))]
        tags: Vec<String>,
        #[schemars(length(min = 1))]
        nights: Vec<u8>,
        site: std::collections::BTreeSet<u16>,
    }
    let spec = ToolSpec::of::<Rating>("rate").unwrap();
    let said = |name: &str| spec.parameters()["properties"][name]["description"].clone();
    assert_eq!(said("stars"), "How good it was. (minimum: 1, maximum: 5)");
    assert_eq!(said("note"), "(maxLength: 80, pattern: ^[a-z])");
    assert_eq!(said("tags"), "(minItems: 2, maxItems: 3)");
    assert_eq!(spec.parameters()["properties"]["nights"]["minItems"], 1);
    assert_eq!(said("site"), "(uniqueItems)");
    assert_eq!(
        ToolSpec::of::<Ranged>("tool").unwrap().parameters()["required"],
        json!(["stars"])
    );
}

#[test]
fn a_loose_tool_takes_any_schema_of_an_object() {
    let schema = json!({
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "type": "object",
        "properties": { "at": { "$ref": "#/$defs/place" }, "n": { "type": "integer", "minimum": 1, "default": 3 } },
        "required": ["at"],
        "$defs": { "place": { "oneOf": [{ "type": "string" }, { "type": "null" }] } },
    });
    let spec = ToolSpec::loose("look", "Looks.", schema.clone()).unwrap();
    assert_eq!((spec.parameters(), spec.is_strict()), (&schema, false));
    assert_eq!((spec.name(), spec.description()), ("look", "Looks."));
    assert!(ToolSpec::new("look", "", schema).is_err());
    // It comes back from JSON as what it was, with the same checks.
    let stored = serde_json::to_value(&spec).unwrap();
    assert_eq!(stored["strict"], false);
    assert_eq!(serde_json::from_value::<ToolSpec>(stored).unwrap(), spec);
    let refused = |schema: Value| match ToolSpec::loose("look", "", schema) {
        Err(ToolSpecError::Schema { path, .. }) => path,
        other => panic!("{other:?}"),
    };
    for bad in [
        json!({}),
        json!(true),
        json!({ "type": "string" }),
        json!({ "type": ["object", "null"] }),
    ] {
        assert_eq!(refused(bad), "");
    }
    assert_eq!(refused(json!({ "type": "object", "oneOf": [] })), "/oneOf");
    let deep = (0..70).fold(json!({}), |inner, _| json!({ "items": inner }));
    assert_eq!(
        refused(json!({ "type": "object", "properties": { "a": deep } })),
        ""
    );
    let named = ToolSpec::loose("look here", "", json!({ "type": "object" }));
    assert!(matches!(named, Err(ToolSpecError::InvalidName(_))));
    let forged = json!({ "name": "look", "description": "", "parameters": { "type": "string" }, "strict": false });
    assert!(serde_json::from_value::<ToolSpec>(forged).is_err());
}

#[test]
fn what_is_said_of_a_tool_can_be_read() {
    let spec = ToolSpec::closed("now", "The time.").unwrap();
    assert_eq!(*spec.listing(), ToolListing::default());
    let spec = spec.when_to_use("Often.").category("Clock").priority(2);
    let listing = spec.listing();
    let said = (listing.when_to_use.as_deref(), listing.category.as_deref());
    assert_eq!(said, (Some("Often."), Some("Clock")));
    assert_eq!(listing.priority, Some(2));
}

#[test]
fn what_a_strict_schema_has_no_form_for_is_said_with_its_remedy() {
    #[derive(Deserialize, JsonSchema)]
    #[allow(dead_code)]
    struct Anything {
        value: Value,
    }
    #[derive(Deserialize, JsonSchema)]
    #[allow(dead_code)]
    struct Prices {
        prices: std::collections::BTreeMap<String, f64>,
    }
    #[derive(Deserialize, JsonSchema)]
    #[allow(dead_code)]
    struct Tree {
        leaves: Vec<Tree>,
    }
    for error in [
        ToolSpec::of::<Anything>("f").unwrap_err(),
        ToolSpec::of::<Prices>("f").unwrap_err(),
    ] {
        assert!(
            error.to_string().contains("`ToolSpec::loose_of`"),
            "{error}"
        );
    }
    for spec in [
        ToolSpec::loose_of::<Anything>("f"),
        ToolSpec::loose_of::<Prices>("f"),
        ToolSpec::loose_of::<Tree>("f"),
    ] {
        let spec = spec.unwrap();
        assert!(!spec.is_strict());
        assert_eq!(spec.parameters()["type"], "object");
    }
}

#[test]
fn formats_that_strict_mode_does_not_know_are_said_in_the_description() {
    #[derive(Deserialize, JsonSchema)]
    #[allow(dead_code)]
    struct Visit {
        /// Where to.
        #[schemars(extend("format" = "uri"))]
        page: String,
        #[schemars(extend("format" = "partial-time"))]
        at: String,
        count: u32,
    }
    let spec = ToolSpec::of::<Visit>("visit").unwrap();
    let properties = &spec.parameters()["properties"];
    assert_eq!(properties["page"]["description"], "Where to. (format: uri)");
    assert_eq!(properties["at"]["description"], "(format: partial-time)");
    assert_eq!(properties["count"].get("description"), None);
}

/// What is written first stands first, also where neither reading nor writing demands a field.
#[derive(Deserialize, JsonSchema)]
#[expect(dead_code, reason = "only its schema is used")]
struct Order {
    #[serde(skip_serializing_if = "Option::is_none")]
    reasons: Option<String>,
    parts: Vec<Part>,
    #[serde(default)]
    amount: u8,
}

#[derive(Deserialize, JsonSchema)]
#[expect(dead_code, reason = "only its schema is used")]
struct Part {
    #[serde(default, skip_serializing_if = "Option::is_none")]
    why: Option<String>,
    name: String,
}

#[test]
fn the_order_of_the_type_is_that_of_its_properties() {
    let strict = ToolSpec::of::<Order>("order").unwrap();
    let parameters = strict.parameters();
    assert_eq!(
        parameters["required"],
        json!(["reasons", "parts", "amount"])
    );
    let part = &parameters["properties"]["parts"]["items"];
    assert_eq!(part["required"], json!(["why", "name"]));
    // What may be left out stays so; the order is said beside it, where it is not that of `required`.
    let loose = ToolSpec::loose_of::<Order>("order").unwrap();
    let parameters = loose.parameters();
    assert_eq!(parameters["required"], json!(["parts"]));
    let sent = serde_json::to_string(&loose).unwrap();
    let places = ["\"reasons\":{", "\"parts\":{", "\"amount\":{"].map(|name| sent.find(name));
    assert!(places.is_sorted() && places[0].is_some(), "{sent}");
    let stored: ToolSpec = serde_json::from_str(&sent).unwrap();
    assert_eq!(stored, loose);
    assert_eq!(serde_json::to_string(&stored).unwrap(), sent);
}
