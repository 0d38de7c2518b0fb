//! Values of variables: from files, and from the command line.

use super::arguments::Kind;
use super::source::{Failure, read};
use serde::de::{Deserialize, Deserializer, Error, MapAccess, SeqAccess, Visitor};
use serde_json::{Map, Value};
use std::fmt;
use std::path::Path;

/// Names and values of a prompt's variables.
pub(super) type Values = Map<String, Value>;

/// Reads names and values from a JSON or TOML file.
///
/// # Errors
/// When it cannot be read, is no map, or has a key twice.
pub(super) fn from_file(path: &Path) -> Result<Values, Failure> {
    let file = path.display().to_string();
    let text = read(path)?;
    let text = text.strip_prefix('\u{feff}').unwrap_or(&text);
    let wrong = |error: &dyn fmt::Display| Failure::Unsupported(format!("{file}: {error}"));
    let read = match Kind::of(path) {
        Some(Kind::Toml) => toml::from_str(text).map_err(|error| wrong(&error))?,
        Some(Kind::Json) => serde_json::from_str(text).map_err(|error| wrong(&error))?,
        _ => return Err(wrong(&"values are in a file that ends in .json or .toml")),
    };
    match read {
        Unique(Value::Object(values)) => Ok(values),
        Unique(_) => Err(wrong(&"it is no map of names and values")),
    }
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
