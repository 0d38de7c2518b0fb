//! The order in which a type declares its fields. A schema does not keep it, but the type itself says it: a derived
//! `Deserialize` names its fields in order before it reads anything. So the type is asked to deserialise from a source
//! that leads it along one path and gives up there. Nothing has to be valid on the way: the only entry of each map is the
//! one on the path, and it is read first.
//!
//! In comes a type, out goes its schema, in which [`properties`] finds the order again.

use super::properties::{ORDER, pointer_step, properties};
use schemars::{JsonSchema, generate::SchemaSettings};
use serde::de::value::{Error, MapDeserializer, SeqDeserializer, StrDeserializer};
use serde::de::{
    DeserializeOwned, DeserializeSeed, Deserializer, EnumAccess, Error as _, IntoDeserializer,
    VariantAccess, Visitor,
};
use serde::forward_to_deserialize_any;
use serde_json::{Map, Value};
use std::cell::Cell;
use std::collections::{BTreeMap, BTreeSet};
use std::iter::{Once, once};

/// Levels of a schema. It only keeps the walk off the end of the stack.
const MOST_LEVELS: usize = 100;

/// The schema of a type, with what the type says of itself beyond it.
#[derive(Debug)]
#[non_exhaustive]
pub struct Declared {
    /// The schema of what it is read from, with the order of its properties: as `required` lists them, or, where that is not
    /// the order of the type, as `propertyOrdering` does.
    pub schema: Value,
    /// By the pointer of an object in the schema, the other names that are read for its properties: each with the property
    /// that it stands for.
    pub aliases: BTreeMap<String, Vec<(&'static str, &'static str)>>,
}

/// Another name, and the property that it stands for.
type Alias = (&'static str, &'static str);

impl Declared {
    /// Asks a type for its schema, and for the order and the aliases of its fields.
    pub fn of<T: DeserializeOwned + JsonSchema>(settings: SchemaSettings) -> Self {
        let generate = |settings: SchemaSettings| {
            let schema = settings.into_generator().into_root_schema_for::<T>();
            schema.to_value()
        };
        let mut schema = generate(settings.clone());
        let mut walk = Walk {
            root: &schema,
            written: &generate(settings.for_serialize()),
            ask: fields_of::<T>,
            path: Vec::new(),
            levels: 0,
            named: BTreeSet::new(),
            orders: Vec::new(),
            aliases: BTreeMap::new(),
        };
        walk.schema(&schema, "");
        let Walk {
            orders, aliases, ..
        } = walk;
        for (at, order) in orders {
            if let Some(Value::Object(map)) = schema.pointer_mut(&at) {
                map.insert(ORDER.into(), order.into());
            }
        }
        Self { schema, aliases }
    }
}

/// The way through a schema, with the steps of the type beside it.
struct Walk<'a> {
    root: &'a Value,
    /// The schema of what the type writes, whose `required` mostly lists all fields in order: it stands in where the type
    /// cannot be asked.
    written: &'a Value,
    ask: fn(&[Step]) -> Option<&'static [&'static str]>,
    path: Vec<Step>,
    levels: usize,
    /// References that were followed: a type is asked where it is first met.
    named: BTreeSet<&'a str>,
    orders: Vec<(String, Vec<String>)>,
    aliases: BTreeMap<String, Vec<Alias>>,
}

impl<'a> Walk<'a> {
    fn schema(&mut self, schema: &'a Value, at: &str) {
        let Some(map) = schema.as_object().filter(|_| self.levels < MOST_LEVELS) else {
            return;
        };
        self.levels += 1;
        let target = map.get("$ref").and_then(Value::as_str);
        let pointer = target.map(|target| target.trim_start_matches('#'));
        if let Some(pointer) = pointer.filter(|pointer| !pointer.is_empty())
            && self.named.insert(pointer)
            && let Some(schema) = self.root.pointer(pointer)
        {
            self.schema(schema, pointer);
        }
        for keyword in ["oneOf", "anyOf", "allOf"] {
            let list = map.get(keyword).and_then(Value::as_array);
            for (index, schema) in list.into_iter().flatten().enumerate() {
                let variant = external_variant(schema).filter(|_| keyword != "allOf");
                let step = variant.map(|name| Step::Variant(name.to_owned()));
                self.within(step, schema, &format!("{at}/{keyword}/{index}"));
            }
        }
        // The type is not asked beyond a tuple: it would want the elements before.
        let tuple = map.get("prefixItems").and_then(Value::as_array);
        for (index, schema) in tuple.into_iter().flatten().enumerate() {
            let nowhere = Some(Step::Variant(String::new()));
            self.within(nowhere, schema, &format!("{at}/prefixItems/{index}"));
        }
        if let Some(items) = map.get("items") {
            self.within(Some(Step::Element), items, &format!("{at}/items"));
        }
        self.object(map, at);
        self.levels -= 1;
    }

    fn within(&mut self, step: Option<Step>, schema: &'a Value, at: &str) {
        let depth = self.path.len();
        self.path.extend(step);
        self.schema(schema, at);
        self.path.truncate(depth);
    }

    fn object(&mut self, map: &'a Map<String, Value>, at: &str) {
        if let Some(Value::Object(schemas)) = map.get("properties") {
            let order = self.order(schemas, at);
            for (name, schema) in schemas {
                // The path of a variant of an enum ends with it already.
                let is_variant =
                    matches!(self.path.last(), Some(Step::Variant(last)) if last == name);
                let step = (!is_variant).then(|| Step::Field(name.clone()));
                self.within(
                    step,
                    schema,
                    &format!("{at}/properties{}", pointer_step(name)),
                );
            }
            let is_said = properties(map).into_iter().map(|(name, _)| name);
            if !is_said.eq(order.iter().copied()) {
                let order = order.into_iter().map(str::to_owned).collect();
                self.orders.push((at.to_owned(), order));
            }
        }
        let patterns = map.get("patternProperties").and_then(Value::as_object);
        for (name, schema) in patterns.into_iter().flatten() {
            let at = format!("{at}/patternProperties{}", pointer_step(name));
            self.within(Some(Step::Entry), schema, &at);
        }
        if let Some(schema) = map.get("additionalProperties") {
            self.within(
                Some(Step::Entry),
                schema,
                &format!("{at}/additionalProperties"),
            );
        }
    }

    /// The names of the properties in the order of the declaration. The other names that the type knows for one stand around
    /// it, all in the order of their letters: one that may belong to two is taken for that of the first.
    fn order(&mut self, schemas: &'a Map<String, Value>, at: &str) -> Vec<&'a str> {
        let declared = (self.ask)(&self.path).unwrap_or_default();
        let mut order: Vec<&str> = Vec::new();
        let mut aliases = Vec::new();
        let mut last = None;
        for (at, name) in declared.iter().enumerate() {
            if let Some((known, _)) = schemas.get_key_value(*name) {
                last = Some(*name);
                order.push(known);
                continue;
            }
            let next = declared[at..]
                .iter()
                .find(|name| schemas.contains_key(**name));
            let owner = last.filter(|last| *last < *name).or(next.copied());
            aliases.extend(owner.map(|owner| (*name, owner)));
        }
        if !aliases.is_empty() {
            self.aliases.insert(at.to_owned(), aliases);
        }
        let written = self.written.pointer(at).unwrap_or(&Value::Null);
        let required = written.get("required").and_then(Value::as_array);
        let required = required.into_iter().flatten().filter_map(Value::as_str);
        let sorted: BTreeSet<&str> = schemas.keys().map(String::as_str).collect();
        let mut seen: BTreeSet<&str> = order.iter().copied().collect();
        for name in required.chain(sorted) {
            if let Some((name, _)) = schemas.get_key_value(name)
                && seen.insert(name)
            {
                order.push(name);
            }
        }
        order
    }
}

/// The name of a variant that stands as the only key of an object.
fn external_variant(schema: &Value) -> Option<&str> {
    let properties = schema.get("properties")?.as_object()?;
    let required = schema.get("required")?.as_array()?;
    let closed = schema.get("additionalProperties") == Some(&Value::Bool(false));
    match (properties.keys().next(), required.as_slice()) {
        (Some(name), [Value::String(only)]) if properties.len() == 1 && name == only && closed => {
            Some(name)
        }
        _ => None,
    }
}

/// A step from a type to one that it contains. Options, boxes and transparent types are no steps.
#[derive(Clone, Debug)]
enum Step {
    Field(String),
    /// An element of a list.
    Element,
    /// A value of a map.
    Entry,
    Variant(String),
}

/// The names of the fields of the struct at the end of a path, with aliases behind the name that they stand for; `None`
/// if there is no struct, or the way there leads through a type that first looks at its content (tagged and untagged
/// enums, `flatten`, types that read themselves).
fn fields_of<T: DeserializeOwned>(path: &[Step]) -> Option<&'static [&'static str]> {
    let seen = Cell::new(None);
    // What it gives is of no interest: it always ends in an error.
    drop(T::deserialize(Probe { path, seen: &seen }));
    seen.get()
}

#[derive(Clone, Copy)]
struct Probe<'p> {
    path: &'p [Step],
    seen: &'p Cell<Option<&'static [&'static str]>>,
}

/// The map whose only entry lies on the path.
fn only<'de, 'p>(
    key: &'p str,
    rest: Probe<'p>,
) -> MapDeserializer<'de, Once<(&'p str, Probe<'p>)>, Error> {
    MapDeserializer::new(once((key, rest)))
}

fn enough<V>() -> Result<V, Error> {
    Err(Error::custom("the type has been asked"))
}

impl<'p> Probe<'p> {
    fn next(self) -> Option<(&'p Step, Self)> {
        let (step, path) = self.path.split_first()?;
        Some((step, Self { path, ..self }))
    }

    fn fields<'de, V: Visitor<'de>>(
        self,
        fields: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Error> {
        match self.next() {
            None => {
                self.seen.set(Some(fields));
                enough()
            }
            Some((Step::Field(name), rest)) => visitor.visit_map(only(name, rest)),
            Some(_) => enough(),
        }
    }
}

impl<'de> Deserializer<'de> for Probe<'_> {
    type Error = Error;

    fn deserialize_any<V: Visitor<'de>>(self, _: V) -> Result<V::Value, Error> {
        enough()
    }

    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        visitor.visit_some(self)
    }

    fn deserialize_newtype_struct<V: Visitor<'de>>(
        self,
        _: &'static str,
        visitor: V,
    ) -> Result<V::Value, Error> {
        visitor.visit_newtype_struct(self)
    }

    fn deserialize_seq<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        match self.next() {
            Some((Step::Element, rest)) => visitor.visit_seq(SeqDeserializer::new(once(rest))),
            _ => enough(),
        }
    }

    fn deserialize_map<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        match self.next() {
            // A map whose keys are no texts refuses it, and is not asked further.
            Some((Step::Entry, rest)) => visitor.visit_map(only("", rest)),
            _ => enough(),
        }
    }

    fn deserialize_struct<V: Visitor<'de>>(
        self,
        _: &'static str,
        fields: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Error> {
        self.fields(fields, visitor)
    }

    fn deserialize_enum<V: Visitor<'de>>(
        self,
        _: &'static str,
        _: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Error> {
        match self.next() {
            Some((Step::Variant(name), rest)) => visitor.visit_enum(One { name, rest }),
            _ => enough(),
        }
    }

    forward_to_deserialize_any! {
        bool i8 i16 i32 i64 i128 u8 u16 u32 u64 u128 f32 f64 char str string bytes byte_buf unit unit_struct tuple
        tuple_struct identifier ignored_any
    }
}

impl IntoDeserializer<'_, Error> for Probe<'_> {
    type Deserializer = Self;

    fn into_deserializer(self) -> Self {
        self
    }
}

/// The one variant that lies on the path.
struct One<'p> {
    name: &'p str,
    rest: Probe<'p>,
}

impl<'de> EnumAccess<'de> for One<'_> {
    type Error = Error;
    type Variant = Self;

    fn variant_seed<S: DeserializeSeed<'de>>(self, seed: S) -> Result<(S::Value, Self), Error> {
        let name: StrDeserializer<'_, Error> = self.name.into_deserializer();
        Ok((seed.deserialize(name)?, self))
    }
}

impl<'de> VariantAccess<'de> for One<'_> {
    type Error = Error;

    fn unit_variant(self) -> Result<(), Error> {
        enough()
    }

    fn newtype_variant_seed<S: DeserializeSeed<'de>>(self, seed: S) -> Result<S::Value, Error> {
        seed.deserialize(self.rest)
    }

    fn tuple_variant<V: Visitor<'de>>(self, _: usize, _: V) -> Result<V::Value, Error> {
        enough()
    }

    fn struct_variant<V: Visitor<'de>>(
        self,
        fields: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Error> {
        self.rest.fields(fields, visitor)
    }
}
