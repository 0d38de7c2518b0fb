//! The body of a request, as it is sent: JSON in an order of its own, whatever features `serde_json` is built with.

use prompt_core::tool::schema::Ordered;
use serde::{Deserialize, Serialize, Serializer};
use serde_json::Value;
use std::fmt;
use std::ops::{Deref, DerefMut};

/// The body of a request. Send it as it comes: `client.post(url).json(&body)`.
///
/// Written as JSON, by serde or by `Display`, it has the properties of every schema in the order of their declaration, and
/// all other keys sorted. Models read properties one after the other, and most fill them in so: `reason` in front of
/// `verdict` gives the reason first. To be looked at and changed it is the [`Value`] in it, which keeps no order by itself.
///
/// ```
/// use prompt_agent::wire::Body;
/// use serde_json::json;
///
/// let mut body = Body::from(json!({ "model": "m", "schema": {
///     "properties": { "reason": { "type": "string" }, "pass": { "type": "boolean" } },
///     "required": ["reason", "pass"]
/// } }));
/// body["model"] = "n".into();
/// assert_eq!(body["model"], "n");
/// assert_eq!(
///     serde_json::to_string(&body)?,
///     r#"{"model":"n","schema":{"properties":{"reason":{"type":"string"},"pass":{"type":"boolean"}},"required":["reason","pass"]}}"#
/// );
/// # Ok::<(), serde_json::Error>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash, Deserialize)]
#[serde(transparent)]
pub struct Body(Value);

impl Serialize for Body {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        Ordered(&self.0).serialize(serializer)
    }
}

impl Deref for Body {
    type Target = Value;

    fn deref(&self) -> &Value {
        &self.0
    }
}

impl DerefMut for Body {
    fn deref_mut(&mut self) -> &mut Value {
        &mut self.0
    }
}

impl From<Value> for Body {
    fn from(value: Value) -> Self {
        Self(value)
    }
}

/// For a client that takes a `Value`: in the order of the body, where `serde_json` has its feature `preserve_order`, which
/// alone lets a `Value` keep it.
impl From<Body> for Value {
    fn from(body: Body) -> Self {
        serde_json::to_value(&body).unwrap_or(body.0)
    }
}

impl PartialEq<Value> for Body {
    fn eq(&self, other: &Value) -> bool {
        self.0 == *other
    }
}

impl PartialEq<Body> for Value {
    fn eq(&self, other: &Body) -> bool {
        *self == other.0
    }
}

/// JSON in one line; with `{:#}` indented.
impl fmt::Display for Body {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let text = if f.alternate() {
            serde_json::to_string_pretty(self)
        } else {
            serde_json::to_string(self)
        };
        f.write_str(&text.map_err(|_| fmt::Error)?)
    }
}
