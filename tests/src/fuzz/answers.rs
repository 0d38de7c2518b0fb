//! Typed answers: what is read of texts that are nearly JSON, whole and piece by piece.

use super::Source;
use super::mended;
use prompt_agent::answer::{Answer, Ending, Partial, Read, Repair};
use prompt_core::Message;
use schemars::JsonSchema;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};
use std::collections::BTreeMap;
use std::fmt::Debug;
use std::sync::LazyLock;

/// A type with everything that a schema says.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
struct Sample {
    #[serde(default)]
    name: String,
    #[schemars(range(max = 40))]
    count: Option<u8>,
    #[serde(default, alias = "many")]
    list: Vec<Sample>,
    kind: Option<Kind>,
    #[serde(default)]
    map: BTreeMap<String, f64>,
    tagged: Option<Tagged>,
    loose: Option<Loose>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
enum Kind {
    LightRain,
    Storm,
    Of(i64),
    At { x: f32 },
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "kind", deny_unknown_fields)]
enum Tagged {
    Name { name: String },
    Count { count: u8 },
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(untagged)]
enum Loose {
    Text(String),
    Flag(bool),
    List(Vec<u8>),
}

/// What nearly is JSON is made of.
const PIECES: &[&str] = &[
    "{",
    "}",
    "[",
    "]",
    ":",
    ",",
    "\"",
    "'",
    "\\",
    "\n",
    "\r\n",
    " ",
    "\t",
    "\u{0}",
    "\u{feff}",
    "\u{2028}",
    "ä",
    "🍞",
    "\\u",
    "\\ud83d",
    "\\udf5e",
    "\\u00e4",
    "\\\"",
    "\\'",
    "```",
    "```json\n",
    "~~~",
    "//",
    "/*",
    "*/",
    "#",
    "<think>",
    "</think>",
    "[THINK]",
    "</Reasoning>",
    "\u{a0}",
    "true",
    "False",
    "None",
    "null",
    "nul",
    "NaN",
    "12",
    "-",
    "0x1",
    "1e999",
    "3.0",
    ".",
    "12345678901234567890",
    "name",
    "\"name\"",
    "\"count\"",
    "\"list\"",
    "\"kind\"",
    "\"map\"",
    "\"many\"",
    "\"tagged\"",
    "\"loose\"",
    "\"storm\"",
    "\"Light-Rain\"",
    "\"30\"",
    "\"yes\"",
    "\"x\"",
    "{\"count\": ",
    "{\"name\": \"a\"}",
    "I think ",
];

fn value(source: &mut Source<'_>, depth: usize) -> Value {
    match source.below(if depth > 4 { 6 } else { 10 }) {
        0 => Value::Null,
        1 => source.chance(50).into(),
        2 => source.byte().into(),
        3 => json!(f64::from(source.byte()) / 8.0 - 4.0),
        4 => source
            .pick(&[
                "storm",
                "light_rain",
                "Storm",
                "30",
                "yes",
                "name",
                "a\n\"b\"",
                "\u{1f600}",
                "```",
            ])
            .into(),
        5 => {
            json!({ "kind": source.pick(&["Name", "Count", "name"]), "name": "x", "count": source.below(50) })
        }
        6 | 7 => {
            let length = source.below(4);
            (0..length).map(|_| value(source, depth + 1)).collect()
        }
        _ => Value::Object(entries(source, depth)),
    }
}

fn entries(source: &mut Source<'_>, depth: usize) -> Map<String, Value> {
    let names = [
        "name", "count", "list", "kind", "map", "many", "tagged", "loose", "of", "at", "x", "",
        "~/",
    ];
    let length = source.below(6);
    let entry =
        |source: &mut Source<'_>| (source.pick(&names).to_owned(), value(source, depth + 1));
    (0..length).map(|_| entry(source)).collect()
}

/// A text: JSON, JSON with changes in it, or anything.
fn text(source: &mut Source<'_>) -> String {
    if source.chance(20) {
        return source.text(PIECES, 60);
    }
    let object = Value::Object(entries(source, 0));
    let mut text = if source.chance(50) {
        object.to_string()
    } else {
        format!("{object:#}")
    };
    let changes = source.below(4);
    for _ in 0..changes {
        let at = source.below(256) * text.len() / 256;
        let at = (0..=at)
            .rev()
            .find(|at| text.is_char_boundary(*at))
            .unwrap_or(0);
        match source.below(3) {
            0 => text.insert_str(at, source.pick(PIECES)),
            1 => {
                let end = (at + 1 + source.below(4)).min(text.len());
                let end = (end..=text.len())
                    .find(|end| text.is_char_boundary(*end))
                    .unwrap_or(text.len());
                text.replace_range(at..end, "");
            }
            _ => text.truncate(at),
        }
    }
    if source.chance(20) {
        let (before, behind) = (source.text(PIECES, 4), source.text(PIECES, 4));
        text = format!("{before}{text}{behind}");
    }
    text
}

static TYPED: LazyLock<Answer<Sample>> = LazyLock::new(Answer::new);
static ANY: LazyLock<Answer<Value>> = LazyLock::new(Answer::new);

/// Nothing panics; JSON is read as `serde_json` reads it; what breaks off is never taken for whole.
pub(super) fn answer(source: &mut Source<'_>) -> Result<(), String> {
    let object = Value::Object(entries(source, 0));
    mended::read_back(&object, source)?;
    let text = text(source);
    let ending = match source.below(3) {
        0 => Ending::Own,
        1 => Ending::Length,
        _ => Ending::Unknown,
    };
    read(TYPED.clone(), &text, ending)?;
    read(ANY.clone(), &text, ending)?;
    let strict = TYPED
        .clone()
        .strict()
        .read_message(&Message::assistant(text.as_str()), ending);
    match strict {
        Ok(Read::Accepted(accepted))
            if accepted
                .repairs()
                .iter()
                .any(|repair| *repair != Repair::Fence) =>
        {
            Err(format!(
                "strict reading repairs {:?} in {text:?}",
                accepted.repairs()
            ))
        }
        _ => Ok(()),
    }
}

fn read<T>(mut answer: Answer<T>, text: &str, ending: Ending) -> Result<(), String>
where
    T: DeserializeOwned + JsonSchema + PartialEq + Debug,
{
    let message = Message::assistant(text);
    let read = answer.read_message(&message, ending);
    let again = answer.read_message(&message, ending);
    match (&read, &again) {
        (Ok(Read::Accepted(one)), Ok(Read::Accepted(other)))
            if one.repairs() == other.repairs() => {}
        (Ok(Read::Again(one)), Ok(Read::Again(other))) if one == other => {}
        (Ok(Read::CutOff(_)), Ok(Read::CutOff(_))) => {}
        _ => return Err(format!("{text:?} is read in two ways: {read:?}, {again:?}")),
    }
    let plain = text.trim_matches(|c: char| c.is_whitespace() || c == '\u{feff}');
    let theirs = serde_json::from_str::<T>(plain);
    match (&read, &theirs) {
        (Ok(Read::Accepted(accepted)), _) => {
            // It is what serde reads of a text that differs by what is listed, and by nothing else.
            let is_sure = |repair: &Repair| !matches!(repair, Repair::Coerced(_) | Repair::Word);
            if accepted.repairs().iter().all(is_sure)
                && !mended::stands_in(text, accepted.value(), accepted.repairs())
            {
                return Err(format!("{text:?} is read as {accepted:?}"));
            }
            let mut repairs = accepted.repairs().iter();
            let changed = repairs.any(|repair| *repair != Repair::DuplicateKey);
            match &theirs {
                Ok(value) if *value != *accepted.value() => {
                    return Err(format!("{text:?} is {value:?}, not {:?}", accepted.value()));
                }
                Ok(_) if changed => {
                    return Err(format!("{text:?}: repairs {:?}", accepted.repairs()));
                }
                Err(error) if accepted.repairs().is_empty() => {
                    return Err(format!("{text:?} is accepted: {error}"));
                }
                _ => {}
            }
        }
        (_, Ok(_))
            if answer
                .faults()
                .iter()
                .all(|fault| fault.kind.as_str() != "bound") =>
        {
            return Err(format!("{text:?} is refused: {read:?}"));
        }
        (Ok(Read::Again(message)), _)
            if answer.faults().is_empty() || message.text().lines().count() < 3 =>
        {
            let told = message.text();
            return Err(format!("{text:?} is refused without a fault: {told}"));
        }
        _ => {}
    }
    // A beginning of it is never the whole.
    if plain.starts_with('{') && serde_json::from_str::<Value>(plain).is_ok() {
        let cut = (plain.len() / 2..plain.len()).find(|at| plain.is_char_boundary(*at));
        let half = Message::assistant(&plain[..cut.unwrap_or(0)]);
        if let Ok(Read::Accepted(accepted)) = answer.read_message(&half, Ending::Length) {
            return Err(format!("half of {text:?} is accepted: {accepted:?}"));
        }
    }
    Ok(())
}

/// However a stream is cut, the same comes out; of JSON, nothing that is shown is taken back.
pub(super) fn partial(source: &mut Source<'_>) -> Result<(), String> {
    let text = text(source);
    // Of a key that stands twice the last value counts in the end.
    let reply = Message::assistant(text.as_str());
    let plain = match ANY.clone().read_message(&reply, Ending::Own) {
        Ok(Read::Accepted(accepted)) => accepted.repairs().is_empty(),
        _ => false,
    };
    let whole = serde_json::from_str::<Value>(&text).ok();
    let whole = whole.filter(|value| plain && value.is_object());
    // Reasoning before it is not seen.
    let text = if whole.is_some() && source.chance(30) {
        let draft = source
            .text(PIECES, 6)
            .replace(['<', '['], "{")
            .replace("/>", "");
        let tags = [
            ["<think>", "</think>"],
            ["<Thought>", "</THINKING>"],
            ["[THINK]", "[/THINK]\n"],
        ];
        let [opening, closing] = tags[source.below(3)];
        format!("{opening}{draft}{closing}{text}")
    } else {
        text
    };
    let mut partial = Partial::new();
    let mut rest = text.as_str();
    while !rest.is_empty() {
        let size = 1 + source.below(8);
        let end = (size.min(rest.len())..=rest.len()).find(|end| rest.is_char_boundary(*end));
        let (piece, later) = rest.split_at(end.unwrap_or(rest.len()));
        partial.push(piece);
        rest = later;
        if let (Some(whole), Some(shown)) = (&whole, partial.value())
            && !is_prefix(&shown, whole)
        {
            return Err(format!("{shown} is shown of {whole}"));
        }
    }
    let (pieces, at_once) = (partial.value(), ANY.partial(&text));
    if pieces != at_once {
        return Err(format!(
            "{text:?}: {pieces:?} in pieces, {at_once:?} at once"
        ));
    }
    if whole.is_some() && pieces != whole {
        return Err(format!("{text:?}: {pieces:?}"));
    }
    TYPED.partial(&text);
    Ok(())
}

fn is_prefix(early: &Value, late: &Value) -> bool {
    match (early, late) {
        (Value::String(early), Value::String(late)) => late.starts_with(early.as_str()),
        (Value::Array(early), Value::Array(late)) => {
            early.len() <= late.len()
                && early
                    .iter()
                    .zip(late)
                    .all(|(early, late)| is_prefix(early, late))
        }
        (Value::Object(early), Value::Object(late)) => early
            .iter()
            .all(|(key, early)| late.get(key).is_some_and(|late| is_prefix(early, late))),
        (early, late) => early == late,
    }
}
