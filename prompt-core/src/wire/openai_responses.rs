//! `OpenAI`'s Responses, `POST /v1/responses`.
//!
//! - System messages at the start travel as `instructions`; with breakpoints on they are input messages, because
//!   `instructions` is a plain string. System messages further down are always input messages.
//! - A message of the model is one item per text and per call.
//! - [`is_error`](crate::tool::ToolResult::is_error) has no field here: the text of the result begins with `Error: `.
//! - Items this library has no word for (reasoning, calls of hosted and of custom tools) are kept as [`Content::Native`]
//!   and sent back unchanged. Reasoning that is neither kept by the provider ([`Options::store`]) nor encrypted in the
//!   item cannot be sent back, and is left out. A custom call is answered by a result with its id.
//! - The API tries strict mode where a tool does not speak of it, so a loose tool says `"strict": false`.
//!
//! Source: `OpenAI`'s API reference, "Responses".
//!
//! ```
//! use prompt_core::Message;
//! use prompt_core::wire::openai_responses;
//!
//! let options = openai_responses::Options::new("gpt-5.6");
//! let body = openai_responses::request(&[Message::system("Be brief."), Message::user("Hello")], &[], &options)?;
//! assert_eq!(body["instructions"], "Be brief.");
//! assert_eq!(body["input"][0]["content"][0]["text"], "Hello");
//! # Ok::<(), prompt_core::wire::WireError>(())
//! ```

use super::answer;
use super::openai::{self, Cached, Caching, Schemas};
use super::options::{self, Own};
use super::reply::{Cursor, arguments_in_text, check_error};
use super::stream::{self, Assemble, Said};
use super::tools;
use super::turn::{Piece, Rules, Turn, joined, lacks_opening, leading_system, result_text};
use super::{Reply, StopReason, SystemRole, Usage, WireError, describe};
use crate::message::{Content, Message, Role};
use crate::tool::{ToolResult, ToolSpec};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};
use std::collections::BTreeMap;

const FORMAT: &str = "openai_responses";

/// What a request says beside messages and tools.
pub type Options = options::Options<Responses>;

/// Reads a streamed reply: events are the objects with a `type` such as `response.output_text.delta`. The last one is
/// `response.completed`, `response.incomplete` or `response.failed`.
pub type StreamReader = stream::StreamReader<Assembly>;

/// What only this format knows.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
#[non_exhaustive]
pub struct Responses {
    /// How requests use the cache.
    #[serde(flatten)]
    pub caching: Caching,
    /// Whether system messages at the start travel as `instructions`.
    pub instructions: bool,
    /// Whether the provider keeps the answer.
    pub store: bool,
    /// The answer this request follows; the provider remembers what came before.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub previous_response_id: Option<String>,
}

impl Default for Responses {
    fn default() -> Self {
        Self {
            caching: Caching::default(),
            instructions: true,
            store: false,
            previous_response_id: None,
        }
    }
}

impl Own for Responses {}

impl Cached for Responses {
    fn caching(&mut self) -> &mut Caching {
        &mut self.caching
    }
}

impl Options {
    /// Options for a model; tools are called as the model likes. System messages of the input go under the role
    /// `developer` unless [`system_role`](crate::wire::Options::system_role) says otherwise.
    pub fn new(model: impl Into<String>) -> Self {
        Self::of(model)
    }

    /// Whether system messages at the start travel as `instructions` (they do by default) or in the input.
    #[must_use]
    pub fn instructions(mut self, instructions: bool) -> Self {
        self.own.instructions = instructions;
        self
    }

    /// Whether the provider keeps the answer; it does not by default.
    #[must_use]
    pub fn store(mut self, store: bool) -> Self {
        self.own.store = store;
        self
    }

    /// The answer this request follows. The messages given are only the new ones then (tool results may answer calls
    /// that the provider remembers), but the instructions must be given again.
    #[must_use]
    pub fn previous_response_id(mut self, id: impl Into<String>) -> Self {
        self.own.previous_response_id = Some(id.into());
        self
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
    let own = &options.own;
    let rules = Rules {
        remembered_calls: own.previous_response_id.is_some(),
        needs_turn: true,
        ..Rules::new(FORMAT, options)
    };
    let (turns, explicit) = openai::marked(messages, &rules, &own.caching, bears)?;
    let mut body = Map::new();
    body.insert("model".into(), options.model.as_str().into());
    let leading = if own.instructions && !explicit {
        leading_system(&turns)
    } else {
        0
    };
    let (instructions, input) = turns.split_at_checked(leading).unwrap_or((&[], &turns));
    if !instructions.is_empty() {
        body.insert("instructions".into(), joined(instructions).into());
    }
    let writer = Writer {
        rules,
        schemas: Schemas::of(tools),
        system: match options.system_role {
            Some(SystemRole::System) => "system",
            _ => "developer",
        },
        parts: explicit,
        store: own.store,
    };
    body.insert(
        "input".into(),
        writer.input(input, &options.opening)?.into(),
    );
    if !tools.is_empty() {
        body.insert("tools".into(), tools.iter().map(tool).collect());
        if let Some(choice) = &options.tool_choice {
            let one = |name: &str| json!({ "type": "function", "name": name });
            body.insert("tool_choice".into(), openai::tool_choice(choice, one));
        }
    }
    if let Some(tokens) = options.max_tokens {
        body.insert("max_output_tokens".into(), tokens.into());
    }
    if let Some(stream) = options.stream {
        body.insert("stream".into(), stream.into());
    }
    if let Some(id) = &own.previous_response_id {
        body.insert("previous_response_id".into(), id.as_str().into());
    }
    body.insert("store".into(), own.store.into());
    openai::add_caching(&mut body, &own.caching, explicit);
    answer::add(&mut body, options, FORMAT)?;
    options.add_extra(&mut body);
    Ok(Value::Object(body))
}

/// The items that answer tool calls: one per result.
pub fn tool_results(results: &[ToolResult]) -> Vec<Value> {
    let answer = |result: &ToolResult| {
        let text = result_text(&result.content, result.is_error);
        json!({ "type": "function_call_output", "call_id": result.id, "output": text })
    };
    results.iter().map(answer).collect()
}

/// Reads a reply: the response object.
///
/// # Errors
///
/// [`WireError::Api`] for an error body and for a response that failed, [`WireError::Shape`] with the place of what is
/// no reply.
pub fn reply(json: &Value) -> Result<Reply, WireError> {
    check_error(json)?;
    let root = Cursor::new(json);
    let mut pieces = Vec::new();
    let mut refused = false;
    for item in root.need("output", "a list of items")?.items()? {
        read_item(&item, &mut pieces, &mut refused)?;
    }
    let reason = root.get("incomplete_details");
    let reason = reason.as_ref().and_then(|details| details.word("reason"));
    let stop = match (root.word("status"), reason) {
        (_, Some("max_output_tokens")) => StopReason::Length,
        (_, Some("content_filter")) => StopReason::Filtered,
        (_, Some(other)) => StopReason::Other(other.to_owned()),
        _ if refused => StopReason::Filtered,
        (Some("completed") | None, None) => StopReason::End,
        (Some(other), None) => StopReason::Other(other.to_owned()),
    };
    let usage = Usage {
        input: root.count("/usage/input_tokens"),
        output: root.count("/usage/output_tokens"),
        cache_read: root.count("/usage/input_tokens_details/cached_tokens"),
        cache_write: root.count("/usage/input_tokens_details/cache_write_tokens"),
    };
    Reply::new(pieces, stop).about(&root, "id", "model", usage)
}

fn native(value: &Value) -> Content {
    Content::Native {
        format: FORMAT.to_owned(),
        value: value.clone(),
    }
}

fn read_item(
    item: &Cursor<'_>,
    pieces: &mut Vec<Content>,
    refused: &mut bool,
) -> Result<(), WireError> {
    match item.text("type")? {
        "function_call" => pieces.push(Content::ToolCall {
            id: item.text("call_id")?.to_owned(),
            name: item.text("name")?.to_owned(),
            arguments: arguments_in_text(item.text_if_any("arguments")?.unwrap_or_default()),
        }),
        "message" => {
            let parts = item.list("content")?;
            let known =
                |part: &Cursor<'_>| matches!(part.word("type"), Some("output_text" | "refusal"));
            if !parts.iter().all(known) {
                pieces.push(native(item.value));
                return Ok(());
            }
            for part in parts {
                let refusal = part.text_if_any("refusal")?;
                *refused |= refusal.is_some();
                let text = refusal.map_or_else(|| part.text("text"), Ok)?;
                pieces.push(Content::text(text));
            }
        }
        _ => pieces.push(native(item.value)),
    }
    Ok(())
}

/// Breakpoints stand on content parts, which messages of the model do not have in the input.
fn bears(role: Role, piece: &Content) -> bool {
    match piece {
        Content::Text { .. } | Content::Image { .. } => role != Role::Assistant,
        Content::ToolResult { .. } => true,
        _ => false,
    }
}

fn tool(spec: &ToolSpec) -> Value {
    json!({
        "type": "function",
        "name": spec.name(),
        "description": spec.description(),
        "parameters": spec.parameters(),
        "strict": spec.is_strict(),
    })
}

fn message_item(role: &str, content: &Value) -> Value {
    json!({ "type": "message", "role": role, "content": content })
}

struct Writer<'a> {
    rules: Rules,
    schemas: Schemas<'a>,
    system: &'static str,
    /// Whether results are written as parts: parts can carry breakpoints, and an item must not change its form when
    /// the breakpoint moves on.
    parts: bool,
    store: bool,
}

impl Writer<'_> {
    fn input(&self, turns: &[Turn<'_>], opening: &str) -> Result<Vec<Value>, WireError> {
        let mut items = Vec::with_capacity(turns.len() + 1);
        for turn in turns {
            match turn.role {
                Role::System => items.push(self.spoken(self.system, turn)?),
                Role::User => items.push(self.spoken("user", turn)?),
                Role::Assistant => {
                    for piece in &turn.pieces {
                        items.extend(self.own_item(piece)?);
                    }
                }
                Role::Tool => {
                    items.extend(turn.pieces.iter().filter_map(|piece| self.output(piece)));
                }
            }
        }
        if lacks_opening(turns, &self.rules) {
            let opening = json!([{ "type": "input_text", "text": opening }]);
            items.insert(leading_system(turns), message_item("user", &opening));
        }
        Ok(items)
    }

    fn spoken(&self, role: &str, turn: &Turn<'_>) -> Result<Value, WireError> {
        let parts: Result<Value, WireError> =
            turn.pieces.iter().map(|piece| self.part(piece)).collect();
        Ok(message_item(role, &parts?))
    }

    fn part(&self, piece: &Piece<'_>) -> Result<Value, WireError> {
        let mut part = match &*piece.content {
            Content::Text { text } => json!({ "type": "input_text", "text": text }),
            Content::Image { mime, source } => {
                let url = openai::image_url(mime, source);
                json!({ "type": "input_image", "detail": "auto", "image_url": url })
            }
            other => self.native(piece, other)?,
        };
        openai::mark(&mut part, piece.cache);
        Ok(part)
    }

    /// An item that the model said.
    fn own_item(&self, piece: &Piece<'_>) -> Result<Option<Value>, WireError> {
        Ok(Some(match &*piece.content {
            Content::Text { text } if text.is_empty() => return Ok(None),
            Content::Text { text } => message_item("assistant", &json!(text)),
            Content::ToolCall {
                id,
                name,
                arguments,
            } => json!({
                "type": "function_call",
                "call_id": id,
                "name": name,
                "arguments": self.schemas.arguments(name, arguments),
            }),
            other => {
                let item = self.native(piece, other)?;
                // Without its content it only names what the provider has not kept.
                let is_lost = !self.store
                    && item["type"] == "reasoning"
                    && !item["encrypted_content"].is_string();
                return Ok((!is_lost).then_some(item));
            }
        }))
    }

    fn native(&self, piece: &Piece<'_>, content: &Content) -> Result<Value, WireError> {
        match content {
            Content::Native { format, value } if format == FORMAT => Ok(value.clone()),
            other => Err(self.rules.unsupported(piece.message, describe(other))),
        }
    }

    fn output(&self, piece: &Piece<'_>) -> Option<Value> {
        let Content::ToolResult {
            id,
            content,
            is_error,
        } = &*piece.content
        else {
            return None;
        };
        let text = result_text(content, *is_error);
        let output = if self.parts {
            let mut part = json!({ "type": "input_text", "text": text });
            openai::mark(&mut part, piece.cache);
            json!([part])
        } else {
            json!(text)
        };
        let kind = match piece.call {
            Some(call) if call.native => "custom_tool_call_output",
            _ => "function_call_output",
        };
        Some(json!({ "type": kind, "call_id": id, "output": output }))
    }
}

/// The answer so far. The last event brings it whole; only some servers leave the items out of it.
#[doc(hidden)]
#[derive(Default)]
pub struct Assembly {
    items: BTreeMap<u64, Value>,
    /// Call by the place of its item.
    calls: BTreeMap<u64, usize>,
    whole: Option<Value>,
}

impl Assemble for Assembly {
    fn event(&mut self, event: &Value, said: &mut Said) -> Result<(), WireError> {
        let root = Cursor::new(event);
        let at = root.count("/output_index");
        let delta = || root.text("delta");
        match root.text("type")? {
            "response.output_text.delta" | "response.refusal.delta" => said.text(delta()?),
            "response.reasoning_text.delta" | "response.reasoning_summary_text.delta" => {
                said.thinking(delta()?);
            }
            "response.function_call_arguments.delta" | "response.custom_tool_call_input.delta" => {
                if let Some(call) = self.calls.get(&at) {
                    said.arguments(*call, delta()?);
                }
            }
            "response.output_item.added" => {
                let item = root.need("item", "an item")?;
                if let (Some(id), Some(name)) = (item.word("call_id"), item.word("name")) {
                    self.calls.insert(at, said.call(id, name));
                }
            }
            "response.output_item.done" => {
                let item = root.need("item", "an item")?;
                self.items.insert(at, item.value.clone());
            }
            "response.completed" | "response.incomplete" | "response.failed" => {
                self.whole = Some(root.need("response", "the response")?.value.clone());
            }
            _ => {}
        }
        Ok(())
    }

    fn reply(&mut self) -> Option<Result<Reply, WireError>> {
        let mut whole = self.whole.take()?;
        let is_bare = whole
            .get("output")
            .and_then(Value::as_array)
            .is_none_or(Vec::is_empty);
        if let (Some(map), true) = (whole.as_object_mut(), is_bare) {
            let items = std::mem::take(&mut self.items);
            map.insert("output".into(), items.into_values().collect());
        }
        Some(reply(&whole))
    }
}
