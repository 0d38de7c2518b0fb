//! `OpenAI`'s Chat Completions, `POST /v1/chat/completions`, which many other servers speak too.
//!
//! - Texts go before the tool calls of their message; the format cannot interleave them.
//! - [`is_error`](crate::tool::ToolResult::is_error) has no field here: the text of the result begins with `Error: `.
//! - Cache points are written only on demand, see [`Options::breakpoints`](crate::wire::Options::breakpoints).
//! - A streamed answer is asked to count its tokens (`stream_options`).
//! - Reasoning that a server shows beside the answer (`reasoning_content`, `reasoning`), calls of custom tools and parts
//!   that this library has no word for are [`Content::Native`], and go back as they came. A custom call is answered by a
//!   result with its id.
//!
//! Source: `OpenAI`'s API reference, "Chat Completions".
//!
//! ```
//! use prompt_core::Message;
//! use prompt_core::wire::openai_chat;
//!
//! let options = openai_chat::Options::new("gpt-5.6");
//! let body = openai_chat::request(&[Message::user("Hello")], &[], &options)?;
//! assert_eq!(body["messages"][0]["content"], "Hello");
//! # Ok::<(), prompt_core::wire::WireError>(())
//! ```

use super::answer;
use super::openai::{self, Cached, Caching, Schemas};
use super::options::{self, Own};
use super::reply::{Cursor, arguments_in_text, check_error};
use super::stream::{self, Assemble, Said};
use super::tools;
use super::turn::{Piece, Rules, Turn, lacks_opening, leading_system, result_text};
use super::{Reply, StopReason, SystemRole, Usage, WireError, describe};
use crate::message::{Content, Message, Role};
use crate::tool::{ToolResult, ToolSpec};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};
use std::collections::BTreeMap;

const FORMAT: &str = "openai_chat";

/// What a request says beside messages and tools.
pub type Options = options::Options<Chat>;

/// Reads a streamed reply: events are `chat.completion.chunk` objects. The last one that counts has a `finish_reason`;
/// one with the usage may follow.
pub type StreamReader = stream::StreamReader<Assembly>;

/// What only this format knows.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
#[non_exhaustive]
pub struct Chat {
    /// How requests use the cache.
    #[serde(flatten)]
    pub caching: Caching,
}

impl Own for Chat {}

impl Cached for Chat {
    fn caching(&mut self) -> &mut Caching {
        &mut self.caching
    }
}

impl Options {
    /// Options for a model; tools are called as the model likes.
    pub fn new(model: impl Into<String>) -> Self {
        Self::of(model)
    }
}

/// The body of a request.
///
/// # Errors
///
/// [`WireError`], naming the message that the format cannot express.
pub fn request(
    messages: &[Message],
    tools: &[ToolSpec],
    options: &Options,
) -> Result<Value, WireError> {
    if let Some((tools, options)) = answer::forced(tools, options, FORMAT)? {
        return request(messages, &tools, &options);
    }
    tools::check_names(tools)?;
    let rules = Rules::new(FORMAT, options);
    let caching = &options.own.caching;
    let (turns, explicit) = openai::marked(messages, &rules, caching, |_, piece| {
        matches!(
            piece,
            Content::Text { .. } | Content::Image { .. } | Content::ToolResult { .. }
        )
    })?;
    let system = match options.system_role {
        Some(SystemRole::Developer) => "developer",
        _ => "system",
    };
    let writer = Writer {
        rules,
        schemas: Schemas::of(tools),
        system,
        parts: explicit,
    };
    let mut body = Map::new();
    body.insert("model".into(), options.model.as_str().into());
    body.insert(
        "messages".into(),
        writer.messages(&turns, &options.opening)?.into(),
    );
    if !tools.is_empty() {
        body.insert("tools".into(), tools.iter().map(tool).collect());
        if let Some(choice) = &options.tool_choice {
            let one = |name: &str| json!({ "type": "function", "function": { "name": name } });
            body.insert("tool_choice".into(), openai::tool_choice(choice, one));
        }
    }
    if let Some(tokens) = options.max_tokens {
        body.insert("max_completion_tokens".into(), tokens.into());
    }
    if let Some(stream) = options.stream {
        body.insert("stream".into(), stream.into());
        if stream {
            body.insert("stream_options".into(), json!({ "include_usage": true }));
        }
    }
    openai::add_caching(&mut body, caching, explicit);
    answer::add(&mut body, options, FORMAT)?;
    options.add_extra(&mut body);
    Ok(Value::Object(body))
}

/// The messages that answer tool calls: one per result.
pub fn tool_results(results: &[ToolResult]) -> Vec<Value> {
    let answer = |result: &ToolResult| {
        let text = result_text(&result.content, result.is_error);
        json!({ "role": "tool", "tool_call_id": result.id, "content": text })
    };
    results.iter().map(answer).collect()
}

/// Reads a reply: its first choice.
///
/// # Errors
///
/// [`WireError::Api`] for an error body, [`WireError::Shape`] with the place of what is no reply.
pub fn reply(json: &Value) -> Result<Reply, WireError> {
    check_error(json)?;
    let root = Cursor::new(json);
    let choices = root.need("choices", "a list of choices")?;
    let choice = choices.items()?.next();
    let choice = choice.ok_or_else(|| choices.expected("a choice"))?;
    let message = choice.need("message", "a message")?;
    let pieces = read_message(&message)?;
    let refused = message.word("refusal").is_some_and(|text| !text.is_empty());
    let stop = match choice.word("finish_reason") {
        _ if refused => StopReason::Filtered,
        Some("stop") => StopReason::End,
        Some("tool_calls" | "function_call") => StopReason::ToolCalls,
        Some("length") => StopReason::Length,
        Some("content_filter") => StopReason::Filtered,
        Some(other) => StopReason::Other(other.to_owned()),
        None => StopReason::unknown(),
    };
    // DeepSeek counts cached tokens beside the others, OpenRouter also those that were written.
    let usage = Usage {
        input: root.count("/usage/prompt_tokens"),
        output: root.count("/usage/completion_tokens"),
        cache_read: root
            .count("/usage/prompt_tokens_details/cached_tokens")
            .max(root.count("/usage/prompt_cache_hit_tokens")),
        cache_write: root.count("/usage/prompt_tokens_details/cache_write_tokens"),
    };
    Reply::new(pieces, stop).about(&root, "id", "model", usage)
}

fn native(value: Value) -> Content {
    Content::Native {
        format: FORMAT.to_owned(),
        value,
    }
}

fn read_message(message: &Cursor<'_>) -> Result<Vec<Content>, WireError> {
    let mut pieces = Vec::new();
    for field in REASONING {
        if let Some(text) = message.word(field).filter(|text| !text.is_empty()) {
            pieces.push(native(json!({ field: text })));
        }
    }
    if let Some(content) = message.get("content") {
        match content.value.as_str() {
            Some(text) => pieces.push(Content::text(text)),
            None => {
                for part in content.items()? {
                    pieces.push(match part.word("text") {
                        Some(text) if part.word("type") == Some("text") => Content::text(text),
                        _ => native(part.value.clone()),
                    });
                }
            }
        }
    }
    pieces.extend(message.text_if_any("refusal")?.map(Content::text));
    for (at, call) in message.list("tool_calls")?.iter().enumerate() {
        pieces.push(read_call(call, at)?);
    }
    Ok(pieces)
}

/// Fields in which servers show the reasoning.
const REASONING: [&str; 2] = ["reasoning_content", "reasoning"];

/// Reads a call; one without an id is named by its place.
fn read_call(call: &Cursor<'_>, at: usize) -> Result<Content, WireError> {
    if call.word("type") == Some("custom") {
        return Ok(native(call.value.clone()));
    }
    let function = call.need("function", "the called function")?;
    let id = call.text_if_any("id")?.filter(|id| !id.is_empty());
    Ok(Content::ToolCall {
        id: id.map_or_else(|| format!("call_{}", at + 1), str::to_owned),
        name: function.text("name")?.to_owned(),
        arguments: match function.get("arguments") {
            Some(Cursor {
                value: Value::String(text),
                ..
            }) => arguments_in_text(text),
            given => super::reply::arguments(given.map(|given| given.value)),
        },
    })
}

fn tool(spec: &ToolSpec) -> Value {
    let mut function = json!({
        "name": spec.name(),
        "description": spec.description(),
        "parameters": spec.parameters(),
    });
    if spec.is_strict() {
        function["strict"] = true.into();
    }
    json!({ "type": "function", "function": function })
}

struct Writer<'a> {
    rules: Rules,
    schemas: Schemas<'a>,
    system: &'static str,
    /// Whether texts are written as parts even where a string would do: parts can carry breakpoints, and a message
    /// must not change its form when the breakpoint moves on.
    parts: bool,
}

impl Writer<'_> {
    fn messages(&self, turns: &[Turn<'_>], opening: &str) -> Result<Vec<Value>, WireError> {
        let mut messages = Vec::with_capacity(turns.len() + 1);
        for turn in turns {
            match turn.role {
                Role::System => messages.push(self.spoken(self.system, &turn.pieces)?),
                Role::User => messages.push(self.spoken("user", &turn.pieces)?),
                Role::Assistant => messages.push(self.assistant(turn)?),
                Role::Tool => {
                    messages.extend(turn.pieces.iter().filter_map(|piece| self.result(piece)));
                }
            }
        }
        if lacks_opening(turns, &self.rules) {
            let opening = json!({ "role": "user", "content": opening });
            messages.insert(leading_system(turns), opening);
        }
        Ok(messages)
    }

    fn spoken(&self, role: &str, pieces: &[Piece<'_>]) -> Result<Value, WireError> {
        let single = match pieces {
            [piece] if !self.parts => piece.content.as_text(),
            _ => None,
        };
        let content: Value = match single {
            Some(text) => text.into(),
            None => pieces
                .iter()
                .map(|piece| self.part(piece))
                .collect::<Result<_, _>>()?,
        };
        Ok(json!({ "role": role, "content": content }))
    }

    fn part(&self, piece: &Piece<'_>) -> Result<Value, WireError> {
        let mut part = match &*piece.content {
            Content::Text { text } => json!({ "type": "text", "text": text }),
            Content::Image { mime, source } => {
                let url = openai::image_url(mime, source);
                json!({ "type": "image_url", "image_url": { "url": url } })
            }
            Content::Native { format, value } if format == FORMAT => value.clone(),
            other => return Err(self.rules.unsupported(piece.message, describe(other))),
        };
        openai::mark(&mut part, piece.cache);
        Ok(part)
    }

    /// A message of the model: parts, then calls. A native piece is a call, a part, or fields of the message.
    fn assistant(&self, turn: &Turn<'_>) -> Result<Value, WireError> {
        let (mut said, mut calls, mut fields) = (Vec::new(), Vec::new(), Map::new());
        for piece in &turn.pieces {
            match &*piece.content {
                Content::ToolCall {
                    id,
                    name,
                    arguments,
                } => {
                    let arguments = self.schemas.arguments(name, arguments);
                    let function = json!({ "name": name, "arguments": arguments });
                    calls.push(json!({ "id": id, "type": "function", "function": function }));
                }
                Content::Native { format, value } if format == FORMAT => {
                    match (value.get("type").and_then(Value::as_str), value) {
                        (Some("custom"), call) => calls.push(call.clone()),
                        (None, Value::Object(map)) => fields.extend(map.clone()),
                        _ => said.push(piece.clone()),
                    }
                }
                _ => said.push(piece.clone()),
            }
        }
        let mut message = self.spoken("assistant", &said)?;
        if let Some(map) = message.as_object_mut() {
            if said.is_empty() {
                let nothing = if calls.is_empty() {
                    "".into()
                } else {
                    Value::Null
                };
                map.insert("content".into(), nothing);
            }
            if !calls.is_empty() {
                map.insert("tool_calls".into(), calls.into());
            }
            map.extend(fields);
        }
        Ok(message)
    }

    fn result(&self, piece: &Piece<'_>) -> Option<Value> {
        let Content::ToolResult {
            id,
            content,
            is_error,
        } = &*piece.content
        else {
            return None;
        };
        let text = result_text(content, *is_error);
        let content = if self.parts {
            let mut part = json!({ "type": "text", "text": text });
            openai::mark(&mut part, piece.cache);
            json!([part])
        } else {
            json!(text)
        };
        Some(json!({ "role": "tool", "tool_call_id": id, "content": content }))
    }
}

/// The answer so far.
#[doc(hidden)]
#[derive(Default)]
pub struct Assembly {
    about: Map<String, Value>,
    finish: Option<String>,
    text: String,
    refusal: String,
    reasoning: BTreeMap<&'static str, String>,
    calls: Vec<Call>,
    /// Call by the number that the server gives it.
    numbers: BTreeMap<u64, usize>,
}

/// A call being gathered.
struct Call {
    /// Its place among the calls, as the server counts them.
    number: u64,
    id: String,
    custom: bool,
    name: String,
    arguments: String,
    /// Its index among the deltas, once its name is known.
    index: Option<usize>,
}

impl Assemble for Assembly {
    fn event(&mut self, event: &Value, said: &mut Said) -> Result<(), WireError> {
        let root = Cursor::new(event);
        let choices = root.need("choices", "a list of choices")?;
        for key in ["id", "model", "usage"] {
            if let Some(value) = root.get(key) {
                self.about.insert(key.to_owned(), value.value.clone());
            }
        }
        let is_first = |choice: &Cursor<'_>| choice.count("/index") == 0;
        let Some(choice) = choices.items()?.find(is_first) else {
            return Ok(());
        };
        if let Some(reason) = choice.word("finish_reason") {
            self.finish = Some(reason.to_owned());
        }
        let Some(delta) = choice.get("delta") else {
            return Ok(());
        };
        for field in REASONING {
            if let Some(text) = delta.word(field).filter(|text| !text.is_empty()) {
                self.reasoning.entry(field).or_default().push_str(text);
                said.thinking(text);
            }
        }
        for (slot, key) in [(&mut self.text, "content"), (&mut self.refusal, "refusal")] {
            if let Some(text) = delta.text_if_any(key)? {
                slot.push_str(text);
                said.text(text);
            }
        }
        let calls = delta.list("tool_calls")?;
        calls.iter().try_for_each(|call| self.call(call, said))
    }

    fn reply(&mut self) -> Option<Result<Reply, WireError>> {
        let finish = self.finish.take()?;
        let mut message = Map::new();
        message.insert("content".into(), std::mem::take(&mut self.text).into());
        message.insert("refusal".into(), std::mem::take(&mut self.refusal).into());
        for (field, text) in std::mem::take(&mut self.reasoning) {
            message.insert(field.to_owned(), text.into());
        }
        let mut calls = std::mem::take(&mut self.calls);
        calls.sort_by_key(|call| call.number);
        message.insert(
            "tool_calls".into(),
            calls.into_iter().map(Call::whole).collect(),
        );
        let mut whole = std::mem::take(&mut self.about);
        let choice = json!({ "message": message, "finish_reason": finish });
        whole.insert("choices".into(), json!([choice]));
        Some(reply(&Value::Object(whole)))
    }
}

impl Assembly {
    /// Adds a piece of a call. Some servers give no numbers, some give all calls the same: a new id is a new call.
    fn call(&mut self, piece: &Cursor<'_>, said: &mut Said) -> Result<(), WireError> {
        let id = piece.text_if_any("id")?.unwrap_or_default();
        let number = match piece.get("index") {
            Some(_) => piece.count("/index"),
            None if id.is_empty() => (self.calls.len() as u64).saturating_sub(1),
            None => self.calls.len() as u64,
        };
        let known = self.numbers.get(&number).copied();
        let known = known.filter(|&at| {
            let known = self.calls.get(at).map_or("", |call| call.id.as_str());
            id.is_empty() || known.is_empty() || known == id
        });
        let at = known.unwrap_or(self.calls.len());
        if known.is_none() {
            self.numbers.insert(number, at);
            self.calls.push(Call {
                number,
                id: String::new(),
                custom: piece.word("type") == Some("custom") || piece.get("custom").is_some(),
                name: String::new(),
                arguments: String::new(),
                index: None,
            });
        }
        if let Some(call) = self.calls.get_mut(at) {
            call.add(id, piece, said);
        }
        Ok(())
    }
}

impl Call {
    fn add(&mut self, id: &str, piece: &Cursor<'_>, said: &mut Said) {
        let (key, field) = if self.custom {
            ("custom", "input")
        } else {
            ("function", "arguments")
        };
        let called = piece.get(key);
        let word = |field| called.as_ref().and_then(|called| called.word(field));
        if self.id.is_empty() {
            id.clone_into(&mut self.id);
        }
        if let Some(name) = word("name").filter(|_| self.name.is_empty()) {
            name.clone_into(&mut self.name);
        }
        let arguments = word(field).unwrap_or_default();
        self.arguments.push_str(arguments);
        match self.index {
            Some(index) => said.arguments(index, arguments),
            None if !self.name.is_empty() => {
                let index = said.call(&self.id, &self.name);
                said.arguments(index, &self.arguments);
                self.index = Some(index);
            }
            None => {}
        }
    }

    fn whole(self) -> Value {
        let Self {
            id,
            name,
            arguments,
            ..
        } = self;
        if self.custom {
            json!({ "id": id, "type": "custom", "custom": { "name": name, "input": arguments } })
        } else {
            json!({ "id": id, "type": "function", "function": { "name": name, "arguments": arguments } })
        }
    }
}
