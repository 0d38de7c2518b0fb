//! `OpenAI`'s Responses, `POST /v1/responses`.
//!
//! - System messages at the start travel as `instructions`; with breakpoints on they are input messages, because
//!   `instructions` is a plain string. System messages further down are always input messages.
//! - A message of the model is one item per text and per call. One that came from the provider stays the item that it
//!   was: its id, `phase` and status and the annotations of its texts are [`Content::Extra`] behind the texts.
//! - [`is_error`](prompt_core::tool::ToolResult::is_error) has no field here: the text of the result begins with `Error: `.
//! - Items this library has no word for (reasoning, calls of hosted and of custom tools) are kept as [`Content::Native`]
//!   and sent back unchanged. Reasoning that is neither kept by the provider ([`RequestOptions::store`](crate::wire::RequestOptions::store)) nor encrypted in the
//!   item cannot be sent back, and is left out.
//! - Calls of custom tools, of a shell on this side, of a computer, patches and requests for approval are answered by a
//!   result with their id ([`Conversation::open_calls`](crate::Conversation::open_calls) has them, those without a name
//!   under the type of their item): of a computer with the screenshot as an image behind the result; a failed result is
//!   exit code 1, a patch that failed, or no approval. Fields that this does not say, such as `acknowledged_safety_checks`,
//!   are [`Content::Extra`] behind the result.
//! - The API tries strict mode where a tool does not speak of it, so a loose tool says `"strict": false`.
//!
//! Source: `OpenAI`'s API reference, "Responses".
//!
//! ```
//! use prompt_core::Message;
//! use prompt_agent::wire::{RequestOptions, openai_responses};
//!
//! let options = RequestOptions::new("gpt-5.6");
//! let body = openai_responses::request(&[Message::system("Be brief."), Message::user("Hello")], &[], &options)?;
//! assert_eq!(body["instructions"], "Be brief.");
//! assert_eq!(body["input"][0]["content"][0]["text"], "Hello");
//! # Ok::<(), prompt_agent::wire::WireError>(())
//! ```

use super::answer;
use super::arguments::arguments;
use super::openai;
use super::piece::{Picture, Piece, Says, merge};
use super::reply::{Cursor, beside, check_error, extra, native, present, rest};
use super::stream::{self, Assemble, Said};
use super::turn::{Rules, Turn, joined, leading_system, result_text};
use super::{Reply, StopReason, SystemRole, Usage, WireError};
use prompt_core::message::{Content, Message, Role};
use prompt_core::tool::{ToolCall, ToolResult, ToolSpec};
use serde_json::{Value, json};
use std::iter;

const FORMAT: &str = "openai_responses";
/// The longest id of a call, in bytes.
const LONGEST_ID: usize = 64;

pub use super::RequestOptions as Options;

/// Reads a streamed reply: events are the objects with a `type` such as `response.output_text.delta`. The last one is
/// `response.completed`, `response.incomplete` or `response.failed`.
pub type StreamReader = stream::StreamReader<Assembly>;

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
    answer::request(FORMAT, tools, options, |tools, options| {
        let rules = Rules {
            remembered_calls: options.previous_response_id.is_some(),
            needs_turn: true,
            longest_id: Some(LONGEST_ID),
            ..Rules::new(FORMAT, options)
        };
        let (turns, explicit) = openai::marked(messages, &rules, options, bears)?;
        let apart = options.instructions && !explicit;
        let leading = if apart { leading_system(&turns) } else { 0 };
        let (instructions, input) = turns.split_at(leading);
        let writer = Writer {
            rules,
            system: match options.system_role {
                Some(SystemRole::System) => "system",
                _ => "developer",
            },
            parts: explicit,
            store: options.store,
        };
        let one = |name: &str| json!({ "type": "function", "name": name });
        let input = writer.input(input)?;
        let answer = options.answer_tool(FORMAT)?;
        let schema = |tool: &ToolSpec| json!({ "type": "json_schema", "name": tool.name(), "schema": tool.parameters(), "strict": true });
        Ok(json!({
            "model": options.model,
            "instructions": (!instructions.is_empty()).then(|| joined(instructions)),
            "input": input,
            "tools": (!tools.is_empty()).then(|| tools.iter().map(tool).collect::<Value>()),
            "tool_choice": options.choice(tools).map(|choice| openai::tool_choice(choice, one)),
            "max_output_tokens": options.max_tokens,
            "stream": options.stream,
            "text": answer.map(|tool| json!({ "format": schema(tool) })),
            "previous_response_id": options.previous_response_id,
            "store": options.store,
            "prompt_cache_options": openai::cache_options(explicit),
        }))
    })
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
        (_, Some(other)) => StopReason::from(other.to_owned()),
        _ if refused => StopReason::Filtered,
        (Some("completed") | None, None) => StopReason::End,
        (Some(other), None) => StopReason::from(other.to_owned()),
    };
    let usage = Usage {
        input: root.count("/usage/input_tokens"),
        output: root.count("/usage/output_tokens"),
        cache_read: root.count("/usage/input_tokens_details/cached_tokens"),
        cache_write: root.count("/usage/input_tokens_details/cache_write_tokens"),
        reasoning: root.count("/usage/output_tokens_details/reasoning_tokens"),
    };
    let reply = Reply::new(&root, ["id", "model"], pieces, stop, usage)?;
    Ok(reply.refused_for(reason.or(Some("refusal"))))
}

fn read_item(
    item: &Cursor<'_>,
    pieces: &mut Vec<Content>,
    refused: &mut bool,
) -> Result<(), WireError> {
    match item.text("type")? {
        "function_call" => {
            let arguments = arguments(item.value.get("arguments"));
            let call = ToolCall::new(item.text("call_id")?, item.text("name")?, arguments);
            pieces.push(call.into());
            let known = ["/type", "/call_id", "/name", "/arguments"];
            pieces.extend(beside(FORMAT, item.value, &known));
        }
        "message" => {
            let parts = item.list("content")?;
            let known =
                |part: &Cursor<'_>| matches!(part.word("type"), Some("output_text" | "refusal"));
            if parts.is_empty() || !parts.iter().all(known) {
                pieces.push(native(FORMAT, item.value.clone()));
                return Ok(());
            }
            let is_bare = rest(item.value, &["/type", "/role", "/content"]).is_none();
            let is_plain = is_bare && parts.len() == 1;
            let mut about = item.value.clone();
            let map = about.as_object_mut();
            map.and_then(|about| about.shift_remove("content"));
            for part in parts {
                let refusal = part.text_if_any("refusal")?;
                *refused |= refusal.is_some();
                let text = refusal.map_or_else(|| part.text("text"), Ok)?;
                let known = match refusal {
                    Some(_) => &["/refusal"][..],
                    None => &["/type", "/text"],
                };
                pieces.push(Content::text(text));
                let mut value = match rest(part.value, known) {
                    None if is_plain => continue,
                    fields => fields.unwrap_or(json!({})),
                };
                // The first text of a message brings its item; the others go on in it.
                if !about.is_null() {
                    value[ITEM] = about.take();
                }
                pieces.push(extra(FORMAT, value));
            }
        }
        _ => pieces.push(native(FORMAT, item.value.clone())),
    }
    Ok(())
}

/// Where the fields of a message's item stand beside its first text.
const ITEM: &str = "item";

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

fn image(mime: &str, source: Picture<'_>) -> Value {
    let url = openai::image_url(mime, source);
    json!({ "type": "input_image", "detail": "auto", "image_url": url })
}

/// A text of the model as the part that it came as, or a refusal.
fn own_part(text: &str, extra: &Value) -> Value {
    let mut part = if extra["type"] == "refusal" {
        json!({ "refusal": text })
    } else {
        json!({ "type": "output_text", "text": text, "annotations": [] })
    };
    merge(&mut part, extra);
    if let Some(part) = part.as_object_mut() {
        part.shift_remove(ITEM);
    }
    part
}

fn message_item(role: &str, content: &Value) -> Value {
    json!({ "type": "message", "role": role, "content": content })
}

struct Writer {
    rules: Rules,
    system: &'static str,
    /// Whether results are written as parts: parts can carry breakpoints, and an item must not change its form when
    /// the breakpoint moves on.
    parts: bool,
    store: bool,
}

impl Writer {
    fn input(&self, turns: &[Turn<'_>]) -> Result<Vec<Value>, WireError> {
        let mut items = Vec::with_capacity(turns.len());
        for turn in turns {
            match turn.role {
                Role::System => items.push(self.spoken(self.system, turn)?),
                Role::User => items.push(self.spoken("user", turn)?),
                Role::Assistant => {
                    for piece in &turn.pieces {
                        self.own_item(piece, &mut items)?;
                    }
                }
                Role::Tool => {
                    for piece in &turn.pieces {
                        items.push(self.output(piece)?);
                    }
                }
            }
        }
        Ok(items)
    }

    fn spoken(&self, role: &str, turn: &Turn<'_>) -> Result<Value, WireError> {
        let parts: Result<Value, WireError> =
            turn.pieces.iter().map(|piece| self.part(piece)).collect();
        Ok(message_item(role, &parts?))
    }

    fn part(&self, piece: &Piece<'_>) -> Result<Value, WireError> {
        let mut part = match piece.says() {
            Says::Text(text) => json!({ "type": "input_text", "text": text }),
            Says::Image(mime, source) => image(mime, source),
            Says::Native(value) => value.clone(),
            _ => return Err(self.rules.refuse(piece)),
        };
        openai::mark(&mut part, piece.cache);
        Ok(part)
    }

    /// Adds an item that the model said, or a part to the last one.
    fn own_item(&self, piece: &Piece<'_>, items: &mut Vec<Value>) -> Result<(), WireError> {
        let item = match (piece.says(), piece.extra) {
            (Says::Text(""), None) => return Ok(()),
            (Says::Text(text), None) => message_item("assistant", &json!(text)),
            (Says::Text(text), Some(extra)) => {
                let part = own_part(text, extra);
                let last = items.last_mut().filter(|_| extra.get(ITEM).is_none());
                let parts = last.and_then(|item| item.get_mut("content")?.as_array_mut());
                if let Some(parts) = parts {
                    parts.push(part);
                    return Ok(());
                }
                let mut item = message_item("assistant", &json!([part]));
                merge(&mut item, extra.get(ITEM).unwrap_or(&json!({})));
                item
            }
            (Says::Call(id, name, arguments), _) => piece.complete(json!({
                "type": "function_call",
                "call_id": id,
                "name": name,
                "arguments": openai::arguments(arguments),
            })),
            // Without its content it only names what the provider has not kept.
            (Says::Native(item), _)
                if !self.store
                    && item["type"] == "reasoning"
                    && !item["encrypted_content"].is_string() =>
            {
                return Ok(());
            }
            (Says::Native(item), _) => item.clone(),
            _ => return Err(self.rules.refuse(piece)),
        };
        items.push(item);
        Ok(())
    }

    fn output(&self, piece: &Piece<'_>) -> Result<Value, WireError> {
        let Says::Result(id, text, is_error) = piece.says() else {
            return Err(self.rules.refuse(piece));
        };
        if let Some(item) = piece.call.and_then(|call| call.item)
            && let Some(answer) = self.native_output(item, piece)?
        {
            return Ok(piece.complete(answer));
        }
        let mut output = json!(result_text(text, is_error));
        let images = piece.images(image);
        if self.parts || !images.is_empty() {
            let text = json!({ "type": "input_text", "text": output });
            let mut parts: Vec<Value> = iter::once(text).chain(images).collect();
            let last = parts.len() - 1;
            openai::mark(&mut parts[last], piece.cache);
            output = parts.into();
        }
        let kind = match piece.call {
            Some(call) if call.item.is_some() => "custom_tool_call_output",
            _ => "function_call_output",
        };
        Ok(json!({ "type": kind, "call_id": id, "output": output }))
    }

    /// The answer to a call that has an output of its own kind.
    fn native_output(&self, item: &Value, piece: &Piece<'_>) -> Result<Option<Value>, WireError> {
        let Says::Result(_, text, is_error) = piece.says() else {
            return Ok(None);
        };
        let id = &item["call_id"];
        Ok(Some(match item["type"].as_str() {
            Some("mcp_approval_request") => {
                let reason = Some(text).filter(|text| !text.is_empty());
                present(json!({
                    "type": "mcp_approval_response",
                    "approval_request_id": item["id"],
                    "approve": !is_error,
                    "reason": reason,
                }))
            }
            Some("apply_patch_call") => {
                let status = if is_error { "failed" } else { "completed" };
                json!({ "type": "apply_patch_call_output", "call_id": id, "status": status, "output": text })
            }
            Some("shell_call") => {
                let outcome = json!({ "type": "exit", "exit_code": u8::from(is_error) });
                let output = json!([{ "stdout": text, "stderr": "", "outcome": outcome }]);
                let longest = item.pointer("/action/max_output_length");
                present(
                    json!({ "type": "shell_call_output", "call_id": id, "output": output, "max_output_length": longest }),
                )
            }
            Some("local_shell_call") => {
                let output = result_text(text, is_error);
                json!({ "type": "local_shell_call_output", "call_id": id, "output": output })
            }
            Some("computer_call") => {
                let images = piece.images(openai::image_url);
                let what = "the result of a computer without a screenshot; add an image behind it";
                let shown = images
                    .last()
                    .ok_or_else(|| self.rules.unsupported(piece.message, what))?;
                let output = json!({ "type": "computer_screenshot", "image_url": shown });
                json!({ "type": "computer_call_output", "call_id": id, "output": output })
            }
            _ => return Ok(None),
        }))
    }
}

/// The answer so far. The last event brings it whole; only some servers leave the items out of it.
#[doc(hidden)]
#[derive(Default)]
pub struct Assembly {
    items: Vec<Item>,
    /// Arguments of calls that had not begun, and those that came with whole items alone: these have to bring the former.
    stray: String,
    given: String,
    whole: Option<Value>,
}

/// An item being gathered.
struct Item {
    /// Its place in the output. Some servers give one to several items.
    at: u64,
    value: Value,
    is_done: bool,
    /// The texts of a message, or of reasoning, that have been told.
    texts: Vec<Part>,
    /// The call among the deltas, and what they have said to it.
    call: Option<usize>,
    said_to: String,
}

/// A part of an item, as far as it was told.
#[derive(Clone)]
struct Part {
    kind: &'static str,
    /// Its number, if the server has such.
    number: u64,
    text: String,
}

impl Assemble for Assembly {
    fn event(&mut self, event: &Value, said: &mut Said) -> Result<(), WireError> {
        let root = Cursor::new(event);
        let at = root.count("/output_index");
        let delta = || root.text("delta");
        let kind = root.text("type")?;
        match kind {
            "response.function_call_arguments.delta" | "response.custom_tool_call_input.delta" => {
                match self.call(at) {
                    Some(item) => item.say_to(delta()?, said),
                    None => self.stray.push_str(delta()?),
                }
            }
            "response.function_call_arguments.done" | "response.custom_tool_call_input.done" => {
                let given = root.word("arguments").or(root.word("input"));
                if let (Some(item), Some(given)) = (self.call(at), given) {
                    let rest = untold(&item.said_to, given)?.to_owned();
                    item.say_to(&rest, said);
                }
            }
            "response.output_item.added" => {
                let item = root.need("item", "an item")?;
                let mut item = Item::new(at, item.value.clone());
                item.begin_call(said);
                self.items.push(item);
            }
            "response.output_item.done" => {
                let item = root.need("item", "an item")?.value;
                let begun = |known: &&mut Item| known.at == at && !known.is_done && known.is(item);
                if !self.items.iter_mut().any(|known| begun(&known)) {
                    self.items
                        .push(Item::new(at, json!({ "type": item["type"] })));
                }
                if let Some(known) = self.items.iter_mut().rev().find(begun) {
                    self.given.push_str(&known.end(item, said)?);
                }
            }
            "response.completed" | "response.incomplete" => {
                let whole = root.need("response", "the response")?.value.clone();
                self.whole = Some(self.settled(whole, said)?);
            }
            "response.failed" => {
                self.whole = Some(root.need("response", "the response")?.value.clone());
            }
            _ => self.text(kind, &root, said)?,
        }
        Ok(())
    }

    fn is_done(&self) -> bool {
        self.whole.is_some()
    }

    fn is_last(&self, event: &Value) -> bool {
        event["response"]["output"].is_array()
    }

    fn reply(&mut self) -> Option<Result<Reply, WireError>> {
        self.whole.take().map(|whole| reply(&whole))
    }

    /// The response itself instead of its events.
    fn is_whole(&self, event: &Value) -> bool {
        event["output"].is_array() && event["type"].is_null()
    }

    fn read(&self, whole: &Value) -> Result<Reply, WireError> {
        reply(whole)
    }
}

impl Assembly {
    /// A piece of a text, or the text at its end: what was not told of it is told now.
    fn text(&mut self, kind: &str, root: &Cursor<'_>, said: &mut Said) -> Result<(), WireError> {
        let Some((what, is_end)) = kind.strip_prefix("response.").and_then(|kind| {
            let piece = kind.strip_suffix(".delta").map(|what| (what, false));
            piece.or(kind.strip_suffix(".done").map(|what| (what, true)))
        }) else {
            return Ok(());
        };
        let (item, part, number) = match what {
            "output_text" => ("message", "output_text", "/content_index"),
            "refusal" => ("message", "refusal", "/content_index"),
            "reasoning_text" => ("reasoning", "reasoning_text", "/content_index"),
            "reasoning_summary_text" => ("reasoning", "summary_text", "/summary_index"),
            _ => return Ok(()),
        };
        let (at, number) = (root.count("/output_index"), root.count(number));
        let given = if is_end {
            root.word("text")
                .or(root.word("refusal"))
                .unwrap_or_default()
        } else {
            root.text("delta")?
        };
        let item = self.item(at, item);
        let piece = if is_end {
            let told = item.told(part, number);
            // Without numbers the parts of a message are one.
            if told.ends_with(given) {
                ""
            } else {
                untold(&told, given)?
            }
        } else {
            given
        };
        item.say(part, number, piece);
        item.tell(piece, said);
        Ok(())
    }

    /// The call at a place whose arguments are still coming.
    fn call(&mut self, at: u64) -> Option<&mut Item> {
        let is_call = |item: &&mut Item| item.at == at && item.call.is_some() && !item.is_done;
        self.items.iter_mut().rev().find(is_call)
    }

    /// The item at a place to which a text belongs, begun where there is none.
    fn item(&mut self, at: u64, kind: &str) -> &mut Item {
        let takes = |item: &Item| item.at == at && !item.is_done && item.value["type"] == kind;
        let known = self.items.iter().rposition(takes);
        let known = known.unwrap_or_else(|| {
            let begun = match kind {
                "message" => json!({ "type": kind, "role": "assistant", "content": [] }),
                _ => json!({ "type": kind, "summary": [] }),
            };
            self.items.push(Item::new(at, begun));
            self.items.len() - 1
        });
        &mut self.items[known]
    }

    /// The whole response with its items, which hold what was told; what was not is told now.
    fn settled(&mut self, mut whole: Value, said: &mut Said) -> Result<Value, WireError> {
        self.items.sort_by_key(|item| item.at);
        let output = whole.get("output").and_then(Value::as_array);
        if let Some(output) = output.filter(|output| !output.is_empty()) {
            let mut known: Vec<Item> = std::mem::take(&mut self.items);
            for item in output {
                let of_id = |known: &Item| known.is(item) && known.value["id"] == item["id"];
                let same = known.iter().position(of_id);
                let same = same.or_else(|| known.iter().position(|known| known.is(item)));
                let mut known = match same {
                    Some(at) => known.remove(at),
                    None => Item::new(0, json!({ "type": item["type"] })),
                };
                self.given.push_str(&known.end(item, said)?);
            }
            // Some servers leave out what they have said.
            let mut missing: Vec<Value> = Vec::new();
            for mut item in known.into_iter().filter(Item::was_told) {
                if !item.is_done {
                    item.end(&item.whole(), said)?;
                }
                missing.push(item.value);
            }
            if let Some(Value::Array(output)) = whole.get_mut("output") {
                let is_reasoning = |item: &Value| item["type"] == "reasoning";
                let (reasoning, others): (Vec<Value>, Vec<Value>) =
                    missing.into_iter().partition(is_reasoning);
                output.splice(0..0, reasoning);
                output.extend(others);
            }
        } else if let Some(map) = whole.as_object_mut() {
            let mut output = Vec::new();
            for mut item in std::mem::take(&mut self.items) {
                if !item.is_done {
                    item.end(&item.whole(), said)?;
                }
                output.push(item.value);
            }
            map.insert("output".into(), output.into());
        }
        if self.given.contains(&self.stray) {
            Ok(whole)
        } else {
            Err(contradicts())
        }
    }
}

/// What is given whole is something else than its pieces.
fn contradicts() -> WireError {
    WireError::Shape {
        message: 0,
        path: "/response/output".into(),
        expected: "what its deltas have said",
    }
}

impl Item {
    fn new(at: u64, value: Value) -> Self {
        Self {
            at,
            value,
            is_done: false,
            texts: Vec::new(),
            call: None,
            said_to: String::new(),
        }
    }

    /// Whether this may be the item that is given whole: of the same kind, and the same call where it is one. (Some servers give an
    /// item another id with each event.)
    fn is(&self, whole: &Value) -> bool {
        let (one, other) = (self.value["call_id"].as_str(), whole["call_id"].as_str());
        let is_other = matches!((one, other), (Some(one), Some(other)) if one != other);
        self.value["type"] == whole["type"] && !is_other
    }

    /// What has come of a part.
    fn told(&self, kind: &str, number: u64) -> String {
        let parts = self.texts.iter();
        let parts = parts.filter(|part| part.kind == kind && part.number == number);
        parts.map(|part| part.text.as_str()).collect()
    }

    fn was_told(&self) -> bool {
        self.call.is_some() || self.texts.iter().any(|part| !part.text.is_empty())
    }

    fn begin_call(&mut self, said: &mut Said) {
        let word = |key: &str| self.value[key].as_str();
        if let (None, Some(id), Some(name)) = (self.call, word("call_id"), word("name")) {
            self.call = Some(said.call(id, name));
        }
    }

    /// A piece of a part has come.
    fn say(&mut self, kind: &'static str, number: u64, piece: &str) {
        match self.texts.last_mut() {
            Some(last) if (last.kind, last.number) == (kind, number) => last.text.push_str(piece),
            _ => self.texts.push(Part {
                kind,
                number,
                text: piece.to_owned(),
            }),
        }
    }

    /// Tells a piece of a text.
    fn tell(&self, piece: &str, said: &mut Said) {
        if self.value["type"] == "reasoning" {
            said.thinking(piece);
        } else {
            said.text(piece);
        }
    }

    /// The parts that have come, each in one piece.
    fn parts(&self) -> Vec<Part> {
        let mut parts = self.texts.clone();
        parts.sort_by_key(|part| (part.kind != "summary_text", part.number));
        parts.dedup_by(|next, last| {
            let is_same = (next.kind, next.number) == (last.kind, last.number);
            if is_same {
                last.text.push_str(&next.text);
            }
            is_same
        });
        parts
    }

    fn say_to(&mut self, piece: &str, said: &mut Said) {
        if let Some(call) = self.call {
            self.said_to.push_str(piece);
            said.arguments(call, piece);
        }
    }

    /// The item is given whole. It holds what was told of it; what was not is told now. Gives the arguments that are.
    fn end(&mut self, whole: &Value, said: &mut Said) -> Result<String, WireError> {
        let mut given = String::new();
        (self.value, self.is_done) = (whole.clone(), true);
        self.begin_call(said);
        if self.call.is_some() {
            given = match said_to(whole) {
                Value::String(text) => untold(&self.said_to, text)?.to_owned(),
                object if self.said_to.is_empty() && !object.is_null() => object.to_string(),
                _ => String::new(),
            };
            self.say_to(&given, said);
        }
        let lists = match whole["type"].as_str() {
            Some("message") => &["content"][..],
            Some("reasoning") => &["summary", "content"],
            _ => &[],
        };
        let parts = lists
            .iter()
            .filter_map(|list| whole[*list].as_array())
            .flatten();
        let texts = parts.filter_map(|part| part["text"].as_str().or(part["refusal"].as_str()));
        let text: String = texts.collect();
        let told: String = self.parts().into_iter().map(|part| part.text).collect();
        self.tell(untold(&told, &text)?, said);
        self.texts.clear();
        self.say("", 0, &text);
        Ok(given)
    }

    /// The item, put together of its deltas where it was not given whole.
    fn whole(&self) -> Value {
        let mut whole = self.value.clone();
        if self.is_done {
            return whole;
        }
        if !self.said_to.is_empty() {
            whole[said_to_field(&self.value)] = self.said_to.clone().into();
        }
        for list in ["summary", "content"] {
            let is_in = |part: &Part| (part.kind == "summary_text") == (list == "summary");
            let part = |part: Part| {
                let field = if part.kind == "refusal" {
                    "refusal"
                } else {
                    "text"
                };
                json!({ "type": part.kind, field: part.text })
            };
            let parts: Vec<Value> = self.parts().into_iter().filter(is_in).map(part).collect();
            if !parts.is_empty() {
                whole[list] = parts.into();
            }
        }
        whole
    }
}

fn said_to_field(call: &Value) -> &'static str {
    if call["type"] == "custom_tool_call" {
        "input"
    } else {
        "arguments"
    }
}

/// The arguments of a call, or the input of a custom one.
fn said_to(call: &Value) -> &Value {
    &call[said_to_field(call)]
}

/// The rest of a text of which this was told. White space at its ends may have gone, and JSON may be written in another way.
fn untold<'t>(told: &str, text: &'t str) -> Result<&'t str, WireError> {
    match text.strip_prefix(told) {
        Some(rest) => Ok(rest),
        None if told.trim() == text.trim() => Ok(""),
        None => {
            let json = |text: &str| serde_json::from_str::<Value>(text).ok();
            let is_same = json(told).is_some_and(|told| json(text) == Some(told));
            is_same.then_some("").ok_or_else(contradicts)
        }
    }
}
