//! The value that was read: a tree that keeps the order of keys, repeated keys, and numbers as they were written. It is
//! changed in place by coercions and written out again for `serde_json`, which reads everything in the end.

use prompt_core::tool::schema::pointer_step;
use serde_json::Value;

/// Levels of lists and objects, as `serde_json` takes them.
pub(super) const MOST_LEVELS: usize = 127;

/// Characters of a value that a fault shows.
const EXCERPT: usize = 80;

#[derive(Clone, Debug, PartialEq)]
pub(super) enum Json {
    Null,
    Bool(bool),
    /// Digits as written; legal in JSON.
    Number(String),
    Text(String),
    List(Vec<Json>),
    Object(Vec<(String, Json)>),
}

impl Json {
    /// The value as JSON text.
    pub(super) fn to_text(&self) -> String {
        let mut out = String::new();
        self.write(&mut out, usize::MAX);
        out
    }

    /// The value for a program.
    pub(super) fn into_value(self) -> Value {
        match self {
            Self::Null => Value::Null,
            Self::Bool(value) => value.into(),
            // A number that no float holds is refused in the end.
            Self::Number(digits) => serde_json::from_str(&digits).unwrap_or_default(),
            Self::Text(text) => text.into(),
            Self::List(items) => items.into_iter().map(Self::into_value).collect(),
            Self::Object(entries) => {
                let entries = entries.into_iter();
                entries
                    .map(|(key, value)| (key, value.into_value()))
                    .collect()
            }
        }
    }

    /// The first characters of the value as JSON text.
    pub(super) fn excerpt(&self) -> String {
        let mut out = String::new();
        self.write(&mut out, 4 * EXCERPT);
        match out.char_indices().nth(EXCERPT) {
            Some((end, _)) => {
                out.truncate(end);
                out.push_str("..");
                out
            }
            None => out,
        }
    }

    pub(super) fn is_container(&self) -> bool {
        matches!(self, Self::List(_) | Self::Object(_))
    }

    /// Writes the value, but begins nothing more once the text has `most` bytes.
    fn write(&self, out: &mut String, most: usize) {
        if out.len() >= most {
            return;
        }
        match self {
            Self::Null => out.push_str("null"),
            Self::Bool(value) => out.push_str(if *value { "true" } else { "false" }),
            Self::Number(digits) => out.push_str(digits),
            Self::Text(text) => write_text(text, out, most),
            Self::List(items) => {
                out.push('[');
                for (at, item) in items.iter().enumerate() {
                    out.push_str(if at > 0 { ", " } else { "" });
                    item.write(out, most);
                    if out.len() >= most {
                        return;
                    }
                }
                out.push(']');
            }
            Self::Object(entries) => {
                out.push('{');
                for (at, (key, value)) in entries.iter().enumerate() {
                    out.push_str(if at > 0 { ", " } else { "" });
                    write_text(key, out, most);
                    out.push_str(": ");
                    value.write(out, most);
                    if out.len() >= most {
                        return;
                    }
                }
                out.push('}');
            }
        }
    }
}

/// Writes a string of JSON, or so much of it as is more than the text may have.
fn write_text(text: &str, out: &mut String, most: usize) {
    let cut = text.char_indices().nth(most);
    let end = cut.map_or(text.len(), |(end, _)| end);
    out.push_str(&Value::from(&text[..end]).to_string());
}

/// A text in which nothing is invisible.
pub(super) fn shown(text: &str) -> String {
    let seen = |c: char| c == ' ' || !(c.is_control() || c.is_whitespace() || c == '\u{feff}');
    let show = |c: char| match c {
        c if seen(c) => c.to_string(),
        c => c.escape_debug().to_string(),
    };
    text.chars().map(show).collect()
}

/// Adds a step to a JSON pointer (RFC 6901).
pub(super) fn push_step(path: &mut String, step: &str) {
    path.push_str(&pointer_step(step));
}
