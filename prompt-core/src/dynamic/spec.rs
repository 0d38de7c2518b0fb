//! What is written in a prompt file: the keys of a section.

use crate::message::Role;
use crate::render::Numbering;
use crate::visibility::Visibility;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use serde_json::{Map, Value};

/// A node as written. Every key but `key` may be left out.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[allow(clippy::struct_excessive_bools, reason = "each is a key of its own")]
pub(super) struct NodeSpec {
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub(super) key: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) title: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) description: Option<String>,
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub(super) body: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) summary: Option<String>,
    #[serde(default, skip_serializing_if = "is_default")]
    pub(super) visibility: Visibility,
    #[serde(default = "yes", skip_serializing_if = "is_true")]
    pub(super) when: bool,
    #[serde(default, skip_serializing_if = "is_default")]
    pub(super) untitled: bool,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) heading: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) level: Option<u8>,
    #[serde(default, skip_serializing_if = "is_default")]
    pub(super) tight: bool,
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub(super) end: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) numbering: Option<Numbering>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) summary_suffix: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) tag: Option<String>,
    #[serde(default, skip_serializing_if = "Map::is_empty")]
    pub(super) attr: Map<String, Value>,
    #[serde(default, skip_serializing_if = "is_default")]
    pub(super) inline: bool,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) indent: Option<u8>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) guard: Option<GuardSpec>,
    #[serde(default, skip_serializing_if = "is_default")]
    pub(super) untrusted: bool,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) priority: Option<PrioritySpec>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) role: Option<Role>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) cache: Option<CacheSpec>,
    #[serde(default, skip_serializing_if = "is_default")]
    pub(super) volatile: bool,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(super) tools: Vec<String>,
}

/// `guard = ".."`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum GuardSpec {
    Escaped,
    Cdata,
    Strict,
}

/// `"required"` or a number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum PrioritySpec {
    Required,
    Level(i32),
}

/// `true`, or seconds to live.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct CacheSpec(pub(super) u32);

impl NodeSpec {
    /// Every key, in the order in which it is written.
    pub(super) const KEYS: &'static [&'static str] = &[
        "key",
        "title",
        "description",
        "body",
        "summary",
        "visibility",
        "when",
        "untitled",
        "heading",
        "level",
        "tight",
        "end",
        "numbering",
        "summary_suffix",
        "tag",
        "attr",
        "inline",
        "indent",
        "guard",
        "untrusted",
        "priority",
        "role",
        "cache",
        "volatile",
        "tools",
    ];

    pub(super) fn new(key: String) -> Self {
        Self {
            key,
            when: true,
            ..Self::default()
        }
    }

    /// From the keys of a file.
    pub(super) fn read(keys: Map<String, Value>) -> serde_json::Result<Self> {
        Self::deserialize(Value::Object(keys))
    }
}

impl Serialize for PrioritySpec {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::Required => serializer.serialize_str("required"),
            Self::Level(level) => serializer.serialize_i32(*level),
        }
    }
}

impl<'de> Deserialize<'de> for PrioritySpec {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let value = Value::deserialize(deserializer)?;
        let level = value.as_i64().and_then(|level| i32::try_from(level).ok());
        match (level, value.as_str()) {
            (Some(level), _) => Ok(Self::Level(level)),
            (None, Some("required")) => Ok(Self::Required),
            _ => Err(serde::de::Error::custom(
                "a priority is a whole number of 32 bits or \"required\"",
            )),
        }
    }
}

impl Serialize for CacheSpec {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        if self.0 == 0 {
            serializer.serialize_bool(true)
        } else {
            serializer.serialize_u32(self.0)
        }
    }
}

impl<'de> Deserialize<'de> for CacheSpec {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let value = Value::deserialize(deserializer)?;
        let seconds = value
            .as_u64()
            .and_then(|seconds| u32::try_from(seconds).ok());
        match (value, seconds) {
            (Value::Bool(true), _) => Ok(Self(0)),
            (_, Some(seconds)) if seconds > 0 => Ok(Self(seconds)),
            _ => Err(serde::de::Error::custom(
                "a cache point is `true` or a number of seconds",
            )),
        }
    }
}

fn yes() -> bool {
    true
}

#[allow(clippy::trivially_copy_pass_by_ref, reason = "serde passes references")]
fn is_true(value: &bool) -> bool {
    *value
}

fn is_default<T: Default + PartialEq>(value: &T) -> bool {
    *value == T::default()
}
