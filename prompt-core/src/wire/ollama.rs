//! Ollama, `POST /api/chat`.
//!
//! - A message is one string: several texts are joined by a blank line, images stand beside it in base64. Texts go
//!   before the tool calls of their message.
//! - Calls have no ids: results are matched by the name of the tool and by order. Calls read are `call_1`, `call_2`, ..
//!   unless the server gives ids; [`Options::call_ids`] writes them.
//! - [`is_error`](crate::tool::ToolResult::is_error) has no field here: the text of the result begins with `Error: `.
//! - The model cannot be made to call a tool; with [`ToolChoice::None`] the tools are left out.
//! - Arguments are objects only: a call whose arguments the model broke goes back with `{}`.
//! - Cache points are ignored: the server keeps the prefix by itself.
//!
//! Source: Ollama's API reference, "Generate a chat completion".
//!
//! ```
//! use prompt_core::Message;
//! use prompt_core::wire::ollama;
//!
//! let body = ollama::request(&[Message::user("Hello")], &[], &ollama::Options::new("qwen3"))?;
//! let expected = serde_json::json!({
//!     "model": "qwen3",
//!     "messages": [{ "role": "user", "content": "Hello" }],
//!     "stream": false,
//! });
//! assert_eq!(body, expected);
//! # Ok::<(), prompt_core::wire::WireError>(())
//! ```

use super::answer;
use super::options::{self, Own};
use super::reply::{Cursor, arguments, check_error};
use super::stream::{self, Assemble, Said};
use super::tools;
use super::turn::{
    Piece, Rules, Turn, conversation, lacks_opening, leading_system, object_arguments, result_text,
};
use super::{Reply, StopReason, ToolChoice, Usage, WireError, describe};
use crate::message::{Content, ImageSource, Message, Role};
use crate::tool::{ToolResult, ToolSpec};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};

const FORMAT: &str = "ollama";
/// The media type of an image whose format the server does not tell.
const ANY_IMAGE: &str = "image/*";

/// What a request says beside messages and tools. `stream` is always written, because the server streams when nothing
/// is said.
pub type Options = options::Options<Ollama>;

/// Reads a streamed reply: events are the objects of the body's lines. The last one is `done`.
pub type StreamReader = stream::StreamReader<Assembly>;

/// What only this format knows.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
#[non_exhaustive]
pub struct Ollama {
    /// Whether the ids of calls are written.
    pub call_ids: bool,
}

impl Own for Ollama {}

impl Options {
    /// Options for a model, without streaming.
    pub fn new(model: impl Into<String>) -> Self {
        Self::of(model)
    }

    /// Whether the ids of calls are written, for servers that give them.
    #[must_use]
    pub fn call_ids(mut self, call_ids: bool) -> Self {
        self.own.call_ids = call_ids;
        self
    }
}

/// The body of a request.
///
/// # Errors
///
/// [`WireError`], naming the message that the format cannot express; [`WireError::Setting`] for a tool that must be
/// called.
pub fn request(
    messages: &[Message],
    tools: &[ToolSpec],
    options: &Options,
) -> Result<Value, WireError> {
    if let Some((tools, options)) = answer::forced(tools, options, FORMAT)? {
        return request(messages, &tools, &options);
    }
    tools::check_names(tools)?;
    let tools = match &options.tool_choice {
        Some(ToolChoice::Required | ToolChoice::Tool(_)) if !tools.is_empty() => {
            let what = "that a tool must be called";
            return Err(WireError::Setting {
                format: FORMAT,
                what,
            });
        }
        Some(ToolChoice::None) => &[],
        _ => tools,
    };
    let rules = Rules::new(FORMAT, options);
    let turns = conversation(messages, &rules)?;
    let writer = Writer {
        rules,
        call_ids: options.own.call_ids,
    };
    let mut written = Vec::with_capacity(turns.len() + 1);
    for turn in &turns {
        writer.turn(turn, &mut written)?;
    }
    if lacks_opening(&turns, &rules) {
        let opening = json!({ "role": "user", "content": options.opening });
        written.insert(leading_system(&turns), opening);
    }
    let mut body = Map::new();
    body.insert("model".into(), options.model.as_str().into());
    body.insert("messages".into(), written.into());
    if !tools.is_empty() {
        body.insert("tools".into(), tools.iter().map(tool).collect());
    }
    body.insert("stream".into(), options.stream.unwrap_or_default().into());
    if let Some(tokens) = options.max_tokens {
        body.insert("options".into(), json!({ "num_predict": tokens }));
    }
    answer::add(&mut body, options, FORMAT)?;
    options.add_extra(&mut body);
    Ok(Value::Object(body))
}

/// The messages that answer tool calls: one per result. Ids are not written; results are matched by name and order.
pub fn tool_results(results: &[ToolResult]) -> Vec<Value> {
    results
        .iter()
        .map(|result| tool_message(&result.name, None, &result.content, result.is_error))
        .collect()
}

/// Reads a reply.
///
/// # Errors
///
/// [`WireError::Api`] for an error body, [`WireError::Shape`] with the place of what is no reply.
pub fn reply(json: &Value) -> Result<Reply, WireError> {
    check_error(json)?;
    let root = Cursor::new(json);
    let message = root.need("message", "a message")?;
    let mut pieces = Vec::new();
    if let Some(text) = message
        .text_if_any("thinking")?
        .filter(|text| !text.is_empty())
    {
        pieces.push(Content::Thought {
            text: text.to_owned(),
        });
    }
    pieces.extend(message.text_if_any("content")?.map(Content::text));
    for image in message.list("images")? {
        pieces.push(Content::Image {
            mime: ANY_IMAGE.to_owned(),
            source: ImageSource::Data(image.as_text()?.to_owned()),
        });
    }
    for (at, call) in message.list("tool_calls")?.iter().enumerate() {
        pieces.push(read_call(call, at)?);
    }
    let stop = match root.word("done_reason") {
        Some("stop") => StopReason::End,
        Some("length") => StopReason::Length,
        Some(other) => StopReason::Other(other.to_owned()),
        None => StopReason::unknown(),
    };
    let usage = Usage {
        input: root.count("/prompt_eval_count"),
        output: root.count("/eval_count"),
        ..Usage::default()
    };
    Reply::new(pieces, stop).about(&root, "id", "model", usage)
}

fn read_call(call: &Cursor<'_>, at: usize) -> Result<Content, WireError> {
    let function = call.need("function", "the called function")?;
    let id = call.text_if_any("id")?.filter(|id| !id.is_empty());
    Ok(Content::ToolCall {
        id: id.map_or_else(|| format!("call_{}", at + 1), str::to_owned),
        name: function.text("name")?.to_owned(),
        arguments: arguments(function.value.get("arguments")),
    })
}

fn tool(spec: &ToolSpec) -> Value {
    let parameters = if spec.is_strict() {
        tools::open_schema(spec.parameters())
    } else {
        spec.parameters().clone()
    };
    let function = json!({
        "name": spec.name(),
        "description": spec.description(),
        "parameters": parameters,
    });
    json!({ "type": "function", "function": function })
}

fn tool_message(name: &str, id: Option<&str>, content: &str, is_error: bool) -> Value {
    let content = result_text(content, is_error);
    let mut message = json!({ "role": "tool", "tool_name": name, "content": content });
    if let Some(id) = id {
        message["tool_call_id"] = id.into();
    }
    message
}

struct Writer {
    rules: Rules,
    call_ids: bool,
}

impl Writer {
    fn turn(&self, turn: &Turn<'_>, written: &mut Vec<Value>) -> Result<(), WireError> {
        match turn.role {
            Role::System => written.push(self.spoken("system", turn)?),
            Role::User => written.push(self.spoken("user", turn)?),
            Role::Assistant => written.push(self.assistant(turn)?),
            Role::Tool => written.extend(turn.pieces.iter().filter_map(|piece| self.result(piece))),
        }
        Ok(())
    }

    fn spoken(&self, role: &str, turn: &Turn<'_>) -> Result<Value, WireError> {
        let mut images = Vec::new();
        for piece in &turn.pieces {
            match &*piece.content {
                Content::Text { .. } => {}
                Content::Image {
                    source: ImageSource::Data(data),
                    ..
                } => images.push(data.as_str()),
                Content::Image { .. } => {
                    return Err(self
                        .rules
                        .unsupported(piece.message, "an image by its address; send its bytes"));
                }
                other => return Err(self.rules.unsupported(piece.message, describe(other))),
            }
        }
        let mut message = json!({ "role": role, "content": turn.joined_text() });
        if !images.is_empty() {
            message["images"] = images.into();
        }
        Ok(message)
    }

    fn assistant(&self, turn: &Turn<'_>) -> Result<Value, WireError> {
        let (mut thoughts, mut images, mut calls) = (Vec::new(), Vec::new(), Vec::new());
        for piece in &turn.pieces {
            match &*piece.content {
                Content::Text { .. } => {}
                Content::Thought { text } => thoughts.push(text.as_str()),
                Content::Image {
                    source: ImageSource::Data(data),
                    ..
                } => images.push(data.as_str()),
                Content::ToolCall {
                    id,
                    name,
                    arguments,
                } => calls.push(self.call(id, name, arguments)),
                other => return Err(self.rules.unsupported(piece.message, describe(other))),
            }
        }
        let mut message = json!({ "role": "assistant", "content": turn.joined_text() });
        if !thoughts.is_empty() {
            message["thinking"] = thoughts.join("\n\n").into();
        }
        if !images.is_empty() {
            message["images"] = images.into();
        }
        if !calls.is_empty() {
            message["tool_calls"] = calls.into();
        }
        Ok(message)
    }

    fn call(&self, id: &str, name: &str, arguments: &Value) -> Value {
        let function = json!({ "name": name, "arguments": object_arguments(arguments) });
        if self.call_ids {
            json!({ "id": id, "function": function })
        } else {
            json!({ "function": function })
        }
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
        let id = Some(id.as_str()).filter(|_| self.call_ids);
        Some(tool_message(piece.tool(), id, content, *is_error))
    }
}

/// The answer so far.
#[doc(hidden)]
#[derive(Default)]
pub struct Assembly {
    about: Map<String, Value>,
    text: String,
    thinking: String,
    images: Vec<Value>,
    calls: Vec<Value>,
    done: bool,
}

impl Assemble for Assembly {
    fn event(&mut self, event: &Value, said: &mut Said) -> Result<(), WireError> {
        let root = Cursor::new(event);
        if let Some(message) = root.get("message") {
            if let Some(text) = message.text_if_any("thinking")? {
                self.thinking.push_str(text);
                said.thinking(text);
            }
            if let Some(text) = message.text_if_any("content")? {
                self.text.push_str(text);
                said.text(text);
            }
            for image in message.list("images")? {
                self.images.push(image.value.clone());
            }
            for call in message.list("tool_calls")? {
                if let Content::ToolCall {
                    id,
                    name,
                    arguments,
                } = read_call(&call, self.calls.len())?
                {
                    let index = said.call(&id, &name);
                    said.arguments(index, &arguments.to_string());
                }
                self.calls.push(call.value.clone());
            }
        }
        for key in ["model", "done_reason", "prompt_eval_count", "eval_count"] {
            if let Some(value) = root.get(key) {
                self.about.insert(key.to_owned(), value.value.clone());
            }
        }
        self.done |= event.get("done") == Some(&Value::Bool(true));
        Ok(())
    }

    fn reply(&mut self) -> Option<Result<Reply, WireError>> {
        if !self.done {
            return None;
        }
        let mut whole = std::mem::take(&mut self.about);
        let message = json!({
            "thinking": std::mem::take(&mut self.thinking),
            "content": std::mem::take(&mut self.text),
            "images": std::mem::take(&mut self.images),
            "tool_calls": std::mem::take(&mut self.calls),
        });
        whole.insert("message".into(), message);
        Some(reply(&Value::Object(whole)))
    }
}
