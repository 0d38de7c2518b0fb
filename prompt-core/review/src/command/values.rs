//! Values of variables: from files, and from the command line.

use super::arguments::Kind;
use super::source::{Failure, read};
use serde::de::{Deserialize, Deserializer, Error, MapAccess, SeqAccess, Visitor};
use serde_json::{Map, Value};
use std::fmt;
use std::ops::Range;
use std::path::Path;

/// Names and values of a prompt's variables.
pub(super) type Values = Map<String, Value>;

/// Reads names and values from a JSON or TOML file.
///
/// # Errors
/// When it cannot be read, is no map, or has a key twice.
pub(super) fn from_file(path: &Path) -> Result<Values, Failure> {
    let text = read(path)?;
    let text = text.strip_prefix('\u{feff}').unwrap_or(&text);
    let wrong = |line: Option<usize>, fact: &str| {
        Failure::Unusable(path.display().to_string(), line, fact.to_owned())
    };
    let of_json = |error: serde_json::Error| wrong(Some(error.line()), &without_place(&error));
    let of_toml = |error: toml::de::Error| {
        let line =
            |at: Range<usize>| text.get(..at.start).unwrap_or(text).matches('\n').count() + 1;
        wrong(error.span().map(line), error.message())
    };
    let read = match Kind::of(path) {
        Some(Kind::Toml) => toml::from_str(text).map_err(of_toml)?,
        Some(Kind::Json) => serde_json::from_str(text).map_err(of_json)?,
        _ => {
            return Err(wrong(
                None,
                "values are in a file that ends in .json or .toml",
            ));
        }
    };
    match read {
        Unique(Value::Object(values)) => Ok(values),
        Unique(_) => Err(wrong(None, "it is no map of names and values")),
    }
}

/// What is wrong, where the line is told besides.
fn without_place(error: &serde_json::Error) -> String {
    let text = error.to_string();
    let place = format!(" at line {} column {}", error.line(), error.column());
    text.strip_suffix(&place).unwrap_or(&text).to_owned()
}

/// What is set on the command line: a list, a map, `true`, `false` and `null` as in JSON, everything else as text, so that
/// `01` and `1.10` stay as they are.
///
/// # Errors
/// When a map in it has a key twice, or it is too deep.
pub(super) fn from_text(text: &str) -> Result<Value, String> {
    let is_word = matches!(text, "true" | "false" | "null");
    if !is_word && !text.trim_ascii().starts_with(['[', '{']) {
        return Ok(Value::String(text.to_owned()));
    }
    match serde_json::from_str(text) {
        Ok(Unique(value)) => Ok(value),
        // No JSON: `[draft]`.
        Err(error) if error.is_syntax() && !is_too_deep(&error) => {
            Ok(Value::String(text.to_owned()))
        }
        Err(error) if error.is_eof() => Ok(Value::String(text.to_owned())),
        Err(error) => Err(without_place(&error)),
    }
}

/// Whether JSON is nested deeper than its reader goes, which it says in words only.
fn is_too_deep(error: &serde_json::Error) -> bool {
    error.to_string().contains("recursion limit")
}

/// A value in which no key stands twice in a map.
struct Unique(Value);

impl<'de> Deserialize<'de> for Unique {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(Reader).map(Self)
    }
}

struct Reader;

impl<'de> Visitor<'de> for Reader {
    type Value = Value;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a value")
    }

    fn visit_unit<E>(self) -> Result<Value, E> {
        Ok(Value::Null)
    }

    fn visit_bool<E>(self, value: bool) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_i64<E>(self, value: i64) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_u64<E>(self, value: u64) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_f64<E: Error>(self, value: f64) -> Result<Value, E> {
        let fault = || E::custom(format!("{value} is no number that can be printed"));
        serde_json::Number::from_f64(value)
            .map(Value::Number)
            .ok_or_else(fault)
    }

    fn visit_str<E>(self, value: &str) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<Value, A::Error> {
        let mut list = Vec::new();
        while let Some(Unique(item)) = items.next_element()? {
            list.push(item);
        }
        Ok(list.into())
    }

    fn visit_map<A: MapAccess<'de>>(self, mut entries: A) -> Result<Value, A::Error> {
        let mut map = Map::new();
        while let Some((key, Unique(value))) = entries.next_entry::<String, _>()? {
            if map.contains_key(&key) {
                return Err(A::Error::custom(format!("`{key}` is given twice")));
            }
            map.insert(key, value);
        }
        Ok(map.into())
    }
}
