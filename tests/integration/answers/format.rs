//! How a type is printed.

use prompt_agent::answer::Answer;
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::Value;
use std::collections::{BTreeMap, HashMap, HashSet};

#[derive(Deserialize, JsonSchema)]
#[allow(dead_code)]
struct Report {
    /// Think first.
    zeta: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    middle: Option<u8>,
    alpha: Inner,
    /// Where it stands.
    room: Room,
    rooms: Vec<Room>,
    what: Part,
    whats: Vec<Part>,
    tagged: Vec<Tagged>,
    adjacent: Option<Adjacent>,
    loose: Loose,
    pair: (i64, String),
    three: [f32; 3],
    seats: HashMap<String, u32>,
    by_number: BTreeMap<u8, Inner>,
    set: HashSet<String>,
    any: Value,
    maybe: Vec<Option<u32>>,
    #[schemars(required)]
    must: Option<String>,
    #[schemars(range(min = 1, max = 5))]
    stars: u8,
    /// Short.
    #[schemars(length(max = 80))]
    title: String,
    first: Deep,
    second: Deep,
    #[serde(rename = "my-key")]
    dashed: bool,
    unit: (),
    letter: char,
}

/// A part of it.
#[derive(Deserialize, JsonSchema)]
#[allow(dead_code)]
struct Inner {
    yes: bool,
    /// A number.
    no: i32,
}

#[derive(Deserialize, JsonSchema)]
#[allow(dead_code)]
struct Deep {
    one: String,
    two: String,
    three: String,
    four: String,
}

#[derive(Deserialize, JsonSchema)]
#[allow(dead_code)]
struct Flat {
    zulu: u8,
    #[serde(flatten)]
    inner: Inner,
    #[serde(flatten)]
    rest: BTreeMap<String, u8>,
}

#[derive(Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
#[allow(dead_code)]
enum Room {
    /// No talking.
    ReadingRoom,
    Cellar,
}

#[derive(Deserialize, JsonSchema)]
#[allow(dead_code)]
enum Part {
    Nothing,
    Spring(u8),
    /// Counted once.
    Wheel {
        teeth: u8,
        bent: bool,
    },
}

#[derive(Deserialize, JsonSchema)]
#[serde(tag = "kind", rename_all = "snake_case")]
#[allow(dead_code)]
enum Tagged {
    Spring { broken: bool },
    Other(Inner),
    Dial,
}

#[derive(Deserialize, JsonSchema)]
#[serde(tag = "t", content = "c")]
#[allow(dead_code)]
enum Adjacent {
    A(u8),
    B { x: u8 },
}

#[derive(Deserialize, JsonSchema)]
#[serde(untagged)]
#[allow(dead_code)]
enum Loose {
    Text(String),
    Number(f64),
    Object { only: u8 },
}

#[test]
fn every_form_of_a_type_has_its_layout() {
    let answer = Answer::<Report>::new();
    assert_eq!(answer.unchecked(), [] as [&str; 0]);
    assert_eq!(
        answer.format().as_str(),
        r#"{
  zeta: string // Think first.
  middle?: integer
  alpha: { // A part of it.
    yes: boolean
    no: integer // A number.
  }
  room: // Where it stands.
    | "cellar"
    | "reading_room" // No talking.
  rooms: (
    | "cellar"
    | "reading_room" // No talking.
  )[]
  what:
    | "Nothing"
    | { Spring: integer }
    | { Wheel: { teeth: integer, bent: boolean } } // Counted once.
  whats: (
    | "Nothing"
    | { Spring: integer }
    | { Wheel: { teeth: integer, bent: boolean } } // Counted once.
  )[]
  tagged: (
    | { kind: "spring", broken: boolean }
    | {
      kind: "other"
      yes: boolean
      no: integer // A number.
    }
    | { kind: "dial" }
  )[]
  adjacent?:
    | { t: "A", c: integer }
    | { t: "B", c: { x: integer } }
  loose:
    | string
    | number
    | { only: integer }
  pair: [integer, string]
  three: number[] // 3 entries
  seats: { [key: string]: integer }
  by_number: { [key: string]: {
    yes: boolean
    no: integer // A number.
  } }
  set: string[] // all different
  any: any
  maybe: (integer | null)[]
  must: string
  stars: integer // 1 to 5
  title: string // Short. (at most 80 characters)
  first: Deep
  second: Deep
  "my-key": boolean
  unit: null
  letter: string // 1 character
}
Deep = {
  one: string
  two: string
  three: string
  four: string
}"#
    );
}

#[test]
fn flattened_fields_stand_among_the_others() {
    assert_eq!(
        Answer::<Flat>::new().format().as_str(),
        "{ // A part of it.\n  zulu: integer\n  yes: boolean\n  no: integer // A number.\n  [key: string]: integer\n}"
    );
}

#[derive(Deserialize, JsonSchema)]
#[allow(dead_code)]
struct Drawn {
    /// Counted from 1.
    own: i32,
    #[serde(flatten)]
    shape: Shape,
}

#[derive(Deserialize, JsonSchema)]
#[serde(tag = "kind", rename_all = "snake_case")]
#[allow(dead_code)]
enum Shape {
    Point,
    Circle {
        r: f64,
    },
    /// Seen from above.
    Box {
        w: f64,
        h: f64,
    },
    Other(Inner),
}

#[derive(Deserialize, JsonSchema)]
#[allow(dead_code)]
struct Page {
    /// All of them.
    drawn: Vec<Drawn>,
}

#[test]
fn a_flattened_enum_says_its_variants() {
    let shapes = r#"  | { kind: "point" }
  | { kind: "circle", r: number }
  | { kind: "box", w: number, h: number } // Seen from above.
  | {
    kind: "other"
    yes: boolean
    no: integer // A number.
  }
"#;
    assert_eq!(
        Answer::<Drawn>::new().format().as_str(),
        format!("{{\n  own: integer // Counted from 1.\n}} & (\n{shapes})")
    );
    let inner = shapes.replace("\n  ", "\n    ");
    assert_eq!(
        Answer::<Page>::new().format().as_str(),
        format!(
            "{{\n  drawn: ({{ // All of them.\n    own: integer // Counted from 1.\n  }} & (\n  {}  ))[]\n}}",
            inner.trim_end_matches(' ')
        )
    );
}

/// What is to be done.
#[derive(Deserialize, JsonSchema)]
#[allow(dead_code)]
struct Plan {
    /// What to do next, first thing first.
    #[schemars(length(min = 1, max = 5))]
    actions: Vec<Step>,
    /// Who pays.
    owner: Payer,
    others: Vec<Payer>,
    #[schemars(length(max = 3), inner(length(max = 9)))]
    words: Vec<String>,
}

/// One action.
#[derive(Deserialize, JsonSchema)]
#[allow(dead_code)]
struct Step {
    what: String,
}

/// A customer.
#[derive(Deserialize, JsonSchema)]
#[allow(dead_code)]
struct Payer {
    name: String,
}

#[test]
fn what_is_said_of_a_list_is_not_said_of_its_elements() {
    assert_eq!(
        Answer::<Plan>::new().format().as_str(),
        r"{ // What is to be done.
  actions: { // What to do next, first thing first. (1 to 5 entries) Each: One action.
    what: string
  }[]
  owner: { // Who pays. A customer.
    name: string
  }
  others: { // A customer.
    name: string
  }[]
  words: string[] // at most 3 entries, each at most 9 characters
}"
    );
}

#[test]
fn roots_of_every_kind() {
    assert_eq!(Answer::<Vec<String>>::new().format().as_str(), "string[]");
    assert_eq!(Answer::<u8>::new().format().as_str(), "integer");
    // What may be null in a map says so, on one line and on several.
    let map = Answer::<BTreeMap<String, Option<u8>>>::new().format();
    assert_eq!(map.as_str(), "{ [key: string]: integer | null }");
    let map = Answer::<BTreeMap<String, Option<Inner>>>::new().format();
    assert_eq!(
        map.as_str(),
        "{ [key: string]: {\n  yes: boolean\n  no: integer // A number.\n} | null }"
    );
    assert_eq!(
        Answer::<Option<u8>>::new().format().as_str(),
        "integer | null"
    );
    assert_eq!(
        Answer::<Room>::new().format().as_str(),
        "| \"cellar\"\n| \"reading_room\" // No talking."
    );
    assert_eq!(
        Answer::<Vec<Inner>>::new().format().as_str(),
        "{ // A part of it.\n  yes: boolean\n  no: integer // A number.\n}[]"
    );
}

#[derive(Deserialize, JsonSchema)]
#[allow(dead_code)]
struct A {
    b: Option<Box<B>>,
    z: u8,
}

#[derive(Deserialize, JsonSchema)]
#[allow(dead_code)]
struct B {
    a: Vec<A>,
    own: Option<Box<B>>,
}

#[test]
fn types_that_contain_each_other_stand_once() {
    assert_eq!(
        Answer::<A>::new().format().as_str(),
        "A = {\n  b?: B\n  z: integer\n}\nB = {\n  a: A[]\n  own?: B\n}"
    );
}

#[test]
fn a_form_is_a_value_like_any_other() -> Result<(), Box<dyn std::error::Error>> {
    use prompt_agent::answer::AnswerFormat;
    use prompt_core::{PromptNode, Style};

    /// Answer so:
    ///
    /// {form}
    #[derive(PromptNode)]
    struct Desk {
        form: AnswerFormat,
        #[section]
        again: AnswerFormat,
    }

    let form = Answer::<Inner>::new().format();
    let desk = Desk {
        form: form.clone(),
        again: form.clone(),
    };
    let text = desk.prompt().text()?;
    assert_eq!(text.matches(form.as_str()).count(), 2, "{text}");
    let xml = desk.prompt().style(Style::Xml).text()?;
    assert_eq!(xml.matches("no: integer // A number.").count(), 2, "{xml}");
    let bounded = desk
        .prompt()
        .budget(prompt_core::Budget::tokens(400))
        .render()?;
    assert!(
        bounded
            .budget_report()
            .is_some_and(|report| report.used > 40)
    );
    assert!(prompt_review::page(&desk.prompt().preview()?).contains("A number."));
    Ok(())
}

#[test]
fn the_other_styles() -> Result<(), Box<dyn std::error::Error>> {
    let answer = Answer::<Inner>::new();
    assert!(
        answer
            .format_as_schema()
            .as_str()
            .contains("\"required\": [")
    );
    let example = serde_json::json!({ "yes": true, "no": 4 });
    let form = answer.format_as_example(&example)?;
    assert_eq!(form.as_str(), serde_json::to_string_pretty(&example)?);
    let wrong = serde_json::json!({ "yes": "so", "no": [] });
    let error = answer.format_as_example(&wrong).unwrap_err().to_string();
    assert!(error.contains("/yes") && error.contains("/no"), "{error}");
    Ok(())
}

/// The type of a resolution, as a support desk has it.
#[derive(Deserialize, JsonSchema)]
#[allow(dead_code)]
struct Resolution {
    /// Think first, two sentences.
    reasoning: String,
    category: Category,
    /// Euros, 0 to 500.
    refund: Option<f64>,
    urgent: bool,
    /// What the customer reads.
    reply: String,
    owner: Owner,
    steps: Vec<Action>,
    tags: Vec<String>,
    attempts: u32,
    /// The last day on which it can be appealed.
    deadline: Option<String>,
}

#[derive(Deserialize, JsonSchema)]
#[allow(dead_code)]
#[serde(rename_all = "snake_case")]
enum Category {
    Billing,
    Delivery,
    /// Everything that fits nowhere else.
    Other,
    Fraud,
}

#[derive(Deserialize, JsonSchema)]
#[allow(dead_code)]
struct Owner {
    name: String,
    mail: String,
}

#[derive(Deserialize, JsonSchema)]
#[allow(dead_code)]
struct Action {
    action: String,
    done: bool,
}

#[test]
fn the_text_is_at_most_two_fifths_of_the_schema() {
    let answer = Answer::<Resolution>::new();
    let (text, schema) = (answer.format(), answer.format_as_schema());
    let share = text.as_str().len() * 100 / schema.as_str().len();
    assert!(share <= 40, "{share} %");
    #[cfg(feature = "tiktoken")]
    {
        use prompt_core::tokens::{O200k, TokenCounter};
        let counter = O200k;
        let tokens = [text.as_str(), schema.as_str()].map(|text| counter.count(text));
        println!("{tokens:?} tokens, {} characters", text.as_str().len());
        assert!(tokens[0] * 100 <= tokens[1] * 40, "{tokens:?}");
    }
}
