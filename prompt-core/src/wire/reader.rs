//! What all formats share on the way in: a cursor into foreign JSON that knows its place, and the messages being
//! gathered.

use super::WireError;
use crate::message::CachePoint;
use crate::message::Content;
use crate::message::Message;
use crate::message::Role;
use serde_json::{Map, Value};

/// A place in foreign JSON. Reading what is not there is a [`WireError::Shape`] with the JSON pointer.
#[derive(Clone)]
pub(super) struct Cursor<'a> {
    pub(super) value: &'a Value,
    path: String,
    /// Index of the message being read.
    pub(super) message: usize,
}

impl<'a> Cursor<'a> {
    pub(super) fn new(value: &'a Value) -> Self {
        Self {
            value,
            path: String::new(),
            message: 0,
        }
    }

    pub(super) fn expected(&self, expected: &'static str) -> WireError {
        WireError::Shape {
            message: self.message,
            path: self.path.clone(),
            expected,
        }
    }

    fn step(&self, step: &str, value: &'a Value) -> Self {
        Self {
            value,
            path: format!("{}/{step}", self.path),
            message: self.message,
        }
    }

    /// The value under a key, unless it is missing or null.
    pub(super) fn get(&self, key: &str) -> Option<Self> {
        let value = self.value.get(key).filter(|value| !value.is_null())?;
        Some(self.step(key, value))
    }

    /// The value under a key; its absence is an error.
    pub(super) fn need(&self, key: &str, expected: &'static str) -> Result<Self, WireError> {
        self.get(key)
            .ok_or_else(|| self.step(key, &Value::Null).expected(expected))
    }

    /// The string under a key.
    pub(super) fn text(&self, key: &str) -> Result<&'a str, WireError> {
        self.need(key, "a string")?.as_text()
    }

    /// The string under a key, if there is one.
    pub(super) fn text_if_any(&self, key: &str) -> Result<Option<&'a str>, WireError> {
        self.get(key).map(|cursor| cursor.as_text()).transpose()
    }

    pub(super) fn as_text(&self) -> Result<&'a str, WireError> {
        self.value.as_str().ok_or_else(|| self.expected("a string"))
    }

    pub(super) fn as_object(&self) -> Result<&'a Map<String, Value>, WireError> {
        self.value
            .as_object()
            .ok_or_else(|| self.expected("an object"))
    }

    /// The elements of a list.
    pub(super) fn items(&self) -> Result<impl Iterator<Item = Self> + use<'a>, WireError> {
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

    /// The elements of a list of messages: each knows its index.
    pub(super) fn messages(&self) -> Result<impl Iterator<Item = Self> + use<'a>, WireError> {
        Ok(self.items()?.enumerate().map(|(index, cursor)| Self {
            message: index,
            ..cursor
        }))
    }

    /// Reads arguments that travel as a string of JSON. The empty string is what some servers send for no arguments.
    pub(super) fn arguments_in_text(&self, id: &str) -> Result<Value, WireError> {
        let text = self.as_text()?;
        if text.trim().is_empty() {
            return Ok(Value::Object(Map::new()));
        }
        let refuse = |reason: String| WireError::Arguments {
            message: self.message,
            id: id.to_owned(),
            reason,
        };
        let value: Value = serde_json::from_str(text).map_err(|error| refuse(error.to_string()))?;
        if value.is_object() {
            Ok(value)
        } else {
            Err(refuse(format!("found `{text}`")))
        }
    }

    /// Reads arguments that travel as an object; nothing at all stands for none.
    pub(super) fn arguments(&self, key: &str) -> Result<Value, WireError> {
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
            && *opening == Message::user(super::OPENING)
            && next.role == Role::Assistant
        {
            self.messages.remove(first);
        }
        self.messages
    }
}

/// The tool calls in messages, in order.
pub(super) fn calls_in(messages: &[Message]) -> Vec<crate::tool::ToolCall> {
    messages.iter().flat_map(Message::tool_calls).collect()
}

/// An image given by its address, or by a `data:` address with its bytes. A plain address does not tell the media type.
pub(super) fn image_at(url: &str) -> Content {
    use crate::message::ImageSource;
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
