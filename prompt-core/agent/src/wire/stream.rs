//! A reply that comes piece by piece. Each format puts its events together to the JSON of the whole answer, and that is
//! read in the one way that whole answers are read: so both give the same [`Reply`].

use super::halves::Halves;
use super::lines::{Lines, PlainJson};
use super::reply::{api_error, check_error};
use super::response::Head;
use super::{Reply, WireError};
use prompt_core::message::{Content, Message};
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

impl Said {
    /// All that a whole answer says.
    fn message(&mut self, message: &Message) {
        for piece in &message.content {
            match piece {
                Content::Text { text } => self.text(text),
                Content::Thought { text } => self.thinking(text),
                Content::ToolCall {
                    id,
                    name,
                    arguments,
                } => {
                    let index = self.call(id, name);
                    let written = arguments.as_str().map(str::to_owned);
                    self.arguments(index, &written.unwrap_or_else(|| arguments.to_string()));
                }
                Content::Native { value, .. } => {
                    thoughts(value).for_each(|text| self.thinking(text));
                }
                _ => {}
            }
        }
    }
}

/// Fields in which servers of `OpenAI`'s Chat Completions show the reasoning.
const REASONING: [&str; 2] = ["reasoning_content", "reasoning"];

/// The reasoning in the fields of a message or delta. Some servers say it in both: it is one.
pub(super) fn reasoning(value: &Value) -> Option<&str> {
    REASONING.iter().find_map(|key| value.get(key)?.as_str())
}

/// The reasoning that a native piece shows: in fields of a message, or in an item of its own.
fn thoughts(value: &Value) -> impl Iterator<Item = &str> {
    let fields = reasoning(value).into_iter();
    let is_item = value["type"] == "reasoning";
    let lists = ["content", "summary"].iter().filter(move |_| is_item);
    let parts = lists.filter_map(|key| value.get(key)?.as_array()).flatten();
    fields.chain(parts.filter_map(|part| part.get("text")?.as_str()))
}

/// How a format puts the events of a stream together.
#[doc(hidden)]
pub trait Assemble: Send + Sync {
    /// Takes an event; an error body is none.
    fn event(&mut self, event: &Value, said: &mut Said) -> Result<(), WireError>;

    /// Whether the last event has come.
    fn is_done(&self) -> bool;

    /// Whether nothing that comes behind counts.
    fn is_closed(&self) -> bool {
        self.is_done()
    }

    /// The answer, once it is whole.
    fn reply(&mut self) -> Option<Result<Reply, WireError>>;

    /// Whether nothing is said behind this event.
    fn is_last(&self, event: &Value) -> bool;

    /// Whether this is no event but a whole answer, and the first that comes: servers send it that do not stream.
    fn is_whole(&self, event: &Value) -> bool;

    /// Reads a whole answer.
    fn read(&self, whole: &Value) -> Result<Reply, WireError>;
}

/// Reads a reply that comes piece by piece: it is given the events as they come and gives back what each adds, and the
/// whole [`Reply`] at the end. It does no I/O.
///
/// `A` is the format: each of them has its `StreamReader`. Without it, it is that of the
/// [`Provider`](super::Provider::stream).
///
/// ```
/// # #[cfg(feature = "ollama")] {
/// use prompt_agent::wire::{Delta, ollama};
/// use serde_json::json;
///
/// let mut reader = ollama::StreamReader::new();
/// let deltas = reader.push(&json!({ "message": { "role": "assistant", "content": "Two" }, "done": false }))?;
/// assert_eq!(deltas, [Delta::Text("Two".into())]);
/// reader.push_line(r#"{"message":{"role":"assistant","content":" fathoms."},"done":true,"done_reason":"stop"}"#)?;
/// assert_eq!(reader.finish()?.message.text(), "Two fathoms.");
/// # }
/// # Ok::<(), prompt_agent::wire::WireError>(())
/// ```
pub struct StreamReader<A: ?Sized = dyn Assemble> {
    assembly: Box<A>,
    said: Said,
    head: Head,
    lines: Lines,
    /// The data of an event whose JSON goes on in the next line.
    data: String,
    body: PlainJson,
    halves: Halves,
    /// How many events have come, and the first if it was no server-sent one.
    events: usize,
    first: Option<Value>,
    /// The reply, where it came whole.
    whole: Option<Reply>,
    /// What ended the stream.
    fault: Option<WireError>,
    /// Whether the mark of the end has come.
    ended: bool,
}

impl<A: Assemble + Default> StreamReader<A> {
    /// A reader that has seen no event.
    pub fn new() -> Self {
        Self::over(Box::default())
    }
}

impl<A: Assemble + Default> Default for StreamReader<A> {
    fn default() -> Self {
        Self::new()
    }
}

impl<A: Assemble + ?Sized> StreamReader<A> {
    pub(super) fn over(assembly: Box<A>) -> Self {
        Self {
            assembly,
            said: Said::default(),
            head: Head::default(),
            lines: Lines::default(),
            data: String::new(),
            body: PlainJson::default(),
            halves: Halves::default(),
            events: 0,
            first: None,
            whole: None,
            fault: None,
            ended: false,
        }
    }

    /// Says which response the bytes are of: its HTTP status, and its headers as pairs of names and values, such as
    /// `response.headers()` of `reqwest` or `ureq`. An error then says whether and when to try again; with a status that
    /// is none of success nothing that comes is an answer.
    ///
    /// ```
    /// # #[cfg(feature = "ollama")] {
    /// use prompt_agent::wire::Provider;
    ///
    /// // let mut response = client.post(url).json(&body).send().await?;
    /// // provider.stream().response(response.status().as_u16(), response.headers())
    /// let mut reader = Provider::Ollama.stream().response(502, [("Server", "nginx")]);
    /// // while let Some(bytes) = response.chunk().await? {
    /// reader.push_bytes(b"<html>Bad Gateway</html>")?;
    /// let error = reader.finish().unwrap_err();
    /// assert_eq!(error.to_string(), "what came with the status 502 is no reply: `<html>Bad Gateway</html>`");
    /// assert!(error.is_transient());
    /// # }
    /// # Ok::<(), prompt_agent::wire::WireError>(())
    /// ```
    #[must_use]
    pub fn response<K: AsRef<str>, V: AsRef<[u8]>>(
        mut self,
        status: u16,
        headers: impl IntoIterator<Item = (K, V)>,
    ) -> Self {
        self.head = Head::of(status, headers);
        self
    }

    /// Takes the next event, as JSON, and gives back what it adds. Events that this library has no word for, and those
    /// after the last one, add nothing. A whole answer, from a server that does not stream, is one event.
    ///
    /// # Errors
    ///
    /// [`WireError::Api`] if the event is an error, [`WireError::Shape`] if it is not what the format prescribes. It ends
    /// the stream; [`finish`](Self::finish) says it again.
    pub fn push(&mut self, event: &Value) -> Result<Vec<Delta>, WireError> {
        self.take(event);
        self.given()
    }

    /// Takes what comes from a socket, cut anywhere: server-sent events, lines of JSON, or a whole answer.
    ///
    /// The rules are those of the [specification](https://html.spec.whatwg.org/multipage/server-sent-events.html): a
    /// byte order mark in front, lines that end in LF, CR or CRLF, comments, events over several `data:` lines. An event
    /// whose JSON is complete counts at once, and does not wait for the empty line behind it.
    ///
    /// # Errors
    ///
    /// Those of [`push_line`](Self::push_line). What stands in front of the error is given first: the error comes with the
    /// next call.
    pub fn push_bytes(&mut self, bytes: &[u8]) -> Result<Vec<Delta>, WireError> {
        for line in self.lines.push(bytes) {
            self.line(&line);
        }
        if self.body.closes_with(self.lines.so_far()) {
            let line = self.lines.end();
            self.line(&line);
        }
        self.given()
    }

    /// Takes the next line of the body, with or without its line break: a `data:` line of server-sent events, or a line
    /// of JSON, which may go on in the next. Other lines (`event:`, comments) add nothing, and so does the mark `[DONE]`:
    /// nothing that follows counts.
    ///
    /// # Errors
    ///
    /// Those of [`push`](Self::push); [`WireError::NoReply`] for data that is no JSON.
    pub fn push_line(&mut self, line: &str) -> Result<Vec<Delta>, WireError> {
        self.line(line);
        self.given()
    }

    /// What was added since the last call; the fault, once nothing stands in front of it.
    fn given(&mut self) -> Result<Vec<Delta>, WireError> {
        let deltas = std::mem::take(&mut self.said.deltas);
        match &self.fault {
            Some(fault) if deltas.is_empty() => Err(fault.clone()),
            _ => Ok(deltas),
        }
    }

    fn line(&mut self, line: &str) {
        let line = self.lines.bare(line);
        if self.is_closed() {
            return;
        }
        let (field, value) = line.split_once(':').unwrap_or((line, ""));
        match field {
            "data" => self.data(value.strip_prefix(' ').unwrap_or(value)),
            _ if self.body.goes_on() => self.body(line),
            "" if line.is_empty() => self.end_event(),
            "" | "event" | "id" | "retry" => {}
            _ => self.body(line),
        }
    }

    /// Takes the data of a line. JSON that ends too early goes on in the next one.
    fn data(&mut self, data: &str) {
        if !self.data.is_empty() {
            self.data.extend(["\n", data]);
            return;
        }
        let ended = data.trim() == "[DONE]";
        if ended {
            self.end_halves();
            self.ended = true;
        }
        if ended || data.trim().is_empty() {
            return;
        }
        match self.halves.read(data, |event| self.assembly.is_last(event)) {
            Ok(events) => events.iter().for_each(|event| self.take(event)),
            Err(fault) if fault.is_eof() => data.clone_into(&mut self.data),
            Err(_) => self.fail(WireError::no_reply(data)),
        }
    }

    /// An empty line ends an event.
    fn end_event(&mut self) {
        let data = std::mem::take(&mut self.data);
        if data.is_empty() {
            return;
        }
        match self
            .halves
            .read(&data, |event| self.assembly.is_last(event))
        {
            Ok(events) => events.iter().for_each(|event| self.take(event)),
            Err(_) => self.fail(WireError::no_reply(&data)),
        }
    }

    /// Takes the event that is held for the next one, which does not come.
    fn end_halves(&mut self) {
        if let Some(event) = self.halves.end() {
            self.take(&event);
        }
    }

    /// Takes a line that is no part of a server-sent event.
    fn body(&mut self, line: &str) {
        let is_last = |event: &Value| self.assembly.is_last(event);
        for value in self.body.line(line, &mut self.halves, is_last) {
            self.take(&value);
            self.first = Some(value).filter(|_| self.events == 1);
        }
    }

    fn take(&mut self, event: &Value) {
        if self.is_closed() {
            return;
        }
        self.events += 1;
        if let Err(fault) = self.event(event) {
            self.fail(fault);
        }
    }

    fn event(&mut self, event: &Value) -> Result<(), WireError> {
        check_error(event)?;
        if self.head.refuses() {
            return Err(api_error(event));
        }
        // Gemini sends its events so where the address does not ask for server-sent ones.
        if let Some(list) = event.as_array() {
            return list.iter().try_for_each(|event| self.event(event));
        }
        if !self.assembly.is_whole(event) {
            return self.assembly.event(event, &mut self.said);
        }
        let reply = self.assembly.read(event)?;
        self.said.message(&reply.message);
        self.whole = Some(reply);
        Ok(())
    }

    fn fail(&mut self, fault: WireError) {
        self.fault = Some(self.head.complete(fault));
    }

    /// Whether the answer is whole. Some servers of Gemini say so with every event: what comes behind is read all the same.
    pub fn is_done(&self) -> bool {
        self.is_closed() || self.assembly.is_done()
    }

    /// Whether nothing that comes now counts.
    fn is_closed(&self) -> bool {
        self.ended || self.whole.is_some() || self.fault.is_some() || self.assembly.is_closed()
    }

    /// The arguments of the call with this [`Delta::Call`] index, as far as they have come.
    pub fn arguments(&self, index: usize) -> Option<&str> {
        self.said.arguments.get(index).map(String::as_str)
    }

    /// The reply, the same as the whole answer would have given.
    ///
    /// # Errors
    ///
    /// The one that has ended the stream; [`WireError::Unfinished`] before the last event, [`WireError::NoReply`] where
    /// something else came than events, and those of the format's `reply`.
    pub fn finish(mut self) -> Result<Reply, WireError> {
        if self.fault.is_none() {
            // The last line may lack its end. If it is cut, so is the answer.
            let rest = self.lines.end();
            self.line(&rest);
            self.end_event();
            self.end_halves();
            let is_cut = matches!(self.fault, Some(WireError::NoReply { .. }));
            self.fault = self.fault.take().filter(|_| !is_cut);
        }
        if let Some(fault) = self.fault {
            return Err(fault);
        }
        if let Some(whole) = self.whole {
            return Ok(whole);
        }
        let reply = self.assembly.reply().unwrap_or_else(|| Err(self.missing()));
        reply.map_err(|error| self.head.complete(error))
    }

    /// Why there is no reply. JSON that is all of the body and no event says why it is no answer either.
    fn missing(&self) -> WireError {
        if self.head.refuses() || !self.body.breaks_off() {
            return WireError::no_reply(self.body.rest());
        }
        let odd = self.first.as_ref().filter(|_| self.events == 1);
        let fault = odd.and_then(|body| self.assembly.read(body).err());
        fault.unwrap_or(WireError::Unfinished)
    }
}

impl<A: ?Sized> fmt::Debug for StreamReader<A> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("StreamReader")
            .field("arguments", &self.said.arguments)
            .finish_non_exhaustive()
    }
}

/// Fields whose value a later event repeats or replaces; other texts go on in it.
const WHOLE: [&str; 8] = [
    "id", "type", "role", "name", "format", "model", "status", "mimeType",
];

/// Adds what an event brings to the same place of the whole: texts are appended, objects joined, and elements of lists
/// with an `index` joined with those of the same.
pub(super) fn grow(whole: &mut Value, piece: &Value) {
    match (whole, piece) {
        (_, Value::Null) => {}
        (Value::String(so_far), Value::String(more)) => so_far.push_str(more),
        (Value::Object(whole), Value::Object(piece)) => {
            for (key, more) in piece {
                match whole.get_mut(key) {
                    Some(so_far) if !WHOLE.contains(&key.as_str()) => grow(so_far, more),
                    Some(_) if more.is_null() => {}
                    _ => {
                        whole.insert(key.clone(), more.clone());
                    }
                }
            }
        }
        (Value::Array(whole), Value::Array(piece)) => {
            for more in piece {
                let index = more.get("index").filter(|index| !index.is_null());
                let same = |known: &&mut Value| index.is_some() && known.get("index") == index;
                match whole.iter_mut().rev().find(same) {
                    Some(known) => grow(known, more),
                    None => whole.push(more.clone()),
                }
            }
        }
        (whole, piece) => *whole = piece.clone(),
    }
}
