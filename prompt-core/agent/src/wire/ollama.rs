//! Ollama, `POST /api/chat`.
//!
//! - A message is one string: several texts are joined by a blank line, images stand beside it in base64. Texts go
//!   before the tool calls of their message.
//! - Calls have no ids: results are matched by the name of the tool and by order. Calls read are `call_1`, `call_2`, ..
//!   unless the server gives ids, which then go back; [`RequestOptions::call_ids`](crate::wire::RequestOptions::call_ids) writes all.
//! - Fields beside the known ones go back as they came: those of the message are [`Content::Native`], those of a call
//!   [`Content::Extra`].
//! - [`is_error`](prompt_core::tool::ToolResult::is_error) has no field here: the text of the result begins with `Error: `.
//! - The model cannot be made to call a tool; with [`ToolChoice::None`] the tools are left out.
//! - Arguments are objects only: a call whose arguments the model broke goes back with `{}`.
//! - Cache points are ignored: the server keeps the prefix by itself.
//!
//! Source: Ollama's API reference, "Generate a chat completion".
//!
//! ```
//! use prompt_core::Message;
//! use prompt_agent::wire::{RequestOptions, ollama};
//!
//! let body = ollama::request(&[Message::user("Hello")], &[], &RequestOptions::new("qwen3"))?;
//! let expected = serde_json::json!({
//!     "model": "qwen3",
//!     "messages": [{ "role": "user", "content": "Hello" }],
//!     "stream": false,
//! });
//! assert_eq!(body, expected);
//! # Ok::<(), prompt_agent::wire::WireError>(())
//! ```

use super::answer;
use super::arguments::object_arguments;
use super::dialect;
use super::names::plain_name;
use super::piece::{Picture, Piece, Says, merge};
use super::reply::{Cursor, beside, check_error, native, present, rest};
use super::stream::{self, Assemble, Said, grow};
use super::turn::{Rules, Turn, conversation, joined, result_text};
use super::{Reply, StopReason, ToolChoice, Usage, WireError};
use prompt_core::message::{Content, ImageSource, Message, Role};
use prompt_core::tool::{ToolResult, ToolSpec};
use serde_json::{Map, Value, json};
use std::slice;

const FORMAT: &str = "ollama";
/// The media type of an image whose format the server does not tell.
const ANY_IMAGE: &str = "image/*";

pub use super::RequestOptions as Options;

/// Reads a streamed reply: events are the objects of the body's lines. The last one is `done`.
pub type StreamReader = stream::StreamReader<Assembly>;

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
    answer::request(FORMAT, tools, options, |tools, options| {
        let tools = match &options.tool_choice {
            Some(ToolChoice::Required | ToolChoice::Tool(_)) if !tools.is_empty() => {
                let (format, what) = (FORMAT, "that a tool must be called");
                return Err(WireError::Setting { format, what });
            }
            Some(ToolChoice::None) => &[],
            _ => tools,
        };
        let rules = Rules::new(FORMAT, options);
        let turns = conversation(messages, &rules)?;
        let writer = Writer {
            rules,
            call_ids: options.call_ids,
        };
        let mut written = Vec::with_capacity(turns.len());
        for turn in &turns {
            writer.turn(turn, &mut written)?;
        }
        // Any schema of an object will do, strict or not.
        let format = match &options.answer {
            Some(output) if !output.tool.is_strict() => Some(&output.tool),
            _ => options.answer_tool(FORMAT)?,
        };
        Ok(json!({
            "model": options.model,
            "messages": written,
            "tools": (!tools.is_empty()).then(|| tools.iter().map(tool).collect::<Value>()),
            "stream": options.stream.unwrap_or_default(),
            "format": format.map(ToolSpec::parameters),
            "options": options.max_tokens.map(|tokens| json!({ "num_predict": tokens })),
        }))
    })
}

/// The messages that answer tool calls: one per result. Ids are not written; results are matched by name and order.
pub fn tool_results(results: &[ToolResult]) -> Vec<Value> {
    let answer = |result: &ToolResult| {
        let name = plain_name(&result.name);
        tool_message(&name, None, &result.content, result.is_error)
    };
    results.iter().map(answer).collect()
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
    let known = ["/role", "/content", "/thinking", "/images", "/tool_calls"];
    let fields = rest(message.value, &known).map(|fields| native(FORMAT, fields));
    let mut pieces = Vec::from_iter(fields);
    let thought = message.text_if_any("thinking")?;
    let thought = thought.filter(|text| !text.is_empty()).map(str::to_owned);
    pieces.extend(thought.map(|text| Content::Thought { text }));
    pieces.extend(message.text_if_any("content")?.map(Content::text));
    for image in message.list("images")? {
        let source = ImageSource::Data(image.as_text()?.to_owned());
        let mime = ANY_IMAGE.to_owned();
        pieces.push(Content::Image { mime, source });
    }
    let known = ["/function/name", "/function/arguments"];
    for (at, call) in message.list("tool_calls")?.iter().enumerate() {
        pieces.push(call.function_call(at)?.into());
        pieces.extend(beside(FORMAT, call.value, &known));
    }
    let stop = match root.word("done_reason") {
        Some("stop") => StopReason::End,
        Some("length") => StopReason::Length,
        Some(other) => StopReason::from(other.to_owned()),
        None => StopReason::unknown(),
    };
    let usage = Usage {
        input: root.count("/prompt_eval_count"),
        output: root.count("/eval_count"),
        ..Usage::default()
    };
    Reply::new(&root, ["id", "model"], pieces, stop, usage)
}

fn tool(spec: &ToolSpec) -> Value {
    let parameters = if spec.is_strict() {
        dialect::open_schema(spec.parameters())
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
    present(json!({ "role": "tool", "tool_name": name, "content": content, "tool_call_id": id }))
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
            Role::Assistant => written.push(self.spoken("assistant", turn)?),
            Role::Tool => {
                for piece in &turn.pieces {
                    written.push(self.result(piece)?);
                }
            }
        }
        Ok(())
    }

    fn spoken(&self, role: &str, turn: &Turn<'_>) -> Result<Value, WireError> {
        let (mut thoughts, mut images, mut calls) = (Vec::new(), Vec::new(), Vec::new());
        let mut fields = json!({});
        for piece in &turn.pieces {
            match piece.says() {
                Says::Text(_) => {}
                Says::Thought(text) => thoughts.push(text),
                Says::Image(_, source) => images.push(self.image(piece, source)?),
                Says::Call(id, name, arguments) => {
                    calls.push(piece.complete(self.call(id, name, arguments)));
                }
                Says::Native(value) if value.is_object() => merge(&mut fields, value),
                _ => return Err(self.rules.refuse(piece)),
            }
        }
        let mut message = present(json!({
            "role": role,
            "content": joined(slice::from_ref(turn)),
            "thinking": (!thoughts.is_empty()).then(|| thoughts.join("\n\n")),
            "images": (!images.is_empty()).then_some(images),
            "tool_calls": (!calls.is_empty()).then_some(calls),
        }));
        merge(&mut message, &fields);
        Ok(message)
    }

    fn image(&self, piece: &Piece<'_>, source: Picture<'_>) -> Result<Value, WireError> {
        let by_address = "an image by its address; send its bytes";
        match source {
            Picture::Bytes(data) => Ok(data.into()),
            Picture::Address(_) => Err(self.rules.unsupported(piece.message, by_address)),
        }
    }

    fn call(&self, id: &str, name: &str, arguments: &Value) -> Value {
        let function = json!({ "name": name, "arguments": object_arguments(arguments) });
        present(json!({ "id": self.call_ids.then_some(id), "function": function }))
    }

    fn result(&self, piece: &Piece<'_>) -> Result<Value, WireError> {
        let Says::Result(id, text, is_error) = piece.says() else {
            return Err(self.rules.refuse(piece));
        };
        let id = Some(id).filter(|_| self.call_ids || piece.call_has("/id"));
        let mut message = tool_message(&piece.tool(), id, text, is_error);
        let images = piece.images(|_, source| self.image(piece, source));
        if !images.is_empty() {
            message["images"] = images.into_iter().collect::<Result<_, _>>()?;
        }
        Ok(message)
    }
}

/// The answer so far.
#[doc(hidden)]
#[derive(Default)]
pub struct Assembly {
    whole: Map<String, Value>,
    calls: Vec<Value>,
}

impl Assemble for Assembly {
    fn event(&mut self, event: &Value, said: &mut Said) -> Result<(), WireError> {
        let root = Cursor::new(event);
        if let Some(message) = root.get("message") {
            said.thinking(message.text_if_any("thinking")?.unwrap_or_default());
            said.text(message.text_if_any("content")?.unwrap_or_default());
            message.list("images")?;
            for given in message.list("tool_calls")? {
                let call = given.function_call(self.calls.len())?;
                let index = said.call(&call.id, &call.name);
                let written = call.arguments.as_str().map(str::to_owned);
                said.arguments(
                    index,
                    &written.unwrap_or_else(|| call.arguments.to_string()),
                );
                self.calls.push(given.value.clone());
            }
            let whole = self.whole.entry("message").or_insert_with(|| json!({}));
            for (key, value) in message.fields(&["tool_calls"]) {
                grow(whole, &json!({ key: value }));
            }
        }
        root.copy_into(&mut self.whole, &["message"]);
        Ok(())
    }

    fn is_done(&self) -> bool {
        self.whole.get("done") == Some(&Value::Bool(true))
    }

    fn is_last(&self, event: &Value) -> bool {
        event["done"] == true
    }

    fn reply(&mut self) -> Option<Result<Reply, WireError>> {
        let mut whole = self.is_done().then(|| std::mem::take(&mut self.whole))?;
        if !self.calls.is_empty() {
            let calls = std::mem::take(&mut self.calls);
            whole["message"]["tool_calls"] = calls.into();
        }
        Some(reply(&whole.into()))
    }

    /// A whole answer is the only event, and done.
    fn is_whole(&self, _: &Value) -> bool {
        false
    }

    fn read(&self, whole: &Value) -> Result<Reply, WireError> {
        reply(whole)
    }
}
