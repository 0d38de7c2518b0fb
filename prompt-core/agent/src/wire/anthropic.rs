//! Anthropic's Messages, `POST /v1/messages` with the header `anthropic-version: 2023-06-01`.
//!
//! - System messages at the start are the blocks of `system`. Further down the format has none by default, see
//!   [`RequestOptions::late_system`](crate::wire::RequestOptions::late_system).
//! - Turns alternate and the first is the user's; results of tools open the user turn that follows their call.
//! - A text without a visible character is refused by the provider: it is left out beside other pieces, and an error
//!   alone. An answer of the model that says nothing is left out.
//! - Cache points are written as `cache_control`, at most four with the one after the tools. Lifetimes up to 5 minutes
//!   are `5m`, longer ones `1h`; one of an hour after one of 5 minutes is written as 5 minutes.
//! - A thought travels with its [`Signature`](Content::Signature); a resource is a text document whose title is the
//!   address and whose `context` is the media type. Blocks this library has no word for (redacted thinking, the calls
//!   and results of tools that run at the provider) are kept as [`Content::Native`], fields beside the others (citations,
//!   callers) as [`Content::Extra`], and sent back unchanged. The container of the newest answer is named again.
//! - Ids of calls are letters, digits, `_` and `-`: others are rewritten, in the call and in its result alike.
//! - Arguments are objects only: a call whose arguments the model broke goes back with `{}`.
//!
//! Source: Anthropic's API reference, "Messages", "Streaming messages", "Prompt caching" and "Handling stop reasons".
//!
//! ```
//! use prompt_core::message::CachePoint;
//! use prompt_core::Message;
//! use prompt_agent::wire::{RequestOptions, anthropic};
//!
//! let messages = [Message::system("Be brief.").cached(CachePoint::one_hour()), Message::user("Hello")];
//! let body = anthropic::request(&messages, &[], &RequestOptions::new("claude-sonnet-4-6"))?;
//! assert_eq!(body["system"][0]["cache_control"]["ttl"], "1h");
//! # Ok::<(), prompt_agent::wire::WireError>(())
//! ```

use super::answer;
use super::arguments::{arguments, arguments_in_text, object_arguments};
use super::dialect;
use super::piece::{Picture, Piece, Says};
use super::reply::{Cursor, beside, check_error, native, present};
use super::stream::{self, Assemble, Said, grow};
use super::tools;
use super::turn::{Blank, Rules, Turn, conversation, leading_system, settle_cache};
use super::{LateSystem, Reply, StopReason, ToolChoice, Usage, WireError};
use prompt_core::message::{CachePoint, Content, Message, Role};
use prompt_core::tool::{ToolCall, ToolResult, ToolSpec};
use serde_json::{Map, Value, json};

const FORMAT: &str = "anthropic";
/// The provider's shorter lifetime, in seconds.
const FIVE_MINUTES: u32 = 300;
/// The longest id of a call that is sent, in bytes.
const LONGEST_ID: usize = 64;
/// Most tokens of an answer where the caller does not say; the provider demands a number.
const MAX_TOKENS: u32 = 4_096;

pub use super::RequestOptions as Options;

/// Reads a streamed reply: events are the objects with a `type` such as `content_block_delta`. The last one is
/// `message_stop`.
pub type StreamReader = stream::StreamReader<Assembly>;

/// The body of a request.
///
/// # Errors
///
/// [`WireError`], naming the message that the format cannot express, or the tool whose schema it does not take.
pub fn request(
    messages: &[Message],
    tools: &[ToolSpec],
    options: &Options,
) -> Result<Value, WireError> {
    answer::request(FORMAT, tools, options, |tools, options| {
        for tool in tools.iter().filter(|tool| !tool.is_strict()) {
            tools::check_schema(tool, FORMAT, dialect::anthropic_rule)?;
        }
        let late = options.late_system.unwrap_or(LateSystem::Refuse);
        let rules = Rules {
            longest_id: Some(LONGEST_ID),
            ..Rules::alternating(FORMAT, options, late, Blank::White)
        };
        let mut turns = conversation(messages, &rules)?;
        let cache_tools = options.cache_tools.filter(|_| !tools.is_empty());
        settle_cache(&mut turns, cache_tools.is_some(), |_, piece| {
            bears(piece, &rules)
        });
        let mut writer = Writer {
            rules,
            short_seen: false,
        };
        // In the order of the cached prefix: tools, system, messages.
        let declared = writer.tools(tools, cache_tools);
        let (system, rest) = turns.split_at(leading_system(&turns));
        let mut blocks = Vec::new();
        for turn in system {
            blocks.extend(writer.blocks(turn)?);
        }
        let written = writer.messages(rest)?;
        let mut contents = messages.iter().rev().flat_map(|message| &message.content);
        let answer = options.answer_tool(FORMAT)?;
        let schema =
            |tool: &ToolSpec| json!({ "type": "json_schema", "schema": tool.parameters() });
        Ok(json!({
            "model": options.model,
            "max_tokens": options.max_tokens.unwrap_or(MAX_TOKENS),
            "system": Some(blocks).filter(|blocks| !blocks.is_empty()),
            "tool_choice": options.choice(tools).and_then(tool_choice),
            "tools": Some(declared).filter(|tools| !tools.is_empty()),
            "messages": written,
            "container": contents.find_map(container),
            "stream": options.stream,
            "output_config": answer.map(|tool| json!({ "format": schema(tool) })),
        }))
    })
}

/// The container of the provider in which a message's tools ran: the next request names it.
fn container(piece: &Content) -> Option<&Value> {
    match piece {
        Content::Native { format, value } if format == FORMAT && value.get("type").is_none() => {
            value.pointer("/container/id")
        }
        _ => None,
    }
}

/// The message that answers tool calls: one of the user, with all results.
pub fn tool_results(results: &[ToolResult]) -> Vec<Value> {
    if results.is_empty() {
        return Vec::new();
    }
    let block = |result: &ToolResult| {
        result_block(&result.id, &result.content, result.is_error, Vec::new())
    };
    let blocks: Vec<Value> = results.iter().map(block).collect();
    vec![json!({ "role": "user", "content": blocks })]
}

/// Reads a reply: the message object.
///
/// # Errors
///
/// [`WireError::Api`] for an error body, [`WireError::Shape`] with the place of what is no reply.
pub fn reply(json: &Value) -> Result<Reply, WireError> {
    check_error(json)?;
    let root = Cursor::new(json);
    let mut pieces = Vec::new();
    if let Some(container) = root.get("container") {
        pieces.push(native(FORMAT, json!({ "container": container.value })));
    }
    for block in root.need("content", "a list of blocks")?.items()? {
        read_block(&block, &mut pieces)?;
    }
    let stop = match root.word("stop_reason") {
        Some("end_turn" | "stop_sequence") => StopReason::End,
        Some("tool_use") => StopReason::ToolCalls,
        Some("max_tokens" | "model_context_window_exceeded") => StopReason::Length,
        Some("refusal") => StopReason::Filtered,
        Some("pause_turn") => StopReason::Paused,
        Some(other) => StopReason::from(other.to_owned()),
        None => StopReason::unknown(),
    };
    let cache_read = root.count("/usage/cache_read_input_tokens");
    let cache_write = root.count("/usage/cache_creation_input_tokens");
    let input = root.count("/usage/input_tokens");
    let usage = Usage {
        input: input.saturating_add(cache_read).saturating_add(cache_write),
        output: root.count("/usage/output_tokens"),
        cache_read,
        cache_write,
        reasoning: root.count("/usage/output_tokens_details/thinking_tokens"),
    };
    let details = root.get("stop_details");
    let category = details.and_then(|details| details.word("category"));
    let reply = Reply::new(&root, ["id", "model"], pieces, stop, usage)?;
    Ok(Reply {
        stop_sequence: root.word("stop_sequence").map(str::to_owned),
        ..reply.refused_for(category.or(Some("refusal")))
    })
}

fn read_block(block: &Cursor<'_>, pieces: &mut Vec<Content>) -> Result<(), WireError> {
    let signature = block.text_if_any("signature")?;
    let known: &[&str] = match (block.text("type")?, signature) {
        ("text", _) => {
            pieces.push(Content::text(block.text("text")?));
            &["/type", "/text"]
        }
        ("tool_use", _) => {
            let input = arguments(block.value.get("input"));
            let call = ToolCall::new(block.text("id")?, block.text("name")?, input);
            pieces.push(call.into());
            &["/type", "/id", "/name", "/input"]
        }
        ("thinking", Some(data)) => {
            let (text, data) = (block.text("thinking")?.to_owned(), data.to_owned());
            pieces.extend([Content::Thought { text }, Content::Signature { data }]);
            &["/type", "/thinking", "/signature"]
        }
        _ => {
            pieces.push(native(FORMAT, block.value.clone()));
            return Ok(());
        }
    };
    pieces.extend(beside(FORMAT, block.value, known));
    Ok(())
}

/// Everything but thoughts can carry `cache_control`; a text has to say something.
fn bears(piece: &Content, rules: &Rules) -> bool {
    match piece {
        Content::Thought { .. } | Content::Signature { .. } => false,
        Content::Native { value, .. } => value
            .get("type")
            .is_some_and(|kind| kind != "redacted_thinking" && kind != "thinking"),
        other => !rules.is_blank(other),
    }
}

/// As the model likes is what the provider does when nothing is said.
fn tool_choice(choice: &ToolChoice) -> Option<Value> {
    match choice {
        ToolChoice::Auto => None,
        ToolChoice::None => Some(json!({ "type": "none" })),
        ToolChoice::Required => Some(json!({ "type": "any" })),
        ToolChoice::Tool(name) => Some(json!({ "type": "tool", "name": name })),
    }
}

fn result_block(id: &str, content: &str, is_error: bool, images: Vec<Value>) -> Value {
    // A blank text would be refused; a result without any is legal.
    let text = json!({ "type": "text", "text": content });
    let text = Some(text).filter(|_| !content.trim().is_empty());
    present(json!({
        "type": "tool_result",
        "tool_use_id": id,
        "content": text.into_iter().chain(images).collect::<Value>(),
        "is_error": is_error.then_some(true),
    }))
}

struct Writer {
    rules: Rules,
    /// Whether a point of 5 minutes has been written: none of an hour may follow it.
    short_seen: bool,
}

impl Writer {
    fn tools(&mut self, tools: &[ToolSpec], cache: Option<CachePoint>) -> Vec<Value> {
        let declare = |tool: &ToolSpec| {
            present(json!({
                "name": tool.name(),
                "description": tool.description(),
                "input_schema": tool.parameters(),
                "strict": tool.is_strict().then_some(true),
            }))
        };
        let mut declared: Vec<Value> = tools.iter().map(declare).collect();
        if let Some(last) = declared.last_mut() {
            self.mark(last, cache);
        }
        declared
    }

    fn mark(&mut self, block: &mut Value, point: Option<CachePoint>) {
        let (Some(block), Some(point)) = (block.as_object_mut(), point) else {
            return;
        };
        let long = point.ttl.is_some_and(|seconds| seconds > FIVE_MINUTES) && !self.short_seen;
        self.short_seen |= !long;
        let ttl = point.ttl.map(|_| if long { "1h" } else { "5m" });
        let control = present(json!({ "type": "ephemeral", "ttl": ttl }));
        block.insert("cache_control".into(), control);
    }

    fn messages(&mut self, turns: &[Turn<'_>]) -> Result<Vec<Value>, WireError> {
        let mut messages = Vec::with_capacity(turns.len());
        for turn in turns {
            let role = match turn.role {
                Role::System => "system",
                Role::User | Role::Tool => "user",
                Role::Assistant => "assistant",
            };
            messages.push(json!({ "role": role, "content": self.blocks(turn)? }));
        }
        self.check_prefill(turns)?;
        Ok(messages)
    }

    /// The provider refuses an answer begun for the model that ends in white space.
    fn check_prefill(&self, turns: &[Turn<'_>]) -> Result<(), WireError> {
        let last = turns.last().filter(|turn| turn.role == Role::Assistant);
        let last = last.and_then(|turn| turn.pieces.last());
        let ends_in_white = |piece: &&Piece<'_>| {
            let text = piece.content.as_text();
            text.is_some_and(|text| text.trim_end() != text)
        };
        let what = "white space at the end of a last message of the model";
        match last.filter(ends_in_white) {
            Some(piece) => Err(self.rules.unsupported(piece.message, what)),
            None => Ok(()),
        }
    }

    fn blocks(&mut self, turn: &Turn<'_>) -> Result<Vec<Value>, WireError> {
        let rules = self.rules;
        turn.write(&rules, |piece| {
            let mut block = piece.complete(self.block(turn.role, piece)?);
            self.mark(&mut block, piece.cache);
            Ok(block)
        })
    }

    fn block(&self, role: Role, piece: &Piece<'_>) -> Result<Value, WireError> {
        Ok(match piece.says() {
            Says::Text(text) => json!({ "type": "text", "text": text }),
            Says::Image(mime, source) if role == Role::User => image(mime, source),
            Says::Resource(uri, mime, text) => document(uri, mime, text),
            Says::Call(id, name, arguments) => {
                let input = object_arguments(arguments);
                json!({ "type": "tool_use", "id": id, "name": name, "input": input })
            }
            Says::Result(id, text, is_error) => {
                result_block(id, text, is_error, piece.images(image))
            }
            Says::Thought(text) => {
                json!({ "type": "thinking", "thinking": text, "signature": piece.signature })
            }
            Says::Native(value) => value.clone(),
            _ => return Err(self.rules.refuse(piece)),
        })
    }
}

fn image(mime: &str, source: Picture<'_>) -> Value {
    let source = match source {
        Picture::Bytes(data) => json!({ "type": "base64", "media_type": mime, "data": data }),
        Picture::Address(url) => json!({ "type": "url", "url": url }),
    };
    json!({ "type": "image", "source": source })
}

/// The source of a text document is always `text/plain`; the real media type goes where the model reads about it.
fn document(uri: &str, mime: Option<&str>, text: &str) -> Value {
    let source = json!({ "type": "text", "media_type": "text/plain", "data": text });
    present(json!({ "type": "document", "source": source, "title": uri, "context": mime }))
}

/// The answer so far: the message, and its blocks in the order in which they begin.
#[doc(hidden)]
#[derive(Default)]
pub struct Assembly {
    message: Map<String, Value>,
    usage: Map<String, Value>,
    blocks: Vec<Block>,
    stopped: bool,
}

/// A block being gathered.
struct Block {
    /// Its number. Some servers give one to several blocks.
    index: u64,
    value: Map<String, Value>,
    /// The input as the model writes it, of blocks that have one.
    input: String,
    /// The index among the deltas, of calls that are ours to answer.
    call: Option<usize>,
}

impl Assemble for Assembly {
    fn event(&mut self, event: &Value, said: &mut Said) -> Result<(), WireError> {
        let root = Cursor::new(event);
        match root.text("type")? {
            "message_start" => {
                let message = root.need("message", "a message")?;
                self.message = object(&message)?;
                self.add_usage(&message);
                for (index, block) in (0..).zip(message.list("content")?) {
                    self.begin(index, &block, said)?;
                }
            }
            "content_block_start" => {
                let block = root.need("content_block", "a block")?;
                self.begin(root.count("/index"), &block, said)?;
            }
            "content_block_delta" => {
                let delta = root.need("delta", "a delta")?;
                self.add(root.count("/index"), &delta, said)?;
            }
            "message_delta" => {
                let delta = root.need("delta", "a delta")?;
                delta.copy_into(&mut self.message, &[]);
                root.copy_into(&mut self.message, &["type", "delta", "usage"]);
                self.add_usage(&root);
            }
            "message_stop" => {
                self.stopped = true;
                self.blocks.iter().for_each(|block| block.end(said));
            }
            _ => {}
        }
        Ok(())
    }

    fn is_done(&self) -> bool {
        self.stopped
    }

    fn is_last(&self, event: &Value) -> bool {
        event["type"] == "message_stop"
    }

    fn reply(&mut self) -> Option<Result<Reply, WireError>> {
        if !self.stopped {
            return None;
        }
        let mut whole = std::mem::take(&mut self.message);
        let blocks = std::mem::take(&mut self.blocks).into_iter();
        whole.insert("content".into(), blocks.map(Block::whole).collect());
        whole.insert("usage".into(), std::mem::take(&mut self.usage).into());
        Some(reply(&Value::Object(whole)))
    }

    /// The message itself instead of its events.
    fn is_whole(&self, event: &Value) -> bool {
        event["content"].is_array() && (event["type"].is_null() || event["type"] == "message")
    }

    fn read(&self, whole: &Value) -> Result<Reply, WireError> {
        reply(whole)
    }
}

fn object(cursor: &Cursor<'_>) -> Result<Map<String, Value>, WireError> {
    let map = cursor.value.as_object();
    map.cloned().ok_or_else(|| cursor.expected("an object"))
}

impl Assembly {
    /// Later counts replace earlier ones; the last event names only those that have grown.
    fn add_usage(&mut self, of: &Cursor<'_>) {
        if let Some(usage) = of.get("usage") {
            usage.copy_into(&mut self.usage, &[]);
        }
    }

    fn begin(&mut self, index: u64, block: &Cursor<'_>, said: &mut Said) -> Result<(), WireError> {
        let mut call = None;
        match block.text("type")? {
            "tool_use" => call = Some(said.call(block.text("id")?, block.text("name")?)),
            "text" => said.text(block.word("text").unwrap_or_default()),
            "thinking" => said.thinking(block.word("thinking").unwrap_or_default()),
            _ => {}
        }
        self.blocks.push(Block {
            index,
            value: object(block)?,
            input: String::new(),
            call,
        });
        Ok(())
    }

    /// Adds a delta to the last block of its index that takes such. A text or a thought begins where there is none; anything else
    /// is a part of nothing.
    fn add(&mut self, index: u64, delta: &Cursor<'_>, said: &mut Said) -> Result<(), WireError> {
        let kind = delta.text("type")?;
        let takes = |block: &&mut Block| block.index == index && block.takes(kind);
        if let Some(block) = self.blocks.iter_mut().rev().find(takes) {
            return block.add(delta, said);
        }
        let begun = match kind {
            "text_delta" => json!({ "type": "text", "text": "" }),
            "thinking_delta" => json!({ "type": "thinking", "thinking": "" }),
            _ => return Err(delta.expected("a delta of a block that has begun")),
        };
        self.begin(index, &Cursor::new(&begun), said)?;
        let begun = self.blocks.last_mut();
        begun.map_or(Ok(()), |block| block.add(delta, said))
    }
}

impl Block {
    /// Whether a delta of this kind is a part of it. Of blocks that this library has no word for, any may be.
    fn takes(&self, kind: &str) -> bool {
        match self.kind() {
            "text" => matches!(kind, "text_delta" | "citations_delta"),
            "thinking" => matches!(kind, "thinking_delta" | "signature_delta"),
            call if call.ends_with("tool_use") => kind == "input_json_delta",
            _ => true,
        }
    }

    fn kind(&self) -> &str {
        self.value
            .get("type")
            .and_then(Value::as_str)
            .unwrap_or_default()
    }

    /// Tells the input that came with the beginning of a call, where no other did.
    fn end(&self, said: &mut Said) {
        if let (Some(call), Some(Value::Object(input))) = (self.call, self.value.get("input"))
            && self.input.trim().is_empty()
            && !input.is_empty()
        {
            said.arguments(call, &Value::Object(input.clone()).to_string());
        }
    }

    fn add(&mut self, delta: &Cursor<'_>, said: &mut Said) -> Result<(), WireError> {
        let key = match delta.text("type")? {
            "input_json_delta" => {
                let piece = delta.text("partial_json")?;
                self.input.push_str(piece);
                if let Some(call) = self.call {
                    said.arguments(call, piece);
                }
                return Ok(());
            }
            "citations_delta" => {
                let citation = delta.need("citation", "a citation")?.value.clone();
                let citations = self.value.entry("citations").or_insert(Value::Null);
                match citations.as_array_mut() {
                    Some(citations) => citations.push(citation),
                    None => *citations = json!([citation]),
                }
                return Ok(());
            }
            kind => kind.strip_suffix("_delta").unwrap_or_default(),
        };
        let piece = match key {
            "text" | "thinking" | "signature" => delta.text(key)?,
            // A delta of another block, such as a compaction, has the fields that grow.
            _ => {
                for (key, piece) in delta.fields(&["type"]) {
                    grow(self.value.entry(key).or_insert(Value::Null), piece);
                }
                return Ok(());
            }
        };
        match (key, self.kind()) {
            ("text", "text") => said.text(piece),
            ("thinking", "thinking") => said.thinking(piece),
            _ => {}
        }
        grow(self.value.entry(key).or_insert(Value::Null), &json!(piece));
        Ok(())
    }

    /// The input of a call that is not ours is never answered, so a broken one is of no use.
    fn whole(mut self) -> Value {
        if !self.input.trim().is_empty() {
            let input = arguments_in_text(&self.input);
            if self.call.is_some() || input.is_object() {
                self.value.insert("input".into(), input);
            }
        }
        Value::Object(self.value)
    }
}
