//! Requests read back: the messages that a body of each format says. Only tests do that: they compare what was written
//! with what it was written from, and read what client crates have written again.

pub mod anthropic;
pub mod gemini;
pub mod ollama;
mod openai;
pub mod openai_chat;
pub mod openai_responses;

use prompt_core::message::{CachePoint, ImageSource};
use prompt_core::{Content, Message, Role};
use serde_json::{Map, Value};
use std::collections::{BTreeMap, VecDeque};
use std::fmt;

/// JSON that is not what the format prescribes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fault {
    /// JSON pointer to the place.
    pub path: String,
    /// What should stand there.
    pub expected: &'static str,
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "expected {} at `{}`", self.expected, self.path)
    }
}

impl std::error::Error for Fault {}

/// What a result says where the format has no field for a failure.
fn failure(content: String) -> (String, bool) {
    match content.strip_prefix("Error: ") {
        Some(text) => (text.to_owned(), true),
        None => (content, false),
    }
}

/// A place in foreign JSON. Reading what is not there is a [`Fault::Shape`] with the JSON pointer.
#[derive(Clone)]
pub(super) struct Cursor<'a> {
    pub(super) value: &'a Value,
    path: String,
}

impl<'a> Cursor<'a> {
    pub(super) fn new(value: &'a Value) -> Self {
        Self {
            value,
            path: String::new(),
        }
    }

    pub(super) fn expected(&self, expected: &'static str) -> Fault {
        Fault {
            path: self.path.clone(),
            expected,
        }
    }

    fn step(&self, step: &str, value: &'a Value) -> Self {
        Self {
            value,
            path: format!("{}/{step}", self.path),
        }
    }

    /// The value under a key, unless it is missing or null.
    pub(super) fn get(&self, key: &str) -> Option<Self> {
        let value = self.value.get(key).filter(|value| !value.is_null())?;
        Some(self.step(key, value))
    }

    /// The value under a key; its absence is an error.
    pub(super) fn need(&self, key: &str, expected: &'static str) -> Result<Self, Fault> {
        self.get(key)
            .ok_or_else(|| self.step(key, &Value::Null).expected(expected))
    }

    /// The string under a key.
    pub(super) fn text(&self, key: &str) -> Result<&'a str, Fault> {
        self.need(key, "a string")?.as_text()
    }

    /// The string under a key, if there is one.
    pub(super) fn text_if_any(&self, key: &str) -> Result<Option<&'a str>, Fault> {
        self.get(key).map(|cursor| cursor.as_text()).transpose()
    }

    pub(super) fn as_text(&self) -> Result<&'a str, Fault> {
        self.value.as_str().ok_or_else(|| self.expected("a string"))
    }

    pub(super) fn as_object(&self) -> Result<&'a Map<String, Value>, Fault> {
        self.value
            .as_object()
            .ok_or_else(|| self.expected("an object"))
    }

    /// The elements of a list.
    pub(super) fn items(&self) -> Result<impl Iterator<Item = Self> + use<'a>, Fault> {
        let list = self
            .value
            .as_array()
            .ok_or_else(|| self.expected("a list"))?;
        let here = self.clone();
        Ok(list
            .iter()
            .enumerate()
            .map(move |(index, value)| here.step(&index.to_string(), value)))
    }

    /// Reads arguments that travel as a string of JSON; what is none stays a string.
    pub(super) fn arguments_in_text(&self) -> Result<Value, Fault> {
        let text = self.as_text()?;
        Ok(match serde_json::from_str(text) {
            Ok(Value::Object(map)) => Value::Object(map),
            _ => Value::String(text.to_owned()),
        })
    }

    /// Reads arguments that travel as an object; nothing at all stands for none.
    pub(super) fn arguments(&self, key: &str) -> Result<Value, Fault> {
        match self.get(key) {
            None => Ok(Value::Object(Map::new())),
            Some(arguments) => arguments.as_object().map(|map| Value::Object(map.clone())),
        }
    }
}

/// Messages being gathered from a provider's JSON.
#[derive(Default)]
pub(super) struct Transcript {
    messages: Vec<Message>,
    /// Whether the next piece of the same role still belongs to the last message.
    open: bool,
}

impl Transcript {
    /// A new message of the provider begins.
    pub(super) fn begin(&mut self) {
        self.open = false;
    }

    pub(super) fn push(&mut self, role: Role, piece: Content) {
        match self.messages.last_mut() {
            Some(last) if self.open && last.role == role => last.content.push(piece),
            _ => self.messages.push(Message {
                role,
                content: vec![piece],
                cache: None,
            }),
        }
        self.open = true;
    }

    /// A cache point ends a message, so that the next request puts it at the same place.
    pub(super) fn mark(&mut self, point: Option<CachePoint>) {
        if let (Some(last), Some(point)) = (self.messages.last_mut(), point) {
            last.cache = Some(point);
            self.open = false;
        }
    }

    /// The messages, without an opening of ours.
    pub(super) fn finish(mut self) -> Vec<Message> {
        let first = self
            .messages
            .iter()
            .take_while(|message| message.role == Role::System)
            .count();
        if let Some([opening, next, ..]) = self.messages.get(first..)
            && *opening == Message::user("(continued)")
            && next.role == Role::Assistant
        {
            self.messages.remove(first);
        }
        self.messages
    }
}

/// An image given by its address, or by a `data:` address with its bytes. A plain address does not tell the media type.
pub(super) fn image_at(url: &str) -> Content {
    let inline = url
        .strip_prefix("data:")
        .and_then(|rest| rest.split_once(";base64,"));
    match inline {
        Some((mime, data)) => Content::Image {
            mime: mime.to_owned(),
            source: ImageSource::Data(data.to_owned()),
        },
        None => Content::Image {
            mime: ANY_IMAGE.to_owned(),
            source: ImageSource::Url(url.to_owned()),
        },
    }
}

/// The media type of an image whose format a provider does not tell.
pub(super) const ANY_IMAGE: &str = "image/*";

/// Ids for the calls of formats that match results by name: calls are numbered as they come, and a result belongs to the
/// oldest open call of its name.
#[derive(Default)]
pub(super) struct CallIds {
    calls: usize,
    /// Open calls by name, oldest first.
    open: BTreeMap<String, VecDeque<String>>,
}

impl CallIds {
    /// The id of the next call: its own, or `call_1`, `call_2`, ...
    pub(super) fn of_call(&mut self, name: &str, given: Option<&str>) -> String {
        self.calls += 1;
        let id = given.map_or_else(|| format!("call_{}", self.calls), str::to_owned);
        self.open
            .entry(name.to_owned())
            .or_default()
            .push_back(id.clone());
        id
    }

    /// The id of the call that a result answers. A result read without its call gets the id that the call would have
    /// had at its place.
    pub(super) fn of_result(&mut self, name: &str, given: Option<&str>) -> String {
        let open = self.open.entry(name.to_owned()).or_default();
        match given {
            Some(id) => {
                open.retain(|waiting| waiting != id);
                id.to_owned()
            }
            None => open.pop_front().unwrap_or_else(|| {
                self.calls += 1;
                format!("call_{}", self.calls)
            }),
        }
    }
}
