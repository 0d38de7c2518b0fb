//! What a call tells the factories of an adapter.

use serde::{Deserialize, Deserializer, Serialize};
use serde_json::Value;
use std::{borrow::Cow, collections::BTreeMap};

/// What a call tells the factories of an adapter: five keys with a type, and any number of free ones.
///
/// Every key may be absent, and a factory must work without. As serde data it is one flat object; `null` means absent,
/// and a value under a text key that is not a text is kept as its JSON text.
///
/// ```
/// use prompt_core::assembly::AdapterContext;
/// use serde_json::json;
///
/// let context = AdapterContext::default()
///     .with("json_schema", json!({ "type": "object" }))
///     .with("example_json", json!({ "grade": 3 }))
///     .with("unit", "metres");
/// assert_eq!(context.json_schema, Some(json!({ "type": "object" })));
/// assert_eq!(context.example_json.as_deref(), Some(r#"{"grade":3}"#));
/// assert_eq!(context.text("unit"), Some("metres"));
/// assert_eq!(context.text("zone"), None);
/// ```
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct AdapterContext {
    /// The JSON schema that the answer must conform to.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub json_schema: Option<Value>,
    /// How the answer must be written, in words.
    #[serde(
        default,
        skip_serializing_if = "Option::is_none",
        deserialize_with = "text_or_json"
    )]
    pub format_instructions: Option<String>,
    /// An example of the answer, as JSON text.
    #[serde(
        default,
        skip_serializing_if = "Option::is_none",
        deserialize_with = "text_or_json"
    )]
    pub example_json: Option<String>,
    /// A short hint at the shape of the answer, for adapters that show no example.
    #[serde(
        default,
        skip_serializing_if = "Option::is_none",
        deserialize_with = "text_or_json"
    )]
    pub output_format_hint: Option<String>,
    /// What to mind when the answer is taken apart.
    #[serde(
        default,
        skip_serializing_if = "Option::is_none",
        deserialize_with = "text_or_json"
    )]
    pub parsing_notes: Option<String>,
    /// Private, so that no typed key can be here as well.
    #[serde(flatten)]
    free: BTreeMap<String, Value>,
}

impl AdapterContext {
    /// The same with a value under `key`, typed or free; `null` removes it.
    #[must_use]
    pub fn with(mut self, key: impl Into<String>, value: impl Into<Value>) -> Self {
        self.set(key.into(), value.into());
        self
    }

    fn set(&mut self, key: String, value: Value) {
        if key == "json_schema" {
            self.json_schema = Some(value).filter(|schema| !schema.is_null());
        } else if let Some(field) = self.text_field(&key) {
            *field = into_text(value);
        } else if value.is_null() {
            self.free.remove(&key);
        } else {
            self.free.insert(key, value);
        }
    }

    fn text_field(&mut self, key: &str) -> Option<&mut Option<String>> {
        match key {
            "format_instructions" => Some(&mut self.format_instructions),
            "example_json" => Some(&mut self.example_json),
            "output_format_hint" => Some(&mut self.output_format_hint),
            "parsing_notes" => Some(&mut self.parsing_notes),
            _ => None,
        }
    }

    /// The text under `key`, typed or free; `None` if it is absent or not a text.
    pub fn text(&self, key: &str) -> Option<&str> {
        match key {
            "format_instructions" => self.format_instructions.as_deref(),
            "example_json" => self.example_json.as_deref(),
            "output_format_hint" => self.output_format_hint.as_deref(),
            "parsing_notes" => self.parsing_notes.as_deref(),
            _ => self.get(key).and_then(Value::as_str),
        }
    }

    /// The value under a free `key`.
    pub fn get(&self, key: &str) -> Option<&Value> {
        self.free.get(key).filter(|value| !value.is_null())
    }
}

impl<'a> From<&'a AdapterContext> for Cow<'a, AdapterContext> {
    fn from(context: &'a AdapterContext) -> Self {
        Cow::Borrowed(context)
    }
}

impl From<AdapterContext> for Cow<'_, AdapterContext> {
    fn from(context: AdapterContext) -> Self {
        Cow::Owned(context)
    }
}

fn text_or_json<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<String>, D::Error> {
    Value::deserialize(deserializer).map(into_text)
}

fn into_text(value: Value) -> Option<String> {
    match value {
        Value::Null => None,
        Value::String(text) => Some(text),
        other => Some(other.to_string()),
    }
}
