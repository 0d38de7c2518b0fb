//! An answer being gathered from the chunks of its stream.

use super::LiveError;
use prompt_core::Message;
use prompt_core::Role;
use prompt_core::wire::openai_chat;
use serde_json::{Value, json};
use std::collections::BTreeMap;

/// The pieces that have come so far.
#[derive(Default)]
pub(super) struct Reply {
    text: String,
    /// Calls by the index the server gives them; servers interleave their pieces.
    calls: BTreeMap<u64, Call>,
    /// Whether anything has come that is a chunk of an answer.
    begun: bool,
    /// Whether the server said why it stopped.
    finished: bool,
}

#[derive(Default)]
struct Call {
    id: String,
    name: String,
    arguments: String,
}

impl Reply {
    pub(super) fn text(&self) -> &str {
        &self.text
    }

    /// Adds a chunk, and gives the text that is new.
    pub(super) fn add<'a>(&mut self, chunk: &'a Value) -> Result<Option<&'a str>, LiveError> {
        if let Some(error) = chunk.get("error").filter(|error| !error.is_null()) {
            let message = error
                .get("message")
                .and_then(Value::as_str)
                .map_or_else(|| error.to_string(), str::to_owned);
            return Err(LiveError::Refused(message));
        }
        let Some(choices) = chunk.get("choices").and_then(Value::as_array) else {
            return Err(LiveError::Malformed(format!(
                "a chunk without `choices`: `{chunk}`"
            )));
        };
        self.begun = true;
        // The last chunk may hold only the usage.
        let Some(choice) = choices.first() else {
            return Ok(None);
        };
        self.finished |= choice.get("finish_reason").is_some_and(Value::is_string);
        let delta = choice.get("delta");
        for call in delta
            .and_then(|delta| delta.get("tool_calls"))
            .and_then(Value::as_array)
            .into_iter()
            .flatten()
        {
            self.add_call(call);
        }
        let text = delta
            .and_then(|delta| delta.get("content"))
            .and_then(Value::as_str)
            .filter(|text| !text.is_empty());
        self.text.push_str(text.unwrap_or_default());
        Ok(text)
    }

    fn add_call(&mut self, piece: &Value) {
        let next = self.calls.len() as u64;
        let call = self
            .calls
            .entry(piece.get("index").and_then(Value::as_u64).unwrap_or(next))
            .or_default();
        let function = piece.get("function");
        let said =
            |value: Option<&Value>| value.and_then(Value::as_str).unwrap_or_default().to_owned();
        call.id.push_str(&said(piece.get("id")));
        call.name
            .push_str(&said(function.and_then(|function| function.get("name"))));
        call.arguments.push_str(&said(
            function.and_then(|function| function.get("arguments")),
        ));
    }

    /// The whole answer, read as any other message of the format.
    pub(super) fn finish(self) -> Result<Message, LiveError> {
        if !self.begun {
            return Err(LiveError::Malformed(
                "the reply holds no event of a stream".into(),
            ));
        }
        if !self.finished {
            let reason = "the stream ended without a reason to stop".into();
            return Err(LiveError::Cut {
                partial: self.text,
                reason,
            });
        }
        let mut message = json!({ "role": "assistant", "content": self.text });
        if !self.calls.is_empty() {
            message["tool_calls"] = self
                .calls
                .into_iter()
                .map(|(index, call)| call.finish(index))
                .collect();
        }
        let mut read = openai_chat::messages(&message).map_err(LiveError::Reply)?;
        Ok(read.pop().unwrap_or(Message {
            role: Role::Assistant,
            content: Vec::new(),
            cache: None,
        }))
    }
}

impl Call {
    /// A call the server gave no id gets one from its place.
    fn finish(self, index: u64) -> Value {
        let id = if self.id.is_empty() {
            format!("call_{}", index + 1)
        } else {
            self.id
        };
        json!({ "id": id, "type": "function", "function": { "name": self.name, "arguments": self.arguments } })
    }
}
