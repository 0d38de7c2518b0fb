//! A reply that comes piece by piece. Each format puts its events together to the JSON of the whole answer, and that is
//! read in the one way that whole answers are read: so both give the same [`Reply`].

use super::reply::check_error;
use super::{Reply, WireError};
use serde_json::Value;
use std::fmt;

/// What an event adds to the answer.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Delta {
    /// The next piece of the text.
    Text(String),
    /// The next piece of the thinking that the model shows.
    Thinking(String),
    /// A call of a tool has begun.
    Call {
        /// The call's number in the order in which calls begin, from 0.
        index: usize,
        /// Identifies the call; empty where the provider gives calls no ids.
        id: String,
        /// The tool.
        name: String,
    },
    /// The next piece of a call's arguments, as the model writes them: no JSON before the last.
    /// [`StreamReader::arguments`] has all pieces so far.
    Arguments {
        /// The call's number, as it began.
        index: usize,
        /// The piece.
        text: String,
    },
}

/// What one event has added, and the arguments of all calls so far.
#[derive(Default)]
pub struct Said {
    deltas: Vec<Delta>,
    arguments: Vec<String>,
}

impl Said {
    pub(super) fn text(&mut self, text: &str) {
        if !text.is_empty() {
            self.deltas.push(Delta::Text(text.to_owned()));
        }
    }

    pub(super) fn thinking(&mut self, text: &str) {
        if !text.is_empty() {
            self.deltas.push(Delta::Thinking(text.to_owned()));
        }
    }

    /// A call begins; gives its index.
    pub(super) fn call(&mut self, id: &str, name: &str) -> usize {
        let index = self.arguments.len();
        self.arguments.push(String::new());
        self.deltas.push(Delta::Call {
            index,
            id: id.to_owned(),
            name: name.to_owned(),
        });
        index
    }

    pub(super) fn arguments(&mut self, index: usize, piece: &str) {
        if let Some(so_far) = self.arguments.get_mut(index).filter(|_| !piece.is_empty()) {
            so_far.push_str(piece);
            let text = piece.to_owned();
            self.deltas.push(Delta::Arguments { index, text });
        }
    }
}

/// How a format puts the events of a stream together.
#[doc(hidden)]
pub trait Assemble: Send + Sync {
    /// Takes an event; an error body is none.
    fn event(&mut self, event: &Value, said: &mut Said) -> Result<(), WireError>;

    /// The answer, once the last event has come.
    fn reply(&mut self) -> Option<Result<Reply, WireError>>;
}

impl Assemble for Box<dyn Assemble> {
    fn event(&mut self, event: &Value, said: &mut Said) -> Result<(), WireError> {
        (**self).event(event, said)
    }

    fn reply(&mut self) -> Option<Result<Reply, WireError>> {
        (**self).reply()
    }
}

/// Reads a reply that comes piece by piece, in the format that [`Format::stream`](super::Format::stream) was asked of.
pub type AnyStreamReader = StreamReader<Box<dyn Assemble>>;

/// Reads a reply that comes piece by piece: it is given the events as they come and gives back what each adds, and the
/// whole [`Reply`] at the end. It does no I/O.
///
/// `A` is the format: each of them has its `StreamReader`.
///
/// ```
/// # #[cfg(feature = "ollama")] {
/// use prompt_core::wire::{Delta, ollama};
/// use serde_json::json;
///
/// let mut reader = ollama::StreamReader::new();
/// let deltas = reader.push(&json!({ "message": { "role": "assistant", "content": "Two" }, "done": false }))?;
/// assert_eq!(deltas, [Delta::Text("Two".into())]);
/// reader.push_line(r#"{"message":{"role":"assistant","content":" fathoms."},"done":true,"done_reason":"stop"}"#)?;
/// assert_eq!(reader.finish()?.message.text(), "Two fathoms.");
/// # }
/// # Ok::<(), prompt_core::wire::WireError>(())
/// ```
#[derive(Default)]
pub struct StreamReader<A> {
    assembly: A,
    said: Said,
}

impl<A: Assemble + Default> StreamReader<A> {
    /// A reader that has seen no event.
    pub fn new() -> Self {
        Self::default()
    }
}

impl<A: Assemble> StreamReader<A> {
    pub(super) fn over(assembly: A) -> Self {
        Self {
            assembly,
            said: Said::default(),
        }
    }

    /// Takes the next event, as JSON, and gives back what it adds. Events that this library has no word for add
    /// nothing.
    ///
    /// # Errors
    ///
    /// [`WireError::Api`] if the event is an error, [`WireError::Shape`] if it is not what the format prescribes.
    pub fn push(&mut self, event: &Value) -> Result<Vec<Delta>, WireError> {
        check_error(event)?;
        self.assembly.event(event, &mut self.said)?;
        Ok(std::mem::take(&mut self.said.deltas))
    }

    /// Takes the next line of the body, with or without its line break: a `data:` line of server-sent events, or a line
    /// that is JSON itself. Other lines (`event:`, comments, empty ones) and the mark `[DONE]` add nothing. An event
    /// must stand on one line, as all providers send it.
    ///
    /// # Errors
    ///
    /// Those of [`push`](Self::push); [`WireError::Shape`] for data that is no JSON.
    pub fn push_line(&mut self, line: &str) -> Result<Vec<Delta>, WireError> {
        let line = line.trim();
        let data = match line.strip_prefix("data:") {
            Some(data) => data.trim_start(),
            None if line.starts_with('{') => line,
            None => return Ok(Vec::new()),
        };
        if data.is_empty() || data == "[DONE]" {
            return Ok(Vec::new());
        }
        let event: Value = serde_json::from_str(data).map_err(|_| WireError::Shape {
            message: 0,
            path: String::new(),
            expected: "an event in JSON",
        })?;
        self.push(&event)
    }

    /// The arguments of the call with this [`Delta::Call`] index, as far as they have come.
    pub fn arguments(&self, index: usize) -> Option<&str> {
        self.said.arguments.get(index).map(String::as_str)
    }

    /// The reply, the same as the whole answer would have given.
    ///
    /// # Errors
    ///
    /// [`WireError::Unfinished`] before the last event, and those of the format's `reply`.
    pub fn finish(mut self) -> Result<Reply, WireError> {
        self.assembly.reply().unwrap_or(Err(WireError::Unfinished))
    }
}

impl<A> fmt::Debug for StreamReader<A> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("StreamReader")
            .field("arguments", &self.said.arguments)
            .finish_non_exhaustive()
    }
}

/// Appends to the string at a place, which is made where it is missing.
#[cfg(any(feature = "anthropic", feature = "gemini"))]
pub(super) fn append(slot: &mut Value, text: &str) {
    match slot {
        Value::String(so_far) => so_far.push_str(text),
        slot => *slot = text.into(),
    }
}
