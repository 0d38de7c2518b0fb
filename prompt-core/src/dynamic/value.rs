//! Values that are given at run time, and how they print: as the same value would in a derived type.
//!
//! They come from whatever serialises. A JSON value would not do: it widens an `f32` to digits that nobody wrote, has no
//! NaN, and prints 1e21 otherwise than Rust does.

use serde::{Serialize, Serializer, ser};
use std::{borrow::Cow, fmt, mem};

/// A value.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Value {
    Null,
    Bool(bool),
    Int(i128),
    Single(f32),
    Double(f64),
    Text(String),
    List(Vec<Value>),
    Map(Map),
}

/// Names and values of a tree, sorted, each name once.
pub(super) type Values = Map;

/// Entries in the order in which they print: that of the fields of a struct, or sorted by key.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Map {
    entries: Vec<(String, Value)>,
    is_sorted: bool,
}

/// Levels of lists and maps in a value: as many as JSON is read with.
const DEEPEST: usize = 128;

/// How `toml` writes a date: a struct of this one field.
const DATE: &str = "$__toml_private_datetime";

impl Map {
    fn sorted(mut entries: Vec<(String, Value)>) -> Self {
        entries.sort_by(|(left, _), (right, _)| left.cmp(right));
        Self {
            entries,
            is_sorted: true,
        }
    }

    pub(super) fn get(&self, key: &str) -> Option<&Value> {
        let at = if self.is_sorted {
            let found = self
                .entries
                .binary_search_by(|(name, _)| name.as_str().cmp(key));
            found.ok()?
        } else {
            self.entries.iter().position(|(name, _)| name == key)?
        };
        self.entries.get(at).map(|(_, value)| value)
    }

    pub(super) fn contains_key(&self, key: &str) -> bool {
        self.get(key).is_some()
    }

    pub(super) fn len(&self) -> usize {
        self.entries.len()
    }

    pub(super) fn keys(&self) -> impl Iterator<Item = &str> {
        self.entries.iter().map(|(key, _)| key.as_str())
    }
}

impl Value {
    /// # Errors
    /// What `Serialize` returns, and where lists and maps are nested too deep.
    pub(super) fn of(value: &(impl Serialize + ?Sized)) -> Result<Self, ValueError> {
        value.serialize(Depth(0))
    }

    /// Whether a condition on it holds: it is true, a number, or something that is not empty.
    pub(super) fn holds(&self) -> bool {
        match self {
            Self::Null => false,
            Self::Bool(value) => *value,
            Self::Int(_) | Self::Single(_) | Self::Double(_) => true,
            Self::Text(text) => !text.is_empty(),
            Self::List(items) => !items.is_empty(),
            Self::Map(map) => !map.entries.is_empty(),
        }
    }

    /// The field of a map, or the item of a list.
    fn field(&self, name: &str) -> Option<&Self> {
        match self {
            Self::List(items) => items.get(name.parse::<usize>().ok()?),
            Self::Map(map) => map.get(name),
            _ => None,
        }
    }

    /// What is reached through these fields.
    pub(super) fn reach<'v>(&'v self, path: &[String]) -> Option<&'v Self> {
        path.iter()
            .try_fold(self, |value, field| value.field(field))
    }

    /// How many items a list has, or entries a map; 0 for anything else.
    pub(super) fn len(&self) -> usize {
        match self {
            Self::List(items) => items.len(),
            Self::Map(map) => map.entries.len(),
            _ => 0,
        }
    }

    /// An item of a list, or an entry of a map.
    pub(super) fn item(&self, index: usize) -> Option<Item<'_>> {
        match self {
            Self::List(items) => items.get(index).map(Item::One),
            Self::Map(map) => {
                let entry = map.entries.get(index);
                entry.map(|(key, value)| Item::Entry(key, value))
            }
            _ => None,
        }
    }

    pub(super) fn is_list(&self) -> bool {
        matches!(self, Self::List(_) | Self::Map(_))
    }

    /// As text: lists and maps as JSON, `null` as nothing.
    pub(super) fn text(&self) -> Cow<'_, str> {
        match self {
            Self::Text(text) => Cow::Borrowed(text),
            other => Cow::Owned(other.printed(None)),
        }
    }

    fn printed(&self, precision: Option<usize>) -> String {
        match (self, precision) {
            (Self::Null, _) => String::new(),
            (Self::Bool(value), None) => value.to_string(),
            (Self::Bool(value), Some(most)) => value.to_string().chars().take(most).collect(),
            (Self::Int(number), _) => number.to_string(),
            (Self::Single(number), None) => number.to_string(),
            (Self::Single(number), Some(digits)) => format!("{number:.digits$}"),
            (Self::Double(number), None) => number.to_string(),
            (Self::Double(number), Some(digits)) => format!("{number:.digits$}"),
            (Self::Text(text), None) => text.clone(),
            (Self::Text(text), Some(most)) => text.chars().take(most).collect(),
            (list, _) => list.json(None),
        }
    }

    /// As JSON: on one line, or with this indentation.
    pub(super) fn json(&self, indent: Option<usize>) -> String {
        let Some(indent) = indent else {
            return serde_json::to_string(self).unwrap_or_default();
        };
        let (mut bytes, blanks) = (Vec::new(), " ".repeat(indent));
        let formatter = serde_json::ser::PrettyFormatter::with_indent(blanks.as_bytes());
        let mut serializer = serde_json::Serializer::with_formatter(&mut bytes, formatter);
        match self.serialize(&mut serializer) {
            Ok(()) => String::from_utf8(bytes).unwrap_or_default(),
            Err(_) => String::new(),
        }
    }

    /// Writes it under a format spec: fill, align, width, precision, as `std::fmt` does.
    ///
    /// # Errors
    /// What `out` returns.
    pub(super) fn write(&self, spec: &str, out: &mut impl fmt::Write) -> fmt::Result {
        if spec.is_empty() {
            return out.write_str(&self.text());
        }
        let spec = Spec::read(spec);
        let text = self.printed(spec.precision);
        let is_number = matches!(self, Self::Int(_) | Self::Single(_) | Self::Double(_));
        let missing = match self {
            Self::Null => 0,
            _ => spec.width.saturating_sub(text.chars().count()),
        };
        let left = match spec.align.unwrap_or(if is_number { '>' } else { '<' }) {
            '>' => missing,
            '^' => missing / 2,
            _ => 0,
        };
        (0..left).try_for_each(|_| out.write_char(spec.fill))?;
        out.write_str(&text)?;
        (left..missing).try_for_each(|_| out.write_char(spec.fill))
    }
}

/// One of several.
#[derive(Clone, Copy)]
pub(super) enum Item<'v> {
    /// Of a list.
    One(&'v Value),
    /// Of a map: `{item.0}` is its key, `{item.1}` its value, and other fields are those of the value.
    Entry(&'v str, &'v Value),
}

impl<'v> Item<'v> {
    pub(super) fn value(self) -> &'v Value {
        match self {
            Self::One(value) | Self::Entry(_, value) => value,
        }
    }

    /// What `{item}`, `{item.name}`, `{item.0}` say.
    pub(super) fn reach(self, path: &[String]) -> Option<Cow<'v, Value>> {
        match (self, path.split_first()) {
            (Self::Entry(key, _), Some((first, []))) if first == "0" => {
                Some(Cow::Owned(Value::Text(key.to_owned())))
            }
            (Self::Entry(_, value), Some((first, rest))) if first == "1" => {
                value.reach(rest).map(Cow::Borrowed)
            }
            _ => self.value().reach(path).map(Cow::Borrowed),
        }
    }
}

/// A format spec.
struct Spec {
    fill: char,
    align: Option<char>,
    width: usize,
    precision: Option<usize>,
}

impl Spec {
    fn read(spec: &str) -> Self {
        let mut characters = spec.chars();
        let (first, second) = (characters.next(), characters.next());
        let is_align = |c: Option<char>| c.filter(|c| matches!(c, '<' | '^' | '>'));
        let (fill, align, rest) = match (is_align(second), is_align(first)) {
            (Some(align), _) => (first.unwrap_or(' '), Some(align), characters.as_str()),
            (None, Some(align)) => (' ', Some(align), spec.get(1..).unwrap_or_default()),
            (None, None) => (' ', None, spec),
        };
        let (width, precision) = rest
            .split_once('.')
            .map_or((rest, None), |(width, digits)| (width, Some(digits)));
        Self {
            fill,
            align,
            width: number(width).unwrap_or_default(),
            precision: precision.and_then(number),
        }
    }
}

/// `std::fmt` takes widths and precisions of 16 bits and panics past them.
fn number(digits: &str) -> Option<usize> {
    if digits.is_empty() || !digits.bytes().all(|byte| byte.is_ascii_digit()) {
        return None;
    }
    Some(usize::from(digits.parse().unwrap_or(u16::MAX)))
}

impl Serialize for Value {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::Null => serializer.serialize_unit(),
            Self::Bool(value) => serializer.serialize_bool(*value),
            Self::Int(number) => match (i64::try_from(*number), u64::try_from(*number)) {
                (Ok(number), _) => serializer.serialize_i64(number),
                (_, Ok(number)) => serializer.serialize_u64(number),
                _ => serializer.serialize_i128(*number),
            },
            Self::Single(number) => serializer.serialize_f32(*number),
            Self::Double(number) => serializer.serialize_f64(*number),
            Self::Text(text) => serializer.serialize_str(text),
            Self::List(items) => serializer.collect_seq(items),
            Self::Map(map) => {
                serializer.collect_map(map.entries.iter().map(|(key, value)| (key, value)))
            }
        }
    }
}

/// Why something is no value.
#[derive(Debug)]
pub(super) struct ValueError(String);

impl fmt::Display for ValueError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for ValueError {}

impl ser::Error for ValueError {
    fn custom<T: fmt::Display>(fact: T) -> Self {
        Self(fact.to_string())
    }
}

/// Makes values; counts how deep it is in lists and maps.
#[derive(Clone, Copy)]
struct Depth(usize);

impl Depth {
    fn below(self) -> Result<Self, ValueError> {
        if self.0 < DEEPEST {
            return Ok(Self(self.0 + 1));
        }
        Err(ser::Error::custom(format_args!(
            "a value is nested more than {DEEPEST} levels deep"
        )))
    }

    fn parts(self, variant: Option<&'static str>, is_struct: bool) -> Result<Parts, ValueError> {
        Ok(Parts {
            depth: self.below()?,
            variant,
            is_struct,
            key: None,
            items: Vec::new(),
            entries: Vec::new(),
        })
    }
}

/// A variant with content: a map of one entry, as in JSON.
fn tagged(variant: Option<&'static str>, value: Value) -> Value {
    match variant {
        None => value,
        Some(name) => Value::Map(Map::sorted(vec![(name.to_owned(), value)])),
    }
}

macro_rules! integers {
    ($($method:ident: $type:ty),+) => {$(
        fn $method(self, number: $type) -> Result<Value, ValueError> {
            Ok(i128::try_from(number).map_or_else(|_| Value::Text(number.to_string()), Value::Int))
        }
    )+};
}

impl Serializer for Depth {
    type Ok = Value;
    type Error = ValueError;
    type SerializeSeq = Parts;
    type SerializeTuple = Parts;
    type SerializeTupleStruct = Parts;
    type SerializeTupleVariant = Parts;
    type SerializeMap = Parts;
    type SerializeStruct = Parts;
    type SerializeStructVariant = Parts;

    integers!(
        serialize_i8: i8, serialize_i16: i16, serialize_i32: i32, serialize_i64: i64, serialize_i128: i128,
        serialize_u8: u8, serialize_u16: u16, serialize_u32: u32, serialize_u64: u64, serialize_u128: u128
    );

    fn serialize_bool(self, value: bool) -> Result<Value, ValueError> {
        Ok(Value::Bool(value))
    }

    fn serialize_f32(self, number: f32) -> Result<Value, ValueError> {
        Ok(Value::Single(number))
    }

    fn serialize_f64(self, number: f64) -> Result<Value, ValueError> {
        Ok(Value::Double(number))
    }

    fn serialize_char(self, c: char) -> Result<Value, ValueError> {
        Ok(Value::Text(c.to_string()))
    }

    fn serialize_str(self, text: &str) -> Result<Value, ValueError> {
        Ok(Value::Text(text.to_owned()))
    }

    fn serialize_bytes(self, bytes: &[u8]) -> Result<Value, ValueError> {
        let items = bytes.iter().map(|byte| Value::Int(i128::from(*byte)));
        Ok(Value::List(items.collect()))
    }

    fn serialize_none(self) -> Result<Value, ValueError> {
        Ok(Value::Null)
    }

    fn serialize_some<T: Serialize + ?Sized>(self, value: &T) -> Result<Value, ValueError> {
        value.serialize(self)
    }

    fn serialize_unit(self) -> Result<Value, ValueError> {
        Ok(Value::Null)
    }

    fn serialize_unit_struct(self, _: &'static str) -> Result<Value, ValueError> {
        Ok(Value::Null)
    }

    fn serialize_unit_variant(
        self,
        _: &'static str,
        _: u32,
        variant: &'static str,
    ) -> Result<Value, ValueError> {
        Ok(Value::Text(variant.to_owned()))
    }

    fn serialize_newtype_struct<T: Serialize + ?Sized>(
        self,
        _: &'static str,
        value: &T,
    ) -> Result<Value, ValueError> {
        value.serialize(self)
    }

    fn serialize_newtype_variant<T: Serialize + ?Sized>(
        self,
        _: &'static str,
        _: u32,
        variant: &'static str,
        value: &T,
    ) -> Result<Value, ValueError> {
        Ok(tagged(Some(variant), value.serialize(self.below()?)?))
    }

    fn serialize_seq(self, _: Option<usize>) -> Result<Parts, ValueError> {
        self.parts(None, false)
    }

    fn serialize_tuple(self, _: usize) -> Result<Parts, ValueError> {
        self.parts(None, false)
    }

    fn serialize_tuple_struct(self, _: &'static str, _: usize) -> Result<Parts, ValueError> {
        self.parts(None, false)
    }

    fn serialize_tuple_variant(
        self,
        _: &'static str,
        _: u32,
        variant: &'static str,
        _: usize,
    ) -> Result<Parts, ValueError> {
        self.parts(Some(variant), false)
    }

    fn serialize_map(self, _: Option<usize>) -> Result<Parts, ValueError> {
        self.parts(None, false)
    }

    fn serialize_struct(self, _: &'static str, _: usize) -> Result<Parts, ValueError> {
        self.parts(None, true)
    }

    fn serialize_struct_variant(
        self,
        _: &'static str,
        _: u32,
        variant: &'static str,
        _: usize,
    ) -> Result<Parts, ValueError> {
        self.parts(Some(variant), true)
    }
}

/// A list or a map in the making.
struct Parts {
    depth: Depth,
    variant: Option<&'static str>,
    is_struct: bool,
    /// Of the entry whose value comes next.
    key: Option<String>,
    items: Vec<Value>,
    entries: Vec<(String, Value)>,
}

impl Parts {
    fn item(&mut self, value: &(impl Serialize + ?Sized)) -> Result<(), ValueError> {
        self.items.push(value.serialize(self.depth)?);
        Ok(())
    }

    fn entry(&mut self, key: String, value: &(impl Serialize + ?Sized)) -> Result<(), ValueError> {
        self.entries.push((key, value.serialize(self.depth)?));
        Ok(())
    }

    fn list(self) -> Value {
        tagged(self.variant, Value::List(self.items))
    }

    fn map(mut self) -> Value {
        if let [(key, Value::Text(date))] = self.entries.as_mut_slice()
            && key == DATE
        {
            return Value::Text(std::mem::take(date));
        }
        let map = if self.is_struct {
            Map {
                entries: self.entries,
                is_sorted: false,
            }
        } else {
            Map::sorted(self.entries)
        };
        tagged(self.variant, Value::Map(map))
    }
}

/// The four kinds of lists.
macro_rules! lists {
    ($($trait:ident: $method:ident),+) => {$(
        impl ser::$trait for Parts {
            type Ok = Value;
            type Error = ValueError;

            fn $method<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<(), ValueError> {
                self.item(value)
            }

            fn end(self) -> Result<Value, ValueError> {
                Ok(self.list())
            }
        }
    )+};
}

lists!(
    SerializeSeq: serialize_element,
    SerializeTuple: serialize_element,
    SerializeTupleStruct: serialize_field,
    SerializeTupleVariant: serialize_field
);

/// The two kinds of structs.
macro_rules! structs {
    ($($trait:ident),+) => {$(
        impl ser::$trait for Parts {
            type Ok = Value;
            type Error = ValueError;

            fn serialize_field<T: Serialize + ?Sized>(
                &mut self,
                key: &'static str,
                value: &T,
            ) -> Result<(), ValueError> {
                self.entry(key.to_owned(), value)
            }

            fn end(self) -> Result<Value, ValueError> {
                Ok(self.map())
            }
        }
    )+};
}

structs!(SerializeStruct, SerializeStructVariant);

impl ser::SerializeMap for Parts {
    type Ok = Value;
    type Error = ValueError;

    fn serialize_key<T: Serialize + ?Sized>(&mut self, key: &T) -> Result<(), ValueError> {
        match key.serialize(self.depth)? {
            Value::List(_) | Value::Map(_) => Err(ser::Error::custom("a key of a map is a text")),
            key => {
                self.key = Some(key.text().into_owned());
                Ok(())
            }
        }
    }

    fn serialize_value<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<(), ValueError> {
        let key = self.key.take().unwrap_or_default();
        self.entry(key, value)
    }

    fn end(self) -> Result<Value, ValueError> {
        Ok(self.map())
    }
}

impl Value {
    /// The entries of a map.
    pub(super) fn into_values(self) -> Option<Values> {
        match self {
            Self::Map(map) => {
                let mut values = Map::sorted(map.entries);
                // Of two entries of one name the later counts.
                values.entries.dedup_by(|later, one| {
                    later.0 == one.0 && {
                        mem::swap(later, one);
                        true
                    }
                });
                Some(values)
            }
            _ => None,
        }
    }

    /// The names that it has fields of, for advice.
    pub(super) fn fields(&self) -> Vec<&str> {
        match self {
            Self::Map(map) => map.keys().collect(),
            _ => Vec::new(),
        }
    }
}
