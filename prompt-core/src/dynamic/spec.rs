//! What is written in a prompt file: one book of the keys of a node, grouped as the description of a node is.

use super::attributes::{Attributes, Given};
use crate::message::Role;
use crate::node::{Guarding, Priority};
use crate::print::Numbering;
use crate::visibility::Visibility;
use serde::{
    Deserialize, Deserializer, Serialize, Serializer,
    de::{self, DeserializeOwned},
};
use serde_json::{Map, Value};

/// A node as written.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct NodeSpec {
    pub(super) key: String,
    pub(super) title: Option<String>,
    pub(super) untitled: bool,
    pub(super) description: Option<String>,
    pub(super) body: String,
    pub(super) summary: Option<String>,
    pub(super) visibility: Visibility,
    pub(super) when: When,
    pub(super) heading: HeadingSpec,
    pub(super) markup: MarkupSpec,
    pub(super) policy: PolicySpec,
    pub(super) items: ItemsSpec,
    pub(super) node: OwnSpec,
}

/// How its heading stands; on the root, those of its sections.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct HeadingSpec {
    pub(super) form: Option<String>,
    pub(super) level: Option<u8>,
    pub(super) tight: bool,
    pub(super) gap: Option<u8>,
}

/// Its tag, and what happens to values in it.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct MarkupSpec {
    pub(super) tag: Option<String>,
    pub(super) attr: Attributes,
    pub(super) inline: bool,
    pub(super) indent: Option<u8>,
    pub(super) guard: Guard,
    pub(super) untrusted: bool,
}

/// What becomes of it outside of its own text.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct PolicySpec {
    pub(super) priority: Option<PrioritySpec>,
    pub(super) role: Option<Role>,
    pub(super) cache: Option<Cache>,
    pub(super) volatile: bool,
    pub(super) tools: Vec<String>,
}

/// The value that it embeds, and how items of a list stand.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct ItemsSpec {
    pub(super) value: Option<String>,
    pub(super) item: Option<String>,
    pub(super) join: Option<String>,
    pub(super) last: Option<String>,
    pub(super) title: Option<String>,
    pub(super) untitled: bool,
    pub(super) key: Option<String>,
    pub(super) tag: Option<String>,
    pub(super) empty: Option<String>,
}

/// What a container says of itself and all that is below.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct OwnSpec {
    pub(super) start: String,
    pub(super) end: String,
    pub(super) numbering: Option<Numbering>,
    pub(super) summary_suffix: Option<String>,
    pub(super) append: Append,
    pub(super) vars: Map<String, Value>,
}

/// Where a key means something.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum On {
    Any,
    Root,
    Section,
    /// A section that embeds a value.
    Value,
}

/// A key of the book.
pub(super) struct Key {
    pub(super) name: &'static str,
    pub(super) on: On,
    read: fn(&mut NodeSpec, Given) -> serde_json::Result<()>,
    written: fn(&NodeSpec) -> Option<Given>,
    is_given: fn(&NodeSpec) -> bool,
}

/// One line for each key: its name, where it means something, and where it is kept.
macro_rules! book {
    ($($name:literal $on:ident => $first:ident $(. $then:ident)*;)+) => {
        pub(super) const KEYS: &[Key] = &[$(Key {
            name: $name,
            on: On::$on,
            read: |spec, given| {
                spec.$first$(.$then)* = Held::read(given)?;
                Ok(())
            },
            written: |spec| is_given(&spec.$first$(.$then)*).then(|| spec.$first$(.$then)*.written()),
            is_given: |spec| is_given(&spec.$first$(.$then)*),
        },)+];
    };
}

book! {
    "key" Any => key;
    "title" Any => title;
    "untitled" Section => untitled;
    "description" Any => description;
    "body" Any => body;
    "summary" Any => summary;
    "visibility" Section => visibility;
    "when" Section => when;
    "heading" Any => heading.form;
    "level" Any => heading.level;
    "tight" Any => heading.tight;
    "gap" Any => heading.gap;
    "value" Section => items.value;
    "item" Value => items.item;
    "join" Value => items.join;
    "last" Value => items.last;
    "item_title" Value => items.title;
    "untitled_items" Value => items.untitled;
    "item_key" Value => items.key;
    "item_tag" Value => items.tag;
    "empty" Value => items.empty;
    "tag" Any => markup.tag;
    "attr" Any => markup.attr;
    "inline" Any => markup.inline;
    "indent" Section => markup.indent;
    "guard" Section => markup.guard;
    "untrusted" Section => markup.untrusted;
    "priority" Section => policy.priority;
    "role" Section => policy.role;
    "cache" Section => policy.cache;
    "volatile" Section => policy.volatile;
    "tools" Any => policy.tools;
    "start" Any => node.start;
    "end" Any => node.end;
    "numbering" Any => node.numbering;
    "summary_suffix" Any => node.summary_suffix;
    "append" Any => node.append;
    "vars" Root => node.vars;
}

fn is_given<T: Default + PartialEq>(value: &T) -> bool {
    *value != T::default()
}

/// What is kept under a key, from a file and back.
trait Held: Sized {
    fn read(given: Given) -> serde_json::Result<Self>;
    fn written(&self) -> Given;
}

impl<T: Serialize + DeserializeOwned> Held for T {
    fn read(given: Given) -> serde_json::Result<Self> {
        Self::deserialize(given.into_value())
    }

    fn written(&self) -> Given {
        Given::Other(serde_json::to_value(self).unwrap_or_default())
    }
}

impl Held for Attributes {
    fn read(given: Given) -> serde_json::Result<Self> {
        match given {
            Given::Attributes(attributes) => Ok(attributes),
            Given::Other(value) => Self::deserialize(value),
        }
    }

    fn written(&self) -> Given {
        Given::Attributes(self.clone())
    }
}

impl Key {
    pub(super) fn find(name: &str) -> Option<&'static Self> {
        KEYS.iter().find(|key| key.name == name)
    }

    pub(super) fn names() -> impl Iterator<Item = &'static str> + Clone {
        KEYS.iter().map(|key| key.name)
    }

    /// Those that mean something on the root, or on a section.
    pub(super) fn names_of(root: bool) -> impl Iterator<Item = &'static str> {
        let is_meant = move |key: &&Self| match key.on {
            On::Any => true,
            On::Root => root,
            On::Section | On::Value => !root,
        };
        KEYS.iter().filter(is_meant).map(|key| key.name)
    }

    /// Whether a node says anything under this key.
    pub(super) fn is_given(&self, spec: &NodeSpec) -> bool {
        (self.is_given)(spec)
    }

    /// Takes the value of a file.
    ///
    /// # Errors
    /// A value that the key cannot have.
    pub(super) fn read(&self, spec: &mut NodeSpec, given: Given) -> serde_json::Result<()> {
        (self.read)(spec, given)
    }
}

impl NodeSpec {
    pub(super) fn new(key: String) -> Self {
        Self {
            key,
            ..Self::default()
        }
    }

    /// Everything that is not as usual, in the order of the book.
    pub(super) fn written(&self) -> impl Iterator<Item = (&'static str, Given)> {
        let keys = KEYS.iter();
        keys.filter_map(|key| Some((key.name, (key.written)(self)?)))
    }

    /// The name of the value that it embeds: the one it says, or its key, if it says how items of a list stand.
    pub(super) fn value_name(&self) -> Option<&str> {
        let speaks_of_items = || {
            let mut keys = KEYS.iter().filter(|key| key.on == On::Value);
            keys.any(|key| key.is_given(self))
        };
        match &self.items.value {
            Some(name) => Some(name),
            None => speaks_of_items().then_some(self.key.as_str()),
        }
    }
}

/// `when`: `true`, `false`, or what a value says: `"fog"`, `"!fog"`, `"ship.is_late"`.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum When {
    Always(bool),
    Value(String),
}

impl Default for When {
    fn default() -> Self {
        Self::Always(true)
    }
}

impl When {
    /// Whether it holds where the value does not, the name, and the fields after it.
    pub(super) fn asks(&self) -> Option<(bool, &str, Vec<String>)> {
        let Self::Value(source) = self else {
            return None;
        };
        let name = source.strip_prefix('!');
        let mut parts = name.unwrap_or(source).split('.');
        let first = parts.next().unwrap_or_default();
        Some((name.is_some(), first, parts.map(str::to_owned).collect()))
    }
}

impl Serialize for When {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::Always(holds) => serializer.serialize_bool(*holds),
            Self::Value(source) => serializer.serialize_str(source),
        }
    }
}

impl<'de> Deserialize<'de> for When {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        match Value::deserialize(deserializer)? {
            Value::Bool(holds) => Ok(Self::Always(holds)),
            Value::String(source) => Ok(Self::Value(source)),
            _ => Err(de::Error::custom(
                "`when` is `true`, `false`, or the name of a value, as in \"fog\" or \"!fog\"",
            )),
        }
    }
}

/// `append`: `false` forbids sections without a place.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub(super) struct Append(pub(super) bool);

impl Default for Append {
    fn default() -> Self {
        Self(true)
    }
}

/// `guard`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum Guard {
    #[default]
    #[serde(skip)]
    Default,
    Escaped,
    Cdata,
    Strict,
}

impl From<Guard> for Guarding {
    fn from(guard: Guard) -> Self {
        match guard {
            Guard::Default => Self::Default,
            Guard::Escaped => Self::Escaped,
            Guard::Cdata => Self::Cdata,
            Guard::Strict => Self::Strict,
        }
    }
}

impl From<Guarding> for Guard {
    fn from(guarding: Guarding) -> Self {
        match guarding {
            Guarding::Default => Self::Default,
            Guarding::Escaped => Self::Escaped,
            Guarding::Cdata => Self::Cdata,
            Guarding::Strict => Self::Strict,
        }
    }
}

/// `"required"` or a number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct PrioritySpec(pub(super) Priority);

impl Serialize for PrioritySpec {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self.0 {
            Priority::Required => serializer.serialize_str("required"),
            Priority::Level(level) => serializer.serialize_i32(level),
        }
    }
}

impl<'de> Deserialize<'de> for PrioritySpec {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let value = Value::deserialize(deserializer)?;
        let level = value.as_i64().and_then(|level| i32::try_from(level).ok());
        match (level, value.as_str()) {
            (Some(level), _) => Ok(Self(Priority::Level(level))),
            (None, Some("required")) => Ok(Self(Priority::Required)),
            _ => Err(de::Error::custom(
                "a priority is a whole number of 32 bits or \"required\"",
            )),
        }
    }
}

/// `cache`: `true`, or seconds to live (0 here for `true`).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Cache(pub(super) u32);

impl Serialize for Cache {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        if self.0 == 0 {
            serializer.serialize_bool(true)
        } else {
            serializer.serialize_u32(self.0)
        }
    }
}

impl<'de> Deserialize<'de> for Cache {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let value = Value::deserialize(deserializer)?;
        let seconds = value
            .as_u64()
            .and_then(|seconds| u32::try_from(seconds).ok());
        match (value, seconds) {
            (Value::Bool(true), _) => Ok(Self(0)),
            (_, Some(seconds)) if seconds > 0 => Ok(Self(seconds)),
            _ => Err(de::Error::custom(
                "a cache point is `true` or a number of seconds",
            )),
        }
    }
}

/// An entry of `vars`: how a value prints wherever it is named.
#[derive(Clone, Debug, Default, PartialEq, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub(super) struct VarSpec {
    pub(super) description: Option<String>,
    pub(super) default: Option<String>,
    pub(super) some: Option<String>,
    pub(super) yes: Option<String>,
    pub(super) no: Option<String>,
    pub(super) item: Option<String>,
    pub(super) join: Option<String>,
    pub(super) last: Option<String>,
    pub(super) json: Option<JsonForm>,
    pub(super) hang: Option<HangForm>,
    pub(super) raw: bool,
    pub(super) untrusted: bool,
}

/// `json`: `true`, `"pretty"`, or columns of indentation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(
    untagged,
    expecting = "`json` is `true`, \"pretty\" or a number of columns"
)]
pub(super) enum JsonForm {
    Flag(bool),
    Columns(u8),
    Pretty(Pretty),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum Pretty {
    Pretty,
}

/// `hang`: `true`, or a column.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(untagged, expecting = "`hang` is `true` or a column")]
pub(super) enum HangForm {
    Flag(bool),
    Column(u16),
}
