//! A reply, read whole: what the model said, why it stopped and what it cost; and the cursor into foreign JSON that all
//! formats read with.

use super::WireError;
use super::arguments::arguments;
use super::error::{LASTING, TRANSIENT, quoted, says};
use super::usage::Usage;
use prompt_core::message::{Content, Message, Role};
use prompt_core::tool::ToolCall;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};
use std::fmt;
use std::time::Duration;

/// What came back from a provider.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Reply {
    /// What the model said. Appended to the messages, it can be sent back to the same provider as it is.
    ///
    /// It has no content where the model said nothing.
    pub message: Message,
    /// Why the model stopped.
    pub stop: StopReason,
    /// What it cost, in tokens.
    #[serde(default)]
    pub usage: Usage,
    /// The provider's id of the reply, where it gives one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub id: Option<String>,
    /// The model that answered, as the provider names it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub model: Option<String>,
    /// The sequence at which the model was told to stop, where the provider says that it did.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub stop_sequence: Option<String>,
    /// Why the answer is [`StopReason::Filtered`], in the provider's word.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub refusal: Option<String>,
    /// The whole body; of a stream, its events put together. It is no part of what makes two replies equal.
    #[serde(default, skip_serializing_if = "Value::is_null")]
    pub raw: Value,
}

/// What the model said.
impl From<Reply> for Message {
    fn from(reply: Reply) -> Self {
        reply.message
    }
}

/// Equal replies say the same; their bodies may differ, as that of a stream does from that of a whole answer.
impl PartialEq for Reply {
    fn eq(&self, other: &Self) -> bool {
        let words =
            |of: &Self| [&of.id, &of.model, &of.stop_sequence, &of.refusal].map(Clone::clone);
        let counts = (&self.stop, self.usage) == (&other.stop, other.usage);
        counts && self.message == other.message && words(self) == words(other)
    }
}

impl Reply {
    /// A reply of the pieces that were read. Texts without a byte are left out unless something hangs on them, and an
    /// end after calls is a turn to answer them, whatever word the server has for it.
    ///
    /// What the provider says about it stands under the keys `id` and `model`.
    pub(super) fn new(
        root: &Cursor<'_>,
        [id, model]: [&str; 2],
        pieces: Vec<Content>,
        stop: StopReason,
        usage: Usage,
    ) -> Result<Self, WireError> {
        let mut content: Vec<Content> = Vec::with_capacity(pieces.len());
        for piece in pieces {
            let hangs = matches!(piece, Content::Signature { .. } | Content::Extra { .. });
            if !hangs {
                content.pop_if(|last| says_nothing(last));
            }
            content.push(piece);
        }
        content.pop_if(|last| says_nothing(last));
        let calls = content.iter().any(|piece| piece.call_id().is_some());
        Ok(Self {
            message: Message {
                role: Role::Assistant,
                content,
                cache: None,
            },
            stop: match stop {
                StopReason::End if calls => StopReason::ToolCalls,
                stop if calls && stop == StopReason::unknown() => StopReason::ToolCalls,
                stop => stop,
            },
            usage,
            id: root.text_if_any(id)?.map(str::to_owned),
            model: root.text_if_any(model)?.map(str::to_owned),
            stop_sequence: None,
            refusal: None,
            raw: root.value.clone(),
        })
    }

    /// The same reply with the provider's word for why it was refused, if it was.
    pub(super) fn refused_for(mut self, word: Option<&str>) -> Self {
        if self.stop == StopReason::Filtered {
            self.refusal = word.map(str::to_owned);
        }
        self
    }
}

/// A piece that only this format has a word for.
pub(super) fn native(format: &str, value: Value) -> Content {
    let format = format.to_owned();
    Content::Native { format, value }
}

/// Fields beside the piece before.
pub(super) fn extra(format: &str, value: Value) -> Content {
    let format = format.to_owned();
    Content::Extra { format, value }
}

/// What stands beside the known places of a piece, as a piece behind it; `None` where nothing does.
pub(super) fn beside(format: &str, piece: &Value, known: &[&str]) -> Option<Content> {
    Some(extra(format, rest(piece, known)?))
}

/// What an object says beside its known places; `None` where that is nothing. Null says nothing.
pub(super) fn rest(whole: &Value, known: &[&str]) -> Option<Value> {
    let mut rest = whole.clone();
    for place in known {
        take(&mut rest, place);
    }
    drop_null(&mut rest);
    (rest != json!({})).then_some(rest)
}

/// Takes a place out, and what is empty without it.
fn take(value: &mut Value, pointer: &str) {
    let Some((around, key)) = pointer.rsplit_once('/') else {
        return;
    };
    let map = value.pointer_mut(around).and_then(Value::as_object_mut);
    let is_last = map.is_some_and(|map| map.shift_remove(key).is_some() && map.is_empty());
    if is_last {
        take(value, around);
    }
}

/// An object that is written, without the fields that are null: those that there is nothing to say in.
pub(super) fn present(mut written: Value) -> Value {
    if let Value::Object(map) = &mut written {
        map.retain(|_, field| !field.is_null());
    }
    written
}

fn drop_null(value: &mut Value) {
    if let Value::Object(map) = value {
        map.values_mut().for_each(drop_null);
        map.retain(|_, inner| !inner.is_null());
    }
}

/// Whether a piece is a text or a thought without a byte.
pub(super) fn says_nothing(piece: &Content) -> bool {
    matches!(piece, Content::Text { text } | Content::Thought { text } if text.is_empty())
}

/// Why the model stopped.
///
/// In JSON and as text it is one word: `end`, `tool_calls`, `length`, `filtered`, `paused`, or the provider's own.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(into = "String", from = "String")]
#[non_exhaustive]
pub enum StopReason {
    /// It has said what it had to say.
    End,
    /// It waits for the results of its calls.
    ToolCalls,
    /// The limit of the answer, or of the model, was reached: the answer is cut off.
    Length,
    /// The provider or the model refused: the prompt or the answer was blocked, or filtered.
    Filtered,
    /// The provider interrupted a long turn: send the message back as it is, and the model goes on.
    Paused,
    /// Something else, in the provider's word; `unknown` where it said none.
    Other(String),
}

impl StopReason {
    /// A reason that was not given.
    pub(super) fn unknown() -> Self {
        Self::Other("unknown".to_owned())
    }

    /// The reason's word.
    pub fn as_str(&self) -> &str {
        match self {
            Self::End => "end",
            Self::ToolCalls => "tool_calls",
            Self::Length => "length",
            Self::Filtered => "filtered",
            Self::Paused => "paused",
            Self::Other(word) => word,
        }
    }
}

impl From<String> for StopReason {
    fn from(word: String) -> Self {
        let known = [
            Self::End,
            Self::ToolCalls,
            Self::Length,
            Self::Filtered,
            Self::Paused,
        ];
        let found = known.into_iter().find(|reason| reason.as_str() == word);
        found.unwrap_or(Self::Other(word))
    }
}

impl From<StopReason> for String {
    fn from(reason: StopReason) -> Self {
        reason.as_str().to_owned()
    }
}

impl fmt::Display for StopReason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.as_str())
    }
}

/// The error in a body, if it is one: `{"error": ..}`, the same in a list, or an error event of a stream.
pub(super) fn check_error(body: &Value) -> Result<(), WireError> {
    let root = body.get(0).unwrap_or(body);
    let is_event = ["type", "object"].iter().any(|key| root[*key] == "error");
    match root.get("error") {
        Some(error) if !error.is_null() => Err(api_error(error)),
        _ if is_event => Err(api_error(root)),
        _ => Ok(()),
    }
}

/// What a provider, or a gateway in front of it, says of its error.
pub(super) fn api_error(error: &Value) -> WireError {
    let text = |key: &str| error.get(key)?.as_str();
    let number = ["code", "status"].into_iter().find_map(|key| {
        let written = || text(key)?.parse().ok();
        error.get(key)?.as_i64().or_else(written)
    });
    let status = number.filter(|number| (100..600).contains(number));
    let is_status = |code: &&str| status.is_some_and(|status| status.to_string() == **code);
    // Of several words the one counts that says whether another try is worth it.
    let codes: Vec<&str> = ["code", "status", "type"]
        .into_iter()
        .filter_map(text)
        .filter(|code| !is_status(code))
        .collect();
    let telling = |words: &[&str]| codes.iter().find(|code| says(code, words));
    let code = telling(&LASTING)
        .or_else(|| telling(&TRANSIENT))
        .or(codes.first())
        .map(|code| (*code).to_owned());
    let other = number.filter(|_| status.is_none());
    // Ollama has no code: its words have to do.
    let said = error.as_str();
    let busy = said.filter(|said| says(said, &["server busy", "overloaded"]));
    let busy = busy.map(|_| "overloaded".to_owned());
    let mut words = ["message", "detail"].into_iter().filter_map(text);
    WireError::Api {
        status: status.and_then(|status| status.try_into().ok()),
        code: code.or_else(|| Some(other?.to_string())).or(busy),
        message: said
            .or_else(|| words.next())
            .map_or_else(|| quoted(&error.to_string()), str::to_owned),
        retry_after: retry_delay(error),
    }
}

/// The delay that Google names in the details of an error, such as `"34.5s"`.
fn retry_delay(error: &Value) -> Option<Duration> {
    let mut details = error.get("details")?.as_array()?.iter();
    let delay = details.find_map(|detail| detail.get("retryDelay")?.as_str())?;
    Duration::try_from_secs_f64(delay.strip_suffix('s')?.parse().ok()?).ok()
}

/// Of several answers to one request, the first.
pub(super) fn first<'a>(answers: impl IntoIterator<Item = Cursor<'a>>) -> Option<Cursor<'a>> {
    let mut answers = answers.into_iter();
    answers.find(|answer| answer.count("/index") == 0)
}

/// A place in foreign JSON. Reading what is not there is a [`WireError::Shape`] with the JSON pointer.
#[derive(Clone)]
pub(super) struct Cursor<'a> {
    pub(super) value: &'a Value,
    path: String,
    /// Index of the message being read.
    message: usize,
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

    /// The string under a key; anything else is as good as none.
    pub(super) fn word(&self, key: &str) -> Option<&'a str> {
        self.value.get(key)?.as_str()
    }

    /// The fields of an object that are not null, without those of these names.
    pub(super) fn fields(&self, without: &[&str]) -> impl Iterator<Item = (&'a String, &'a Value)> {
        let fields = self.value.as_object().into_iter().flatten();
        fields.filter(move |(key, value)| !value.is_null() && !without.contains(&key.as_str()))
    }

    /// Puts the fields that are not null into an object, without those of these names.
    pub(super) fn copy_into(&self, map: &mut Map<String, Value>, without: &[&str]) {
        let fields = self.fields(without);
        map.extend(fields.map(|(key, value)| (key.clone(), value.clone())));
    }

    /// The call `{ "id": .., "function": { "name": .., "arguments": .. } }`; one without an id is named by its place.
    pub(super) fn function_call(&self, at: usize) -> Result<ToolCall, WireError> {
        let function = self.need("function", "the called function")?;
        let id = self.text_if_any("id")?.filter(|id| !id.is_empty());
        let id = id.map_or_else(|| format!("call_{}", at + 1), str::to_owned);
        let arguments = arguments(function.value.get("arguments"));
        Ok(ToolCall::new(id, function.text("name")?, arguments))
    }

    /// The number at a pointer, 0 where there is none.
    pub(super) fn count(&self, pointer: &str) -> u64 {
        let value = self.value.pointer(pointer);
        value.and_then(Value::as_u64).unwrap_or_default()
    }

    /// The numbers at these pointers together.
    pub(super) fn sum(&self, pointers: &[&str]) -> u64 {
        let counts = pointers.iter().map(|pointer| self.count(pointer));
        counts.fold(0, u64::saturating_add)
    }

    pub(super) fn as_text(&self) -> Result<&'a str, WireError> {
        self.value.as_str().ok_or_else(|| self.expected("a string"))
    }

    /// The elements of a list.
    pub(super) fn items(&self) -> Result<impl Iterator<Item = Self> + use<'a>, WireError> {
        let list = self.value.as_array();
        let list = list.ok_or_else(|| self.expected("a list"))?;
        let here = self.clone();
        let items = list.iter().enumerate();
        Ok(items.map(move |(index, value)| here.step(&index.to_string(), value)))
    }

    /// The elements of a list under a key, none where it is missing.
    pub(super) fn list(&self, key: &str) -> Result<Vec<Self>, WireError> {
        match self.get(key) {
            Some(list) => Ok(list.items()?.collect()),
            None => Ok(Vec::new()),
        }
    }

    /// The elements of a list of messages: each knows its index.
    pub(super) fn messages(&self) -> Result<impl Iterator<Item = Self> + use<'a>, WireError> {
        Ok(self.items()?.enumerate().map(|(index, cursor)| Self {
            message: index,
            ..cursor
        }))
    }
}
