//! What a prompt file, a builder or any other format gives: values with their places in the file.

use serde::{
    Deserialize, Deserializer, Serialize, Serializer,
    de::{DeserializeSeed, Error, IgnoredAny, MapAccess, SeqAccess, Visitor},
};
use serde_json::Number;
use std::fmt;

/// A value, and where it stands.
#[derive(Clone, Debug, Default)]
pub(super) struct Given {
    pub(super) data: Data,
    pub(super) span: Span,
}

/// Bytes of the file; none where there is no file.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Span {
    pub(super) start: usize,
    pub(super) end: usize,
}

#[derive(Clone, Debug, Default, PartialEq)]
pub(super) enum Data {
    #[default]
    Null,
    Bool(bool),
    Number(Number),
    Text(String),
    List(Vec<Given>),
    /// In the order of the file, names that stand twice included.
    Map(Vec<Entry>),
    /// Lists and maps that are nested too deep to be kept.
    Deep,
    /// Something that was found wrong: nothing more is said of it.
    Wrong,
}

/// An entry of a map.
#[derive(Clone, Debug)]
pub(super) struct Entry {
    pub(super) name: String,
    pub(super) value: Given,
    /// Where the name begins.
    pub(super) at: usize,
}

/// Levels of lists and maps that are kept. A level of sections takes two. `serde_json` itself goes to 128.
pub(super) const DEEPEST: usize = 126;

/// How `toml` hands a date to other formats: a map, or a struct, of this one entry.
pub(super) const DATE: &str = "$__toml_private_datetime";

impl Span {
    /// Where something begins.
    pub(super) const fn at(start: usize) -> Self {
        Self { start, end: start }
    }
}

impl PartialEq for Entry {
    /// Wherever they stand.
    fn eq(&self, other: &Self) -> bool {
        self.name == other.name && self.value == other.value
    }
}

impl PartialEq for Given {
    /// Wherever they stand.
    fn eq(&self, other: &Self) -> bool {
        self.data == other.data
    }
}

impl From<Data> for Given {
    fn from(data: Data) -> Self {
        let span = Span::default();
        Self { data, span }
    }
}

impl From<String> for Given {
    fn from(text: String) -> Self {
        Data::Text(text).into()
    }
}

impl From<serde_json::Value> for Given {
    fn from(value: serde_json::Value) -> Self {
        Self::deserialize(value).unwrap_or(Data::Wrong.into())
    }
}

impl Given {
    pub(super) fn text(&self) -> Option<&str> {
        match &self.data {
            Data::Text(text) => Some(text),
            _ => None,
        }
    }

    pub(super) fn flag(&self) -> Option<bool> {
        match self.data {
            Data::Bool(flag) => Some(flag),
            _ => None,
        }
    }

    /// A whole number of some width.
    pub(super) fn number<N: TryFrom<i64>>(&self) -> Option<N> {
        match &self.data {
            Data::Number(number) => N::try_from(number.as_i64()?).ok(),
            _ => None,
        }
    }

    pub(super) fn list(&self) -> &[Self] {
        match &self.data {
            Data::List(items) => items,
            _ => &[],
        }
    }

    pub(super) fn map(&self) -> &[Entry] {
        match &self.data {
            Data::Map(entries) => entries,
            _ => &[],
        }
    }
}

impl Serialize for Given {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match &self.data {
            Data::Null | Data::Deep | Data::Wrong => serializer.serialize_unit(),
            Data::Bool(flag) => serializer.serialize_bool(*flag),
            Data::Number(number) => number.serialize(serializer),
            Data::Text(text) => serializer.serialize_str(text),
            Data::List(items) => serializer.collect_seq(items),
            Data::Map(entries) => {
                let entries = entries.iter().map(|entry| (&entry.name, &entry.value));
                serializer.collect_map(entries)
            }
        }
    }
}

impl<'de> Deserialize<'de> for Given {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Levels(0).deserialize(deserializer)
    }
}

/// Reads a value that is so many levels deep in lists and maps.
struct Levels(usize);

impl<'de> DeserializeSeed<'de> for Levels {
    type Value = Given;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Given, D::Error> {
        Ok(deserializer.deserialize_any(self)?.into())
    }
}

impl<'de> Visitor<'de> for Levels {
    type Value = Data;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a value")
    }

    fn visit_unit<E>(self) -> Result<Data, E> {
        Ok(Data::Null)
    }

    fn visit_none<E>(self) -> Result<Data, E> {
        Ok(Data::Null)
    }

    fn visit_some<D: Deserializer<'de>>(self, deserializer: D) -> Result<Data, D::Error> {
        deserializer.deserialize_any(self)
    }

    fn visit_bool<E>(self, flag: bool) -> Result<Data, E> {
        Ok(Data::Bool(flag))
    }

    fn visit_i64<E>(self, number: i64) -> Result<Data, E> {
        Ok(Data::Number(number.into()))
    }

    fn visit_u64<E>(self, number: u64) -> Result<Data, E> {
        Ok(Data::Number(number.into()))
    }

    fn visit_f64<E>(self, number: f64) -> Result<Data, E> {
        let finite = Number::from_f64(number);
        Ok(finite.map_or_else(|| Data::Text(number.to_string()), Data::Number))
    }

    fn visit_str<E>(self, text: &str) -> Result<Data, E> {
        Ok(Data::Text(text.to_owned()))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<Data, A::Error> {
        if self.0 == DEEPEST {
            while list.next_element::<IgnoredAny>()?.is_some() {}
            return Ok(Data::Deep);
        }
        let mut items = Vec::new();
        while let Some(item) = list.next_element_seed(Levels(self.0 + 1))? {
            items.push(item);
        }
        Ok(Data::List(items))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Data, A::Error> {
        if self.0 == DEEPEST {
            while map.next_entry::<IgnoredAny, IgnoredAny>()?.is_some() {}
            return Ok(Data::Deep);
        }
        let mut entries = Vec::new();
        while let Some(name) = map.next_key::<String>()? {
            let value = map.next_value_seed(Levels(self.0 + 1))?;
            entries.push(Entry { name, value, at: 0 });
        }
        match entries.as_slice() {
            [Entry { name, value, .. }] if name == DATE => {
                let date = value.text().ok_or_else(|| A::Error::custom("no date"))?;
                Ok(Data::Text(date.to_owned()))
            }
            _ => Ok(Data::Map(entries)),
        }
    }
}
