//! The given cases.

use prompt_agent::answer::{Answer, Ending, Read, Repair};
use prompt_core::Message;
use schemars::JsonSchema;
use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Debug;

#[derive(Debug, PartialEq, Deserialize, JsonSchema)]
struct Berth {
    /// Number on the quay, from 1.
    number: u32,
    name: String,
    /// Metres at low water.
    depth: f64,
    taken: bool,
    /// The ship that lies there.
    ship: Option<String>,
}

#[derive(Debug, PartialEq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Harvest {
    orchard: String,
    /// What was picked, by sort.
    crates: Vec<Crate>,
    weather: Weather,
    #[serde(default)]
    notes: Vec<String>,
}

#[derive(Debug, PartialEq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Crate {
    sort: String,
    /// Kilograms.
    weight: f64,
    ripe: bool,
}

#[derive(Debug, PartialEq, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
enum Weather {
    Dry,
    LightRain,
    Storm,
}

#[derive(Debug, PartialEq, Deserialize, JsonSchema)]
struct Repaired {
    clock: String,
    faults: Vec<Fault>,
}

#[derive(Debug, PartialEq, Deserialize, JsonSchema)]
#[serde(tag = "kind", rename_all = "snake_case")]
enum Fault {
    Spring { broken: bool },
    Wheel { teeth: u8 },
    Dial,
}

#[derive(Debug, PartialEq, Deserialize, JsonSchema)]
struct Order {
    #[schemars(length(min = 3, max = 12))]
    tree: String,
    #[schemars(range(min = 1, max = 40))]
    count: u16,
    #[schemars(length(min = 1, max = 2))]
    rows: Vec<String>,
    /// Metres between two, by row.
    spacing: BTreeMap<String, u32>,
}

#[derive(Debug, PartialEq, Deserialize, JsonSchema)]
struct Pilotage {
    ship: String,
    length: f64,
    draught: f64,
    flag: Flag,
    pilots: Vec<Pilot>,
    tugs: u8,
    night: bool,
    cargo: Cargo,
    harbour: String,
}

#[derive(Debug, PartialEq, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
enum Flag {
    Plain,
    Striped,
}

#[derive(Debug, PartialEq, Deserialize, JsonSchema)]
struct Pilot {
    name: String,
    grade: u8,
}

#[derive(Debug, PartialEq, Deserialize, JsonSchema)]
struct Cargo {
    what: String,
    tons: f64,
}

#[derive(Debug, PartialEq, Deserialize, JsonSchema)]
struct Beacon {
    name: String,
    rhythm: Rhythm,
}

#[derive(Debug, PartialEq, Deserialize, JsonSchema)]
enum Rhythm {
    #[serde(rename = "fl_1")]
    Once,
    #[serde(rename = "fl1")]
    First,
    #[serde(rename = "iso")]
    Even,
}

#[derive(Debug, PartialEq, Deserialize, JsonSchema)]
struct Entry {
    shelf_mark: ShelfMark,
    year: u16,
}

/// A capital letter, a dash and digits.
#[derive(Debug, PartialEq, Deserialize, JsonSchema)]
#[serde(try_from = "String")]
struct ShelfMark(String);

impl TryFrom<String> for ShelfMark {
    type Error = String;

    fn try_from(text: String) -> Result<Self, String> {
        let sound = matches!(text.split_once('-'), Some((letter, digits)) if letter.len() == 1
            && letter.chars().all(char::is_uppercase) && digits.parse::<u32>().is_ok());
        sound
            .then_some(Self(text))
            .ok_or_else(|| "a shelf mark is a capital letter, a dash and digits".to_owned())
    }
}

#[derive(Debug, PartialEq, Deserialize, JsonSchema)]
struct Branch {
    name: String,
    /// Those that grow from it.
    twigs: Vec<Branch>,
}

#[derive(Deserialize)]
struct Cases {
    cases: Vec<Case>,
    partial: Vec<Part>,
    format: Vec<Printed>,
}

#[derive(Deserialize)]
struct Case {
    id: String,
    r#type: String,
    text: String,
    stop: Option<String>,
    #[serde(default)]
    strict: bool,
    #[serde(default)]
    check: bool,
    expected: Expected,
}

#[derive(Deserialize)]
struct Expected {
    value: Option<Value>,
    #[serde(default)]
    repairs: BTreeSet<String>,
    faults: Option<Vec<Fact>>,
    #[serde(default)]
    cut_off: bool,
    #[serde(default)]
    ordered: bool,
}

#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Deserialize)]
struct Fact {
    path: String,
    kind: String,
}

#[derive(Deserialize)]
struct Part {
    id: String,
    text: String,
    value: Option<Value>,
}

#[derive(Deserialize)]
struct Printed {
    id: String,
    r#type: String,
    prints: String,
}

fn cases() -> Cases {
    serde_json::from_str(include_str!("../../cases/answers.json")).unwrap()
}

fn outcome<T>(mut answer: Answer<T>, case: &Case) -> Result<(), String>
where
    T: DeserializeOwned + JsonSchema + PartialEq + Debug,
{
    if case.strict {
        answer = answer.strict();
    }
    let ending = match case.stop.as_deref() {
        None | Some("end") => Ending::Own,
        Some("length") => Ending::Length,
        Some(_) => Ending::Unknown,
    };
    let message = Message::assistant(case.text.as_str());
    let read = answer
        .read_message(&message, ending)
        .map_err(|error| error.to_string())?;
    let expected = &case.expected;
    match (read, &expected.value, &expected.faults) {
        (Read::Accepted(accepted), Some(value), _) => {
            let repairs: BTreeSet<String> =
                accepted.repairs().iter().map(Repair::to_string).collect();
            if repairs != expected.repairs {
                return Err(format!("repairs {repairs:?}"));
            }
            let wanted: T = serde_json::from_value(value.clone()).unwrap();
            (*accepted.value() == wanted)
                .then_some(())
                .ok_or_else(|| format!("{:?}", accepted.value()))
        }
        (Read::CutOff(_), None, None) if expected.cut_off => Ok(()),
        (Read::Again(message), None, Some(wanted)) => {
            let found: Vec<Fact> = answer
                .faults()
                .iter()
                .map(|fault| Fact {
                    path: fault.path.clone(),
                    kind: fault.kind.to_string(),
                })
                .collect();
            let sorted = |facts: &[Fact]| {
                let mut facts = facts.to_vec();
                facts.sort();
                facts
            };
            let equal = if expected.ordered {
                found == *wanted
            } else {
                sorted(&found) == sorted(wanted)
            };
            equal
                .then_some(())
                .ok_or_else(|| format!("faults {found:?}: {}", message.text()))
        }
        (read, ..) => Err(format!("{read:?}")),
    }
}

fn run(case: &Case) -> Result<(), String> {
    let heavy = |harvest: &Harvest| {
        let sum: f64 = harvest.crates.iter().map(|crates| crates.weight).sum();
        if sum <= 900.0 {
            Ok(())
        } else {
            Err("too heavy for the cart".to_owned())
        }
    };
    match case.r#type.as_str() {
        "Berth" => outcome(Answer::<Berth>::new(), case),
        "Harvest" if case.check => outcome(Answer::<Harvest>::new().check(heavy), case),
        "Harvest" => outcome(Answer::<Harvest>::new(), case),
        "Repair" => outcome(Answer::<Repaired>::new(), case),
        "Order" => outcome(Answer::<Order>::new(), case),
        "Pilotage" => outcome(Answer::<Pilotage>::new(), case),
        "Beacon" => outcome(Answer::<Beacon>::new(), case),
        "Entry" => outcome(Answer::<Entry>::new(), case),
        "Branch" => outcome(Answer::<Branch>::new(), case),
        other => Err(format!("no type `{other}`")),
    }
}

/// Whether plain `serde_json` on the whole text gives what is wanted; only for those that can be read.
fn plain<T: DeserializeOwned + PartialEq>(case: &Case) -> Option<bool> {
    let wanted: T = serde_json::from_value(case.expected.value.clone()?).unwrap();
    Some(serde_json::from_str::<T>(&case.text).is_ok_and(|value| value == wanted))
}

/// README compares with those that hand the text, or the arguments of a tool, to `serde_json` as it is.
#[test]
fn serde_json_alone_reads_few_of_them() {
    let cases = cases().cases;
    let read = |case: &Case| match case.r#type.as_str() {
        "Berth" => plain::<Berth>(case),
        "Harvest" => plain::<Harvest>(case),
        "Repair" => plain::<Repaired>(case),
        "Order" => plain::<Order>(case),
        _ => None,
    };
    let read: Vec<bool> = cases.iter().filter_map(read).collect();
    let right = read.iter().filter(|right| **right).count();
    assert_eq!((right, read.len(), cases.len()), (1, 22, 34));
}

fn report(faults: &[String]) {
    assert!(
        faults.is_empty(),
        "{} fail:\n{}",
        faults.len(),
        faults.join("\n")
    );
}

#[test]
fn read() {
    let fault = |case: &Case| Some(format!("{}: {}", case.id, run(case).err()?));
    report(&cases().cases.iter().filter_map(fault).collect::<Vec<_>>());
}

#[test]
fn partial() {
    let answer = Answer::<Value>::new();
    let berth = Answer::<Berth>::new();
    let fault = |part: &Part| {
        let found = [answer.partial(&part.text), berth.partial(&part.text)];
        let wrong = found.iter().find(|found| **found != part.value)?;
        Some(format!("{}: {wrong:?}", part.id))
    };
    report(&cases().partial.iter().filter_map(fault).collect::<Vec<_>>());
}

#[test]
fn format() {
    let print = |name: &str| match name {
        "Berth" => Answer::<Berth>::new().format(),
        "Harvest" => Answer::<Harvest>::new().format(),
        "Repair" => Answer::<Repaired>::new().format(),
        "Order" => Answer::<Order>::new().format(),
        "Pilotage" => Answer::<Pilotage>::new().format(),
        "Beacon" => Answer::<Beacon>::new().format(),
        "Entry" => Answer::<Entry>::new().format(),
        _ => Answer::<Branch>::new().format(),
    };
    let fault = |case: &Printed| {
        let found = print(&case.r#type);
        (found.as_str() != case.prints)
            .then(|| format!("{}:\n{found}\nwanted:\n{}", case.id, case.prints))
    };
    report(&cases().format.iter().filter_map(fault).collect::<Vec<_>>());
}
