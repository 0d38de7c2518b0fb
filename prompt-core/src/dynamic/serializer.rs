//! Values from whatever serialises.

use super::value::{Map, Value, Values};
use crate::diagnostics::{Diagnostic, Diagnostics};
use prompt_syntax::Code;
use serde::{Serialize, Serializer, ser};
use std::{fmt, sync::Arc};

/// Levels of lists and maps in a value: as many as JSON is read with.
const DEEPEST: usize = 128;

/// How `toml` writes a date: a struct of this one field.
const DATE: &str = "$__toml_private_datetime";

/// Names and values, from whatever serialises to a map.
pub(super) fn values_of(values: &impl Serialize) -> Result<Arc<Values>, Diagnostics> {
    let invalid =
        |fact: String| Diagnostics::from(Diagnostic::new(Code::InvalidInput, "", "", fact, ""));
    match Value::of(values).map_err(|error| invalid(error.to_string()))? {
        Value::Map(map) => Ok(Arc::new(map.into_sorted())),
        _ => Err(invalid(
            "values must be a map from names to values".to_owned(),
        )),
    }
}

impl Value {
    /// # Errors
    /// What `Serialize` returns, and where lists and maps are nested too deep.
    pub(super) fn of(value: &(impl Serialize + ?Sized)) -> Result<Self, ValueError> {
        value.serialize(Depth(0))
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
            Map::in_order(self.entries)
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
