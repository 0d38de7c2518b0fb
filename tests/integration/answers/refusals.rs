//! What a model is told of a value that does not fit: all that is wrong, in words that it can act on.

use super::kinds::{compare, read};
use prompt_agent::answer::{Answer, Ending, FaultKind, Read};
use prompt_core::Message;
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Value, json};

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
#[allow(dead_code, reason = "printed")]
enum State {
    UnitOne,
    New(i32),
    Set { a: u8, b: u8 },
}

#[derive(Debug, Deserialize, JsonSchema)]
enum Alike {
    #[serde(rename = "fl_1")]
    Once,
    #[serde(rename = "fl1")]
    First,
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(untagged)]
#[allow(dead_code, reason = "printed")]
enum Loose {
    Both { a: u8, b: u8 },
    Other { a: u8, c: u8 },
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(tag = "kind", rename_all = "snake_case")]
#[allow(dead_code, reason = "printed")]
enum Tagged {
    Dot,
    Circle { r: f64 },
}

type Of<T> = std::collections::BTreeMap<String, T>;

#[test]
fn of_an_enum_the_variants_are_named() {
    compare::<Of<Result<i32, String>>>(
        Ending::Own,
        &[
            (r#"{"a": {"ok": 1}}"#, r#"{"a": Ok(1} [coerced:/a]"#),
            (
                r#"{"a": {}}"#,
                "/a: {} is not of the type { Ok } | { Err }.",
            ),
            (
                r#"{"a": {"okay": 1}}"#,
                r#"/a/okay: "okay" is none of { Ok }, { Err }."#,
            ),
        ],
    );
    let type_of = r#"is not of the type "unit_one" | { new } | { set }."#;
    compare::<Of<State>>(
        Ending::Own,
        &[
            (r#"{"a": {}}"#, &format!("/a: {{}} {type_of}")),
            (
                r#"{"a": {"new": 3, "set": {}}}"#,
                &format!(r#"/a: {{"new": 3, "set": {{}}}} {type_of}"#),
            ),
            (r#"{"a": 4}"#, &format!("/a: 4 {type_of}")),
            (
                r#"{"a": "new"}"#,
                r#"/a: "new" is not of the type { new: integer }."#,
            ),
            (
                r#"{"a": "Set"}"#,
                r#"/a: "Set" is not of the type { set: { a, b } }."#,
            ),
            (
                r#"{"a": {"unit_one": {}}}"#,
                r#"/a: {"unit_one": {}} is not of the type "unit_one"."#,
            ),
            (
                r#"{"a": {"Unit-One": 1}}"#,
                r#"/a: {"Unit-One": 1} is not of the type "unit_one"."#,
            ),
            (
                r#"{"a": "unit_on"}"#,
                r#"/a: "unit_on" is none of "unit_one", { new }, { set }. Did you mean "unit_one"?"#,
            ),
            (
                r#"{"a": {"nex": 1}}"#,
                r#"/a/nex: "nex" is none of "unit_one", { new }, { set }. Did you mean "new"?"#,
            ),
            (
                r#"{"a": {"set": {"a": 1}}}"#,
                "/a/set/b: missing (integer).",
            ),
        ],
    );
    // Where two are alike none is proposed.
    compare::<Of<Alike>>(
        Ending::Own,
        &[
            (
                r#"{"a": "FL-1"}"#,
                r#"/a: "FL-1" is none of "fl_1", "fl1"."#,
            ),
            (
                r#"{"a": "fl_2"}"#,
                r#"/a: "fl_2" is none of "fl_1", "fl1". Did you mean "fl_1"?"#,
            ),
        ],
    );
    compare::<Of<Loose>>(
        Ending::Own,
        &[
            (
                r#"{"x": {}}"#,
                "/x: {} is not of the type { a, b } | { a, c }.",
            ),
            (
                r#"{"x": {"a": 1}}"#,
                r#"/x: {"a": 1} is not of the type { a, b } | { a, c }."#,
            ),
            (
                r#"{"x": {"a": 1, "c": 400}}"#,
                "/x/c: 400 is out of bounds: 0 to 255.",
            ),
        ],
    );
    compare::<Of<Tagged>>(
        Ending::Own,
        &[
            (
                r#"{"x": {"Kind": "dot"}}"#,
                r#"/x/kind: missing ("dot" | "circle"). "Kind" stands there instead."#,
            ),
            (
                r#"{"x": {"circle": {"r": 1}}}"#,
                r#"/x/kind: missing ("dot" | "circle")."#,
            ),
        ],
    );
}

#[derive(Debug, Deserialize, JsonSchema)]
#[allow(dead_code, reason = "printed")]
struct Stated {
    own: u8,
    #[serde(flatten)]
    state: Flat,
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
#[allow(dead_code, reason = "printed")]
enum Flat {
    New(i32),
    Set { a: u8, b: u8 },
}

#[derive(Debug, Deserialize, JsonSchema)]
#[allow(dead_code, reason = "printed")]
struct Kinded {
    own: u8,
    #[serde(flatten)]
    of: Tagged,
}

#[test]
fn of_a_flattened_enum_too() {
    compare::<Stated>(
        Ending::Own,
        &[
            (r#"{"own": 1, "new": 3}"#, "Stated { own: 1, state: New(3"),
            (
                r#"{"own": 1, "new": "x"}"#,
                r#"/new: "x" is not of the type integer."#,
            ),
            (
                r#"{"own": "x", "set": {"a": 1}}"#,
                r#"/own: "x" is not of the type integer. & /set/b: missing (integer)."#,
            ),
            (
                r#"{"own": 1}"#,
                r#"the value: {"own": 1} is not of the type { new } | { set }."#,
            ),
        ],
    );
    compare::<Kinded>(
        Ending::Own,
        &[
            (r#"{"own": 1, "kind": "dot"}"#, "Kinded { own: 1, of: Dot"),
            (
                r#"{"own": 1, "kind": "cirle", "r": 1}"#,
                r#"/kind: "cirle" is none of "dot", "circle". Did you mean "circle"?"#,
            ),
            (
                r#"{"own": "x", "kind": "circle"}"#,
                r#"/own: "x" is not of the type integer. & /r: missing (number)."#,
            ),
        ],
    );
}

/// A text with the format of another crate's type: any that begins with a digit and ends with `Z` is one.
macro_rules! formatted {
    ($($name:ident $format:literal)*) => {$(
        #[derive(Debug, Deserialize, JsonSchema)]
        #[serde(try_from = "String")]
        #[schemars(extend("format" = $format))]
        #[allow(dead_code, reason = "printed")]
        struct $name(String);

        impl TryFrom<String> for $name {
            type Error = String;

            fn try_from(text: String) -> Result<Self, String> {
                let sound = text.starts_with(|c: char| c.is_ascii_digit());
                sound.then_some(Self(text)).ok_or_else(|| "input contains invalid characters".into())
            }
        }
    )*};
}
formatted! { At "date-time" Day "date" Clock "time" Id "uuid" Local "partial-date-time" Hour "partial-time" Host "ipv4" }

#[derive(Debug, Deserialize, JsonSchema)]
#[allow(dead_code, reason = "printed")]
struct Times {
    at: At,
    day: Day,
    clock: Clock,
    id: Id,
    local: Local,
    hour: Hour,
}

#[test]
fn dates_and_ids_are_looked_at_all_at_once() {
    let wrong = r#"{"at": "yesterday", "day": "2026-02-30", "clock": "noon", "id": "x-1", "local": 5, "hour": "tea time"}"#;
    assert_eq!(
        read::<Times>(wrong, Ending::Own),
        "/at: \"yesterday\" is not of the type date-time (2026-01-02T03:04:05Z). & \
         /day: \"2026-02-30\" is not of the type date (2026-01-02). & \
         /clock: \"noon\" is not of the type time (03:04:05Z). & \
         /id: \"x-1\" is not of the type uuid (a1a2a3a4-b1b2-c1c2-d1d2-e1e2e3e4e5e6). & \
         /local: 5 is not of the type date-time (2026-01-02T03:04:05). & \
         /hour: \"tea time\" is not of the type time (03:04:05)."
    );
    // A number is no date, and is not made one.
    compare::<Of<At>>(
        Ending::Own,
        &[(
            r#"{"a": 1767323045}"#,
            "/a: 1767323045 is not of the type date-time (2026-01-02T03:04:05Z).",
        )],
    );
    // What a type may take is not called wrong, whatever else is.
    for sound in [
        r#"{"at": "2026-01-02T03:04:05.678+01:00", "day": 1}"#,
        r#"{"at": "2024-02-29 23:59:60z", "day": 1}"#,
        r#"{"at": "2026-01-02T03:04-0530", "day": 1}"#,
        r#"{"at": "2026-01-02T03:04:05Z[UTC]", "day": 1}"#,
        r#"{"id": "A1A2A3A4B1B2C1C2D1D2E1E2E3E4E5E6", "day": 1}"#,
        r#"{"id": "{a1a2a3a4-b1b2-c1c2-d1d2-e1e2e3e4e5e6}", "day": 1}"#,
        r#"{"id": "urn:uuid:a1a2a3a4-b1b2-c1c2-d1d2-e1e2e3e4e5e6", "day": 1}"#,
        r#"{"local": "2026-01-02T03:04:05.6", "day": 1}"#,
        r#"{"hour": "03:04", "clock": "03:04:05Z", "day": 1}"#,
    ] {
        let told = read::<Times>(sound, Ending::Own);
        assert_eq!(told.matches("is not of the type").count(), 1, "{told}");
    }
    // The type decides in the end.
    assert_eq!(
        read::<Of<Day>>(r#"{"a": "3rd of May"}"#, Ending::Own),
        r#"{"a": Day("3rd of May"}"#
    );
    let said = read::<Of<Host>>(r#"{"a": "no host"}"#, Ending::Own);
    assert_eq!(said, "/a: input contains invalid characters.");
}

#[test]
fn numbers_are_told_in_the_digits_of_the_model() {
    compare::<Of<u64>>(
        Ending::Own,
        &[
            (
                r#"{"a": 18446744073709551616}"#,
                "/a: 18446744073709551616 is out of bounds: 0 to 18446744073709551615.",
            ),
            (
                r#"{"a": "18446744073709551616"}"#,
                "/a: 18446744073709551616 is out of bounds: 0 to 18446744073709551615.",
            ),
            (
                r#"{"a": -1}"#,
                "/a: -1 is out of bounds: 0 to 18446744073709551615.",
            ),
            (
                r#"{"a": -0, "b": -0.0}"#,
                r#"{"a": 0, "b": 0} [coerced:/a coerced:/b]"#,
            ),
            (r#"{"a": 1e3}"#, r#"{"a": 1000} [coerced:/a]"#),
            (r#"{"a": 1.5}"#, "/a: 1.5 is not of the type integer."),
        ],
    );
    compare::<Of<i64>>(
        Ending::Own,
        &[(
            r#"{"a": -9223372036854775809}"#,
            "/a: -9223372036854775809 is out of bounds: -9223372036854775808 to 9223372036854775807.",
        )],
    );
    let most = "340282366920938463463374607431768211455";
    compare::<Of<u128>>(
        Ending::Own,
        &[
            (
                r#"{"a": 340282366920938463463374607431768211456}"#,
                &format!(
                    "/a: 340282366920938463463374607431768211456 is out of bounds: 0 to {most}."
                ),
            ),
            (
                &format!(r#"{{"a": {most}}}"#),
                &format!(r#"{{"a": {most}}}"#),
            ),
        ],
    );
    #[derive(Debug, Deserialize, JsonSchema)]
    #[allow(dead_code, reason = "printed")]
    struct Bounded {
        #[schemars(range(max = 9_007_199_254_740_992_i64), extend("exclusiveMinimum" = 0))]
        of: i64,
    }
    compare::<Bounded>(
        Ending::Own,
        &[
            (
                r#"{"of": 9007199254740992}"#,
                "Bounded { of: 9007199254740992",
            ),
            (
                r#"{"of": 9007199254740993}"#,
                "/of: 9007199254740993 is out of bounds: above 0, at most 9007199254740992.",
            ),
            (
                r#"{"of": 0}"#,
                "/of: 0 is out of bounds: above 0, at most 9007199254740992.",
            ),
            (r#"{"of": 1}"#, "Bounded { of: 1"),
        ],
    );
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[allow(dead_code, reason = "printed")]
struct Closed {
    weight: f64,
    #[serde(default)]
    sorts: Vec<String>,
    #[serde(default)]
    label: String,
}

#[derive(Debug, Deserialize, JsonSchema)]
#[allow(dead_code, reason = "printed")]
struct Person {
    name: String,
    children: Vec<Person>,
    #[serde(default)]
    old: u8,
}

#[test]
fn a_mistake_is_told_once() {
    let text = r#"{"wieght": 20}"#;
    assert_eq!(
        read::<Closed>(text, Ending::Own),
        r#"/wieght: there is no such field. Did you mean "weight"?"#
    );
    // As data both are there.
    let mut answer = Answer::<Closed>::new();
    assert!(matches!(
        answer.read_message(&Message::assistant(text), Ending::Own),
        Ok(Read::Again(_))
    ));
    let kinds: Vec<FaultKind> = answer.faults().iter().map(|fault| fault.kind).collect();
    assert_eq!(kinds, [FaultKind::UnknownField, FaultKind::Missing]);
    compare::<Closed>(
        Ending::Own,
        &[
            (
                r#"{"wieght": 20, "heavy": 1}"#,
                r#"/wieght: there is no such field. Did you mean "weight"? & /heavy: there is no such field."#,
            ),
            (
                r#"{"x": 1}"#,
                "/x: there is no such field. & /weight: missing (number).",
            ),
            // Two nulls, the first at the front.
            (
                r#"{"sorts": null, "label": null, "weight": 2}"#,
                r#"Closed { weight: 2.0, sorts: [], label: "" [coerced:/sorts coerced:/label]"#,
            ),
            (
                r#"{"label": null, "weight": "x", "sorts": null}"#,
                r#"/weight: "x" is not of the type number."#,
            ),
        ],
    );
    compare::<Person>(
        Ending::Own,
        &[
            (
                r#"{"name": 1, "children": 4, "old": "x"}"#,
                r#"/children: 4 is not of the type { name, children, old }[]. & /old: "x" is not of the type integer."#,
            ),
            (
                r#"{"name": "B", "children": {}}"#,
                "/children: {} is not of the type { name, children, old }[].",
            ),
            (
                r#"{"name": "B", "children": {"name": "C", "children": []}}"#,
                r#"Person { name: "B", children: [Person { name: "C", children: [], old: 0], old: 0 [coerced:/children]"#,
            ),
            (
                r#"{"name": "B", "children": {"name": "C"}}"#,
                "/children/0/children: missing ({ name, children, old }[]).",
            ),
        ],
    );
}

#[derive(Debug, Deserialize, JsonSchema)]
#[allow(dead_code, reason = "printed")]
struct Wide {
    name: String,
    count: u8,
    known: bool,
    at: At,
    state: State,
    list: Vec<Part>,
    shape: Tagged,
    map: Of<f64>,
    pair: (u8, bool),
}

#[derive(Debug, Deserialize, JsonSchema)]
#[allow(dead_code, reason = "printed")]
struct Part {
    x: i32,
    word: Alike,
}

/// Whichever places are wrong: exactly these are told, each once.
#[test]
fn so_many_mistakes_are_so_many_faults() {
    let sound = json!({
        "name": "N", "count": 3, "known": true, "at": "2026-01-02T03:04:05Z", "state": { "set": { "a": 1, "b": 2 } },
        "list": [{ "x": 1, "word": "fl1" }, { "x": 2, "word": "fl_1" }], "shape": { "kind": "circle", "r": 1.5 },
        "map": { "a/b": 1 }, "pair": [1, true]
    });
    // The place of a fault, the value that is put there, and where; without one it is taken away.
    let wrong = [
        ("/name", "/name", json!([])),
        ("/count", "/count", json!(300)),
        ("/at", "/at", json!("noon")),
        ("/state/set/a", "/state/set/a", json!("x")),
        ("/state/set/b", "/state/set", json!("b")),
        ("/list/0/x", "/list/0/x", json!("y")),
        ("/list/1/word", "/list/1/word", json!("zzz")),
        ("/shape/r", "/shape", json!("r")),
        ("/map/a~1b", "/map/a~1b", json!("many")),
        ("/pair/1", "/pair/1", json!(7)),
        ("/known", "", json!("known")),
    ];
    assert!(read::<Wide>(&sound.to_string(), Ending::Own).starts_with("Wide"));
    for chosen in (1_u32..1 << wrong.len()).step_by(5) {
        let mut value = sound.clone();
        let mut wanted = Vec::new();
        let is_chosen = |(at, _): &(usize, _)| chosen & (1 << at) != 0;
        for (_, (path, place, put)) in wrong.iter().enumerate().filter(is_chosen) {
            wanted.push(*path);
            match value.pointer_mut(place).unwrap() {
                Value::Object(map) => drop(map.shift_remove(put.as_str().unwrap())),
                there => *there = put.clone(),
            }
        }
        let mut answer = Answer::<Wide>::new();
        let read = answer.read_message(&Message::assistant(value.to_string()), Ending::Own);
        assert!(matches!(read, Ok(Read::Again(_))), "{value}");
        let mut found: Vec<&str> = answer
            .faults()
            .iter()
            .map(|fault| fault.path.as_str())
            .collect();
        found.sort_unstable();
        wanted.sort_unstable();
        assert_eq!(found, wanted, "{value}");
    }
}
