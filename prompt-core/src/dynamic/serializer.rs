//! Values from whatever serialises.

use super::{
    bound::{Map, Value, Values},
    given::DATE,
};
use crate::errors::diagnostics::{Diagnostic, Diagnostics};
use prompt_syntax::Code;
use serde::{Serialize, Serializer, de::value::Error as ValueError, ser};
use std::sync::Arc;

/// Levels of lists and maps in a value: as many as JSON is read with.
const DEEPEST: usize = 128;

/// Names and values, from whatever serialises to a map.
pub(super) fn values_of(values: &impl Serialize) -> Result<Arc<Values>, Diagnostics> {
    let invalid =
        |fact: String| Diagnostics::from(Diagnostic::new(Code::InvalidInput, "", "", fact, ""));
    let value = values.serialize(Depth(0));
    match value.map_err(|error| invalid(error.to_string()))? {
        Value::Map(map) => Ok(Arc::new(map.into_sorted())),
        _ => Err(invalid(
            "values must be a map from names to values".to_owned(),
        )),
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

    fn parts(self, variant: Option<&'static str>) -> Result<Parts, ValueError> {
        Ok(Parts {
            depth: self.below()?,
            variant,
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

/// What is a value by itself.
macro_rules! words {
    ($($method:ident($($word:ident: $type:ty),*) => $value:expr;)+) => {$(
        fn $method(self, $($word: $type),*) -> Result<Value, ValueError> {
            Ok($value)
        }
    )+};
}

macro_rules! integers {
    ($($method:ident: $type:ty),+) => {$(
        fn $method(self, number: $type) -> Result<Value, ValueError> {
            Ok(i128::try_from(number).map_or_else(|_| Value::Text(number.to_string()), Value::Int))
        }
    )+};
}

/// What has parts; in a variant of an enum under its name.
macro_rules! compounds {
    ({ $($method:ident($($unused:ty),+);)+ } { $($of_variant:ident;)+ }) => {
        $(fn $method(self, $(_: $unused),+) -> Result<Parts, ValueError> {
            self.parts(None)
        })+
        $(fn $of_variant(
            self,
            _: &'static str,
            _: u32,
            variant: &'static str,
            _: usize,
        ) -> Result<Parts, ValueError> {
            self.parts(Some(variant))
        })+
    };
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

    words!(
        serialize_bool(flag: bool) => Value::Bool(flag);
        serialize_f32(number: f32) => Value::Single(number);
        serialize_f64(number: f64) => Value::Double(number);
        serialize_char(c: char) => Value::Text(c.to_string());
        serialize_str(text: &str) => Value::Text(text.to_owned());
        serialize_bytes(bytes: &[u8]) => Value::List(bytes.iter().map(|byte| Value::Int((*byte).into())).collect());
        serialize_none() => Value::Null;
        serialize_unit() => Value::Null;
        serialize_unit_struct(_name: &'static str) => Value::Null;
        serialize_unit_variant(_name: &'static str, _index: u32, variant: &'static str) => Value::Text(variant.to_owned());
    );

    compounds!(
        {
            serialize_seq(Option<usize>);
            serialize_tuple(usize);
            serialize_tuple_struct(&'static str, usize);
            serialize_map(Option<usize>);
            serialize_struct(&'static str, usize);
        }
        {
            serialize_tuple_variant;
            serialize_struct_variant;
        }
    );

    fn serialize_some<T: Serialize + ?Sized>(self, value: &T) -> Result<Value, ValueError> {
        value.serialize(self)
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
}

/// A list or a map in the making.
struct Parts {
    depth: Depth,
    variant: Option<&'static str>,
    /// Of the entry whose value comes next.
    key: Option<String>,
    items: Vec<Value>,
    entries: Vec<(String, Value)>,
}

impl Parts {
    fn entry(&mut self, key: String, value: &(impl Serialize + ?Sized)) -> Result<(), ValueError> {
        self.entries.push((key, value.serialize(self.depth)?));
        Ok(())
    }

    fn map(mut self, make: fn(Vec<(String, Value)>) -> Map) -> Value {
        if let [(key, Value::Text(date))] = self.entries.as_mut_slice()
            && key == DATE
        {
            return Value::Text(std::mem::take(date));
        }
        tagged(self.variant, Value::Map(make(self.entries)))
    }
}

/// The four kinds of lists.
macro_rules! lists {
    ($($trait:ident: $method:ident),+) => {$(
        impl ser::$trait for Parts {
            type Ok = Value;
            type Error = ValueError;

            fn $method<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<(), ValueError> {
                self.items.push(value.serialize(self.depth)?);
                Ok(())
            }

            fn end(self) -> Result<Value, ValueError> {
                Ok(tagged(self.variant, Value::List(self.items)))
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
                Ok(self.map(Map::in_order))
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
        Ok(self.map(Map::sorted))
    }
}
