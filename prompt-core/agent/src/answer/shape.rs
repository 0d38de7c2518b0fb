//! The shape of an answer: what its type takes, read once from the schema that `schemars` writes, with the fields in the
//! order of the declaration. The printed form, the faults and the coercions are three readers of it.

use super::json::push_step;
use regex_lite::Regex;
use serde_json::{Map, Value};
use std::collections::BTreeMap;
use std::slice;

/// Levels of a schema. It only keeps the walk off the end of the stack.
const MOST_LEVELS: usize = 100;

/// All that is known of a type.
#[derive(Debug, Default)]
pub(super) struct Shapes {
    pub(super) root: Shape,
    /// Name of the root's type.
    pub(super) title: String,
    /// The types that are referred to, by their pointer in the schema.
    pub(super) named: BTreeMap<String, Shape>,
    /// What the schema says and nobody checks: `contains` at `/properties/codes`.
    pub(super) unchecked: Vec<String>,
}

#[derive(Clone, Debug, Default)]
pub(super) struct Shape {
    pub(super) what: What,
    /// The doc comment, as one line.
    pub(super) doc: String,
    /// Whether null may stand here, too.
    pub(super) nullable: bool,
    pub(super) bounds: Bounds,
}

#[derive(Clone, Debug, Default)]
pub(super) enum What {
    #[default]
    Any,
    Null,
    Boolean,
    Integer,
    Number,
    Text,
    /// One of these values, none of which is a list or an object.
    Words(Vec<Word>),
    List(Box<Shape>),
    Tuple(Vec<Shape>),
    Object(Object),
    /// One of these.
    Either(Vec<Shape>),
    /// All of these at once: an object in several parts.
    All(Vec<Shape>),
    /// The type with this pointer.
    Named(String),
}

#[derive(Clone, Debug)]
pub(super) struct Word {
    pub(super) value: Value,
    pub(super) doc: String,
}

#[derive(Clone, Debug)]
pub(super) struct Object {
    /// In the order of the declaration.
    pub(super) fields: Vec<Field>,
    /// Fields by name.
    pub(super) by_name: BTreeMap<String, usize>,
    pub(super) rest: Rest,
}

#[derive(Clone, Debug)]
pub(super) struct Field {
    pub(super) name: String,
    pub(super) required: bool,
    pub(super) shape: Shape,
}

/// What an object takes beside its fields.
#[derive(Clone, Debug)]
pub(super) enum Rest {
    Anything,
    Nothing,
    /// A map.
    Of(Box<Shape>),
}

/// Limits that the type's own reading does not know, or that hold for one number type.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Bounds {
    pub(super) least: Option<Limit>,
    pub(super) most: Option<Limit>,
    /// Characters, or elements.
    pub(super) shortest: Option<u64>,
    pub(super) longest: Option<u64>,
    pub(super) unique: bool,
    /// A word such as `date-time`.
    pub(super) format: Option<String>,
    pub(super) pattern: Option<Pattern>,
}

/// A regular expression that finds something in each text that fits.
#[derive(Clone, Debug)]
pub(super) struct Pattern(pub(super) Regex);

impl PartialEq for Pattern {
    fn eq(&self, other: &Self) -> bool {
        self.0.as_str() == other.0.as_str()
    }
}

#[derive(Clone, Debug, PartialEq)]
pub(super) struct Limit {
    pub(super) value: f64,
    pub(super) text: String,
    pub(super) exclusive: bool,
    /// It is that of the number type, and need not be said.
    pub(super) implied: bool,
}

/// Keywords that are read, and those that say nothing about the value.
const KNOWN: &str = "$ref type properties required additionalProperties patternProperties items prefixItems minItems \
    maxItems uniqueItems pattern minLength maxLength minimum maximum exclusiveMinimum exclusiveMaximum format enum const oneOf \
    anyOf allOf $schema $defs $comment title description default examples deprecated readOnly writeOnly";

impl Shapes {
    pub(super) fn of(schema: &Value) -> Self {
        let mut reader = Reader {
            whole: schema,
            levels: 0,
            shapes: Self::default(),
        };
        let root = reader.shape(schema, "");
        let mut shapes = reader.shapes;
        // A root that is only the name of a type, as that of a recursive one may be, is that type.
        if let Some(named) = shapes.named.get_mut("") {
            *named = root.clone();
        }
        shapes.root = root;
        let title = schema.get("title").and_then(Value::as_str);
        shapes.title = type_name(title.unwrap_or_default());
        shapes
    }

    /// The shape itself, where it is only named.
    pub(super) fn resolve<'s>(&'s self, mut shape: &'s Shape) -> &'s Shape {
        // A type that is nothing but itself has no end.
        for _ in 0..MOST_LEVELS {
            let What::Named(pointer) = &shape.what else {
                return shape;
            };
            shape = self.named.get(pointer).unwrap_or(shape);
        }
        shape
    }

    /// The objects that make up a shape, which is one or has several as its parts; `None` for a part that is no object.
    pub(super) fn objects<'s>(&'s self, shape: &'s Shape) -> Vec<Option<&'s Object>> {
        let parts = match &self.resolve(shape).what {
            What::All(parts) => parts.as_slice(),
            What::Object(_) => slice::from_ref(shape),
            _ => &[],
        };
        let object = |part| match &self.resolve(part).what {
            What::Object(object) => Some(object),
            _ => None,
        };
        parts.iter().map(object).collect()
    }

    /// The name of a type that is referred to.
    pub(super) fn name<'s>(&'s self, pointer: &'s str) -> std::borrow::Cow<'s, str> {
        match pointer.rsplit_once('/') {
            Some((_, name)) => type_name(&name.replace("~1", "/").replace("~0", "~")).into(),
            None if self.title.is_empty() => "Answer".into(),
            None => self.title.as_str().into(),
        }
    }
}

/// A name without what no name holds.
fn type_name(title: &str) -> String {
    let legal = |c: char| if c.is_alphanumeric() { c } else { '_' };
    title.chars().map(legal).collect()
}

/// Where the reading stands.
struct Reader<'a> {
    /// The schema of the root, which references point into.
    whole: &'a Value,
    levels: usize,
    shapes: Shapes,
}

impl Reader<'_> {
    fn shape(&mut self, schema: &Value, at: &str) -> Shape {
        let Some(map) = schema.as_object() else {
            return Shape::default();
        };
        let unchecked = &mut self.shapes.unchecked;
        if self.levels >= MOST_LEVELS {
            unchecked.push(format!("the schema at `{at}`: too deep"));
            return Shape::default();
        }
        self.levels += 1;
        let is_unknown = |key: &&String| KNOWN.split(' ').all(|known| known != key.as_str());
        let unknown = map.keys().filter(is_unknown);
        unchecked.extend(unknown.map(|key| format!("`{key}` at `{at}`")));
        if map.contains_key("pattern") && pattern(map).is_none() {
            unchecked.push(format!("`pattern` at `{at}`"));
        }
        let mut shape = self.parts(map, at);
        self.levels -= 1;
        let doc = map.get("description").and_then(Value::as_str);
        if let Some(doc) = doc {
            shape.doc = doc.split_whitespace().collect::<Vec<_>>().join(" ");
        }
        shape
    }

    /// What the keywords of one schema say together.
    fn parts(&mut self, map: &Map<String, Value>, at: &str) -> Shape {
        let mut parts: Vec<Shape> = Vec::new();
        if let Some(target) = map.get("$ref").and_then(Value::as_str) {
            parts.push(self.named(target));
        }
        for keyword in ["oneOf", "anyOf"] {
            if let Some(list) = map.get(keyword).and_then(Value::as_array) {
                parts.push(self.either(list, &format!("{at}/{keyword}")));
            }
        }
        if let Some(list) = map.get("allOf").and_then(Value::as_array) {
            for (index, schema) in list.iter().enumerate() {
                parts.push(self.shape(schema, &format!("{at}/allOf/{index}")));
            }
        }
        let own = ["type", "enum", "const", "properties"];
        let repeats = !parts.is_empty() && !map.contains_key("properties");
        if own.iter().any(|key| map.contains_key(*key)) && !repeats {
            parts.insert(0, self.own(map, at));
        }
        only_or(What::All, parts)
    }

    /// The type that a reference names.
    fn named(&mut self, target: &str) -> Shape {
        let pointer = target.trim_start_matches('#').to_owned();
        if !self.shapes.named.contains_key(&pointer) {
            self.shapes.named.insert(pointer.clone(), Shape::default());
            // The root is being read already.
            if !pointer.is_empty() {
                match self.whole.pointer(&pointer) {
                    Some(schema) => {
                        let shape = self.shape(schema, &pointer);
                        self.shapes.named.insert(pointer.clone(), shape);
                    }
                    None => self.shapes.unchecked.push(format!("`$ref` to `{target}`")),
                }
            }
        }
        What::Named(pointer).into()
    }

    /// Alternatives. Null among them makes the others nullable; words among them are one list of words.
    fn either(&mut self, list: &[Value], at: &str) -> Shape {
        let mut nullable = false;
        let mut shapes: Vec<Shape> = Vec::new();
        for (index, schema) in list.iter().enumerate() {
            let shape = self.shape(schema, &format!("{at}/{index}"));
            match shape.what {
                What::Null => nullable = true,
                What::Words(mut words) => {
                    // The doc comment of a word stands on the schema that holds nothing but it.
                    for word in words.iter_mut().filter(|word| word.doc.is_empty()) {
                        word.doc.clone_from(&shape.doc);
                    }
                    match shapes.last_mut().map(|last| &mut last.what) {
                        Some(What::Words(before)) => before.append(&mut words),
                        _ => shapes.push(What::Words(words).into()),
                    }
                }
                _ => shapes.push(shape),
            }
        }
        if shapes.is_empty() && nullable {
            return What::Null.into();
        }
        let mut shape = only_or(What::Either, shapes);
        shape.nullable |= nullable;
        shape
    }

    /// What `type` and its companions say.
    fn own(&mut self, map: &Map<String, Value>, at: &str) -> Shape {
        let bounds = bounds(map);
        let values = match (map.get("const"), map.get("enum")) {
            (Some(value), _) => Some(std::slice::from_ref(value)),
            (None, Some(Value::Array(values))) => Some(values.as_slice()),
            _ => None,
        };
        if let Some(values) = values {
            let words = values.iter().filter(|value| !value.is_null()).cloned();
            let doc = String::new();
            let words = words.map(|value| Word {
                value,
                doc: doc.clone(),
            });
            let words: Vec<Word> = words.collect();
            let nullable = words.len() < values.len();
            let what = if words.is_empty() {
                What::Null
            } else {
                What::Words(words)
            };
            return Shape {
                nullable,
                ..what.into()
            };
        }
        let mut kinds: Vec<&str> = match map.get("type") {
            Some(Value::String(kind)) => vec![kind],
            Some(Value::Array(kinds)) => kinds.iter().filter_map(Value::as_str).collect(),
            _ => vec!["object"],
        };
        let all = kinds.len();
        if all > 1 {
            kinds.retain(|kind| *kind != "null");
        }
        let nullable = kinds.len() < all;
        let shapes = kinds.iter().map(|kind| Shape {
            what: self.kind(kind, map, at),
            bounds: bounds.clone(),
            ..Shape::default()
        });
        let mut shape = only_or(What::Either, shapes.collect());
        shape.nullable = nullable;
        shape
    }

    fn kind(&mut self, kind: &str, map: &Map<String, Value>, at: &str) -> What {
        match kind {
            "null" => What::Null,
            "boolean" => What::Boolean,
            "integer" => What::Integer,
            "number" => What::Number,
            "string" => What::Text,
            "array" => self.list(map, at),
            "object" => What::Object(self.object(map, at)),
            _ => What::Any,
        }
    }

    fn list(&mut self, map: &Map<String, Value>, at: &str) -> What {
        if let Some(Value::Array(items)) = map.get("prefixItems") {
            let items = items.iter().enumerate();
            let items = items
                .map(|(index, schema)| self.shape(schema, &format!("{at}/prefixItems/{index}")));
            return What::Tuple(items.collect());
        }
        let items = map.get("items").unwrap_or(&Value::Null);
        What::List(Box::new(self.shape(items, &format!("{at}/items"))))
    }

    fn object(&mut self, map: &Map<String, Value>, at: &str) -> Object {
        let is_required = |name: &str| {
            let list = map.get("required").and_then(Value::as_array);
            list.is_some_and(|list| list.iter().any(|known| known == name))
        };
        let mut fields = Vec::new();
        let mut by_name = BTreeMap::new();
        let properties = map.get("properties").and_then(Value::as_object);
        for (name, schema) in properties.into_iter().flatten() {
            let shape = self.shape(schema, &place(at, "properties", name));
            by_name.insert(name.to_owned(), fields.len());
            fields.push(Field {
                required: is_required(name),
                name: name.to_owned(),
                shape,
            });
        }
        let patterns = map.get("patternProperties").and_then(Value::as_object);
        let pattern = patterns.and_then(|patterns| patterns.iter().next());
        let rest = match (pattern, map.get("additionalProperties")) {
            (Some((name, schema)), _) => Some((schema, place(at, "patternProperties", name))),
            (None, Some(schema @ Value::Object(_))) => {
                Some((schema, format!("{at}/additionalProperties")))
            }
            _ => None,
        };
        let rest = match rest {
            Some((schema, inner)) => Rest::Of(Box::new(self.shape(schema, &inner))),
            None if map.get("additionalProperties") == Some(&Value::Bool(false)) => Rest::Nothing,
            None => Rest::Anything,
        };
        Object {
            fields,
            by_name,
            rest,
        }
    }
}

impl From<What> for Shape {
    fn from(what: What) -> Self {
        Self {
            what,
            ..Self::default()
        }
    }
}

/// The only one of some shapes, or what several of them are together.
fn only_or(several: fn(Vec<Shape>) -> What, mut shapes: Vec<Shape>) -> Shape {
    match shapes.len() {
        0 | 1 => shapes.pop().unwrap_or_default(),
        _ => several(shapes).into(),
    }
}

/// The place of what an object of a schema has under a name.
fn place(at: &str, keyword: &str, name: &str) -> String {
    let mut place = format!("{at}/{keyword}");
    push_step(&mut place, name);
    place
}

fn bounds(map: &Map<String, Value>) -> Bounds {
    let format = map.get("format").and_then(Value::as_str);
    let (least, most) = format.and_then(number_range).unzip();
    let limit = |keywords: [&str; 2], implied: Option<String>| {
        let mut said = keywords.into_iter().zip([false, true]);
        let said = said.find_map(|(keyword, exclusive)| {
            let value = map.get(keyword)?;
            Some((value.as_f64()?, value.to_string(), exclusive))
        });
        let of_type = || Some((implied.as_ref()?.parse().ok()?, implied.clone()?, false));
        let (value, text, exclusive) = said.or_else(of_type)?;
        Some(Limit {
            value,
            implied: implied.as_ref() == Some(&text),
            text,
            exclusive,
        })
    };
    let count = |keyword: &str| map.get(keyword).and_then(Value::as_u64);
    Bounds {
        least: limit(["minimum", "exclusiveMinimum"], least),
        most: limit(["maximum", "exclusiveMaximum"], most),
        shortest: count("minLength").or_else(|| count("minItems")),
        longest: count("maxLength").or_else(|| count("maxItems")),
        unique: map.get("uniqueItems") == Some(&Value::Bool(true)),
        format: format
            .filter(|name| !NUMBER_FORMATS.contains(name))
            .map(str::to_owned),
        pattern: pattern(map).map(Pattern),
    }
}

/// The regular expression of a text; nothing where it is none that can be asked.
fn pattern(map: &Map<String, Value>) -> Option<Regex> {
    let text = map.get("pattern")?.as_str()?;
    Regex::new(text).ok()
}

/// Formats that only name a number type of Rust.
const NUMBER_FORMATS: [&str; 14] = [
    "int8", "int16", "int32", "int64", "int128", "int", "uint8", "uint16", "uint32", "uint64",
    "uint128", "uint", "float", "double",
];

/// The range of an integer type: schemars writes the larger ones as `format` alone.
fn number_range(format: &str) -> Option<(String, String)> {
    macro_rules! range {
        ($integer:ident) => {
            ($integer::MIN.to_string(), $integer::MAX.to_string())
        };
    }
    Some(match format {
        "int8" => range!(i8),
        "int16" => range!(i16),
        "int32" => range!(i32),
        "int64" | "int" => range!(i64),
        "int128" => range!(i128),
        "uint8" => range!(u8),
        "uint16" => range!(u16),
        "uint32" => range!(u32),
        "uint64" | "uint" => range!(u64),
        "uint128" => range!(u128),
        _ => return None,
    })
}
