//! `OpenAI`'s Chat Completions, `POST /v1/chat/completions`, which many other servers speak too.
//!
//! - Texts go before the tool calls of their message; the format cannot interleave them.
//! - [`is_error`](prompt_core::tool::ToolResult::is_error) has no field here: the text of the result begins with `Error: `.
//! - Cache points are written only on demand, see [`RequestOptions::breakpoints`](crate::wire::RequestOptions::breakpoints).
//! - A streamed answer is asked to count its tokens (`stream_options`).
//! - Fields of the message that this library has no word for (`reasoning_content`, `reasoning_details`, `audio`,
//!   `annotations`, ..), calls of custom tools and unknown parts are [`Content::Native`]; fields of calls and texts are
//!   [`Content::Extra`]. All go back as they came. A custom call is answered by a result with its id.
//! - The call of a server from before `tool_calls`, in the field `function_call`, is kept, but is not one to answer.
//!
//! Source: `OpenAI`'s API reference, "Chat Completions".
//!
//! ```
//! use prompt_core::Message;
//! use prompt_agent::wire::{RequestOptions, openai_chat};
//!
//! let options = RequestOptions::new("gpt-5.6");
//! let body = openai_chat::request(&[Message::user("Hello")], &[], &options)?;
//! assert_eq!(body["messages"][0]["content"], "Hello");
//! # Ok::<(), prompt_agent::wire::WireError>(())
//! ```

use super::answer;
use super::openai;
use super::piece::{Piece, Says, merge};
use super::reply::{Cursor, beside, check_error, extra, first, native, present, rest};
use super::stream::{self, Assemble, Said, grow, reasoning};
use super::turn::{Rules, Turn, result_text};
use super::{Reply, StopReason, SystemRole, Usage, WireError};
use prompt_core::message::{Content, Message, Role};
use prompt_core::tool::{ToolResult, ToolSpec};
use serde::de::IgnoredAny;
use serde_json::{Map, Value, json};
use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};

const FORMAT: &str = "openai_chat";
/// The longest id of a call, in bytes.
const LONGEST_ID: usize = 40;

pub use super::RequestOptions as Options;

/// Reads a streamed reply: events are `chat.completion.chunk` objects. The last one that counts has a `finish_reason`;
/// one with the usage may follow.
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
            longest_id: Some(LONGEST_ID),
            ..Rules::new(FORMAT, options)
        };
        let (turns, explicit) = openai::marked(messages, &rules, options, |_, piece| {
            matches!(
                piece,
                Content::Text { .. } | Content::Image { .. } | Content::ToolResult { .. }
            )
        })?;
        let writer = Writer {
            rules,
            system: match options.system_role {
                Some(SystemRole::Developer) => "developer",
                _ => "system",
            },
            parts: explicit,
        };
        let one = |name: &str| json!({ "type": "function", "function": { "name": name } });
        let messages = writer.messages(&turns)?;
        let answer = options.answer_tool(FORMAT)?;
        let schema = |tool: &ToolSpec| json!({ "name": tool.name(), "schema": tool.parameters(), "strict": true });
        Ok(json!({
            "model": options.model,
            "messages": messages,
            "tools": (!tools.is_empty()).then(|| tools.iter().map(tool).collect::<Value>()),
            "tool_choice": options.choice(tools).map(|choice| openai::tool_choice(choice, one)),
            "max_completion_tokens": options.max_tokens,
            "stream": options.stream,
            "stream_options": options.stream.filter(|stream| *stream).map(|_| json!({ "include_usage": true })),
            "response_format": answer.map(|tool| json!({ "type": "json_schema", "json_schema": schema(tool) })),
            "prompt_cache_options": openai::cache_options(explicit),
        }))
    })
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
    let choice = first(choices.items()?).ok_or_else(|| choices.expected("a choice"))?;
    // A server of the old completions has a text in the place of the message.
    let old = choice.word("text");
    let old = old.filter(|_| choice.get("message").is_none());
    let (pieces, refused) = if let Some(text) = old {
        (vec![Content::text(text)], false)
    } else {
        let message = choice.need("message", "a message")?;
        let refused = message.word("refusal").is_some_and(|text| !text.is_empty());
        (read_message(&message)?, refused)
    };
    let stop = match choice.word("finish_reason") {
        _ if refused => StopReason::Filtered,
        Some("stop") => StopReason::End,
        Some("tool_calls") => StopReason::ToolCalls,
        Some("length") => StopReason::Length,
        Some("content_filter") => StopReason::Filtered,
        Some(other) => StopReason::from(other.to_owned()),
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
        reasoning: root.count("/usage/completion_tokens_details/reasoning_tokens"),
    };
    let word = if refused {
        Some("refusal")
    } else {
        choice.word("finish_reason")
    };
    let reply = Reply::new(&root, ["id", "model"], pieces, stop, usage)?;
    Ok(reply.refused_for(word))
}

fn read_message(message: &Cursor<'_>) -> Result<Vec<Content>, WireError> {
    let known = ["/role", "/content", "/refusal", "/tool_calls"];
    let fields = rest(message.value, &known).map(|fields| native(FORMAT, fields));
    let mut pieces = Vec::from_iter(fields);
    if let Some(content) = message.get("content") {
        match content.value.as_str() {
            Some(text) => pieces.push(Content::text(text)),
            None => {
                for part in content.items()? {
                    let text = part.word("text");
                    if let Some(text) = text.filter(|_| part.word("type") == Some("text")) {
                        pieces.push(Content::text(text));
                        pieces.extend(beside(FORMAT, part.value, &["/type", "/text"]));
                    } else {
                        pieces.push(native(FORMAT, part.value.clone()));
                    }
                }
            }
        }
    }
    if let Some(text) = message.text_if_any("refusal")? {
        pieces.push(Content::text(text));
        if !text.is_empty() {
            pieces.push(extra(FORMAT, json!({ "type": "refusal" })));
        }
    }
    for (at, call) in message.list("tool_calls")?.iter().enumerate() {
        read_call(call, at, &mut pieces)?;
    }
    Ok(pieces)
}

/// Reads a call; that of a custom tool is native.
fn read_call(call: &Cursor<'_>, at: usize, pieces: &mut Vec<Content>) -> Result<(), WireError> {
    if call.word("type") == Some("custom") {
        pieces.push(native(FORMAT, call.value.clone()));
        return Ok(());
    }
    pieces.push(call.function_call(at)?.into());
    pieces.extend(beside(FORMAT, call.value, &CALL));
    Ok(())
}

/// The known places of a call.
const CALL: [&str; 4] = ["/id", "/type", "/function/name", "/function/arguments"];

fn tool(spec: &ToolSpec) -> Value {
    let function = present(json!({
        "name": spec.name(),
        "description": spec.description(),
        "parameters": spec.parameters(),
        "strict": spec.is_strict().then_some(true),
    }));
    json!({ "type": "function", "function": function })
}

struct Writer {
    rules: Rules,
    system: &'static str,
    /// Whether texts are written as parts even where a string would do: parts can carry breakpoints, and a message
    /// must not change its form when the breakpoint moves on.
    parts: bool,
}

impl Writer {
    fn messages(&self, turns: &[Turn<'_>]) -> Result<Vec<Value>, WireError> {
        let mut messages = Vec::with_capacity(turns.len());
        for turn in turns {
            match turn.role {
                Role::System => messages.push(self.spoken(self.system, &turn.pieces)?),
                Role::User => messages.push(self.spoken("user", &turn.pieces)?),
                Role::Assistant => messages.push(self.assistant(turn)?),
                Role::Tool => {
                    for piece in &turn.pieces {
                        messages.push(self.result(piece)?);
                    }
                }
            }
        }
        Ok(messages)
    }

    fn spoken(&self, role: &str, pieces: &[Piece<'_>]) -> Result<Value, WireError> {
        let single = match pieces {
            [piece] if !self.parts && piece.extra.is_none() => piece.content.as_text(),
            _ => None,
        };
        let parts = || pieces.iter().map(|piece| self.part(piece)).collect();
        let content: Value = single.map_or_else(parts, |text| Ok(text.into()))?;
        Ok(json!({ "role": role, "content": content }))
    }

    fn part(&self, piece: &Piece<'_>) -> Result<Value, WireError> {
        let mut part = match piece.says() {
            Says::Text(text) => json!({ "type": "text", "text": text }),
            Says::Image(mime, source) => {
                let url = openai::image_url(mime, source);
                json!({ "type": "image_url", "image_url": { "url": url } })
            }
            Says::Native(value) => value.clone(),
            _ => return Err(self.rules.refuse(piece)),
        };
        openai::mark(&mut part, piece.cache);
        Ok(piece.complete(part))
    }

    /// A message of the model: parts, then calls. A native piece is a call, a part, or fields of the message.
    fn assistant(&self, turn: &Turn<'_>) -> Result<Value, WireError> {
        let (mut said, mut calls, mut fields) = (Vec::new(), Vec::new(), json!({}));
        let mut refusals = Vec::new();
        for piece in &turn.pieces {
            match piece.says() {
                Says::Call(id, name, arguments) => {
                    let arguments = openai::arguments(arguments);
                    let function = json!({ "name": name, "arguments": arguments });
                    let call = json!({ "id": id, "type": "function", "function": function });
                    calls.push(piece.complete(call));
                }
                Says::Text(text) if piece.beside("/type").is_some() => refusals.push(text),
                Says::Native(value) if value["type"] == "custom" => calls.push(value.clone()),
                Says::Native(value) if value.is_object() && value["type"].is_null() => {
                    merge(&mut fields, value);
                }
                _ => said.push(piece.clone()),
            }
        }
        let mut message = self.spoken("assistant", &said)?;
        if said.is_empty() {
            let is_silent = calls.is_empty() && refusals.is_empty();
            message["content"] = if is_silent { "".into() } else { Value::Null };
        }
        if !calls.is_empty() {
            message["tool_calls"] = calls.into();
        }
        if !refusals.is_empty() {
            message["refusal"] = refusals.join("\n\n").into();
        }
        merge(&mut message, &fields);
        Ok(message)
    }

    fn result(&self, piece: &Piece<'_>) -> Result<Value, WireError> {
        let Says::Result(id, text, is_error) = piece.says() else {
            return Err(self.rules.refuse(piece));
        };
        if !piece.images(|_, _| ()).is_empty() {
            let what = "an image in a tool result; send it in a message of the user";
            return Err(self.rules.unsupported(piece.message, what));
        }
        let mut content = json!(result_text(text, is_error));
        if self.parts {
            content = json!([{ "type": "text", "text": content }]);
            openai::mark(&mut content[0], piece.cache);
        }
        Ok(json!({ "role": "tool", "tool_call_id": id, "content": content }))
    }
}

/// The answer so far.
#[doc(hidden)]
#[derive(Default)]
pub struct Assembly {
    about: Map<String, Value>,
    finish: Option<String>,
    /// What stands beside the message in its choice.
    choice: Map<String, Value>,
    /// The message without what the others here have.
    message: Map<String, Value>,
    parts: Vec<Value>,
    calls: Vec<Call>,
    /// Call by the number that the server gives it.
    numbers: BTreeMap<u64, usize>,
    /// Calls of which not all that came was told.
    untold: BTreeSet<usize>,
}

/// A call being gathered.
struct Call {
    /// Its place among the calls, as the server counts them.
    number: u64,
    value: Value,
    /// The field of what is called, and the one in it of what is said to it.
    fields: [&'static str; 2],
    /// Its index among the deltas, once it was told; and how many bytes of what is said to it were.
    index: Option<usize>,
    told: usize,
    /// Whether the event that is read has a piece of it.
    was_given: bool,
    /// Whether its arguments have begun, if with nothing: its name is whole.
    has_arguments: bool,
    /// Whether it began with the name of the call before, behind whole arguments.
    repeats: bool,
}

impl Assemble for Assembly {
    fn event(&mut self, event: &Value, said: &mut Said) -> Result<(), WireError> {
        let root = Cursor::new(event);
        root.copy_into(&mut self.about, &["choices", "object"]);
        let Some(choice) = first(root.list("choices")?) else {
            return Ok(());
        };
        for (key, value) in choice.fields(&["index", "delta", "message", "text"]) {
            match (key.as_str(), value.as_str()) {
                ("finish_reason", Some(reason)) => self.finish = Some(reason.to_owned()),
                _ => grow(self.choice.entry(key).or_insert(Value::Null), value),
            }
        }
        let Some(delta) = choice.get("delta") else {
            // The old completions have nothing but a text.
            if let Some(text) = choice.word("text") {
                self.part(&json!({ "type": "text", "text": text }), said);
            }
            if let Some(message) = choice.get("message") {
                self.message(&message, said)?;
            }
            self.tell_calls(false, said);
            return Ok(());
        };
        for (key, value) in delta.fields(&["content", "tool_calls"]) {
            if let ("refusal", Some(text)) = (key.as_str(), value.as_str()) {
                said.text(text);
            }
            grow(self.message.entry(key).or_insert(Value::Null), value);
        }
        said.thinking(reasoning(delta.value).unwrap_or_default());
        if let Some(content) = delta.get("content") {
            match content.value {
                Value::String(text) => self.part(&json!({ "type": "text", "text": text }), said),
                _ => content
                    .items()?
                    .for_each(|part| self.part(part.value, said)),
            }
        }
        let calls = delta.list("tool_calls")?;
        calls.iter().try_for_each(|call| self.call(call))?;
        let is_bare = delta.fields(&["role"]).next().is_none();
        if let Some(message) = choice.get("message").filter(|_| is_bare) {
            self.message(&message, said)?;
        }
        self.tell_calls(!calls.is_empty() && self.finish.is_none(), said);
        Ok(())
    }

    fn is_done(&self) -> bool {
        // The usage may follow the reason; after that comes a mark.
        false
    }

    fn is_last(&self, event: &Value) -> bool {
        event["choices"][0]["finish_reason"].is_string()
    }

    fn reply(&mut self) -> Option<Result<Reply, WireError>> {
        let finish = self.finish.take()?;
        let mut message = std::mem::take(&mut self.message);
        let content = match self.parts.as_mut_slice() {
            [] => Value::Null,
            [part] if is_plain(part) => part["text"].take(),
            parts => parts.to_vec().into(),
        };
        message.insert("content".into(), content);
        let mut calls = std::mem::take(&mut self.calls);
        calls.retain(|call| !call.is_echo() && !call.is_empty());
        calls.sort_by_key(|call| call.number);
        if let Some(at) = calls.iter().position(|call| call.name().is_empty()) {
            return Some(Err(WireError::Shape {
                message: 0,
                path: format!("/choices/0/message/tool_calls/{at}"),
                expected: "a call with the name of its tool",
            }));
        }
        let calls = calls.into_iter().map(|call| call.value).collect();
        message.insert("tool_calls".into(), calls);
        let mut whole = std::mem::take(&mut self.about);
        let mut choice = std::mem::take(&mut self.choice);
        choice.insert("message".into(), message.into());
        choice.insert("finish_reason".into(), finish.into());
        whole.insert("choices".into(), json!([choice]));
        Some(reply(&Value::Object(whole)))
    }

    /// A message instead of a piece of one.
    fn is_whole(&self, event: &Value) -> bool {
        let is_first = self.calls.is_empty() && self.parts.iter().all(|part| part["text"] == "");
        let choice = Cursor::new(event).list("choices").ok().and_then(first);
        let is_message =
            |choice: Cursor<'_>| choice.get("message").is_some() && choice.get("delta").is_none();
        is_first && choice.is_some_and(is_message)
    }

    fn read(&self, whole: &Value) -> Result<Reply, WireError> {
        reply(whole)
    }
}

/// Whether a part is a text with nothing beside it.
fn is_plain(part: &Value) -> bool {
    part["type"] == "text"
        && part["text"].is_string()
        && part.as_object().is_some_and(|map| map.len() == 2)
}

impl Assembly {
    /// Adds a part of the content; a text goes on in the one before.
    fn part(&mut self, part: &Value, said: &mut Said) {
        let text = part["text"].as_str().filter(|_| part["type"] == "text");
        said.text(text.unwrap_or_default());
        match self.parts.last_mut().filter(|last| is_plain(last)) {
            Some(last) if is_plain(part) => grow(last, part),
            _ => self.parts.push(part.clone()),
        }
    }

    /// Adds a piece of a call. Some servers give no numbers or ids, give all calls the same, count pieces instead of calls, or say
    /// again what they have said.
    fn call(&mut self, piece: &Cursor<'_>) -> Result<(), WireError> {
        let id = piece.text_if_any("id")?.unwrap_or_default();
        let custom = piece.word("type") == Some("custom") || piece.get("custom").is_some();
        let [key, _] = fields(custom);
        let name = match piece.get(key) {
            Some(called) => called.text_if_any("name")?.unwrap_or_default(),
            None => "",
        };
        let number = piece.get("index").map(|_| piece.count("/index"));
        let numbered = number.and_then(|number| self.numbers.get(&number).copied());
        let last = self.calls.len().checked_sub(1);
        // A piece that names no call, or has no number, belongs to the last one.
        let known = numbered.or(last.filter(|_| name.is_empty() || number.is_none()));
        let goes_on = known.filter(|&at| self.calls[at].goes_on_with(id, name, piece.value));
        let at = goes_on.unwrap_or_else(|| {
            let mut call = Call::new(number.unwrap_or(self.calls.len() as u64), custom);
            call.repeats = id.is_empty() && known.is_some_and(|at| self.calls[at].name() == name);
            self.calls.push(call);
            self.calls.len() - 1
        });
        if let Some(number) = number {
            self.numbers.insert(number, at);
        }
        self.calls[at].add(piece.value);
        self.untold.insert(at);
        Ok(())
    }

    /// The message, behind its pieces: what they did not say of it is added.
    fn message(&mut self, message: &Cursor<'_>, said: &mut Said) -> Result<(), WireError> {
        if let Some(text) = message.word("content") {
            let parts = self.parts.iter().filter_map(|part| part["text"].as_str());
            let told: String = parts.collect();
            let rest = text.strip_prefix(told.as_str());
            let rest = rest.ok_or_else(|| message.expected("what its deltas have said"))?;
            if !rest.is_empty() {
                self.part(&json!({ "type": "text", "text": rest }), said);
            }
        }
        let calls = message.list("tool_calls")?;
        match self.calls.len() {
            0 => calls.iter().try_for_each(|call| self.call(call)),
            told if calls.is_empty() || told == calls.len() => Ok(()),
            _ => Err(message.expected("the calls of its deltas")),
        }
    }

    /// Tells what is known of the calls. The name of the last one may go on in the next event.
    fn tell_calls(&mut self, may_go_on: bool, said: &mut Said) {
        let last = self.calls.len().saturating_sub(1);
        let calls = &mut self.calls;
        self.untold.retain(|&at| {
            let call = &mut calls[at];
            call.was_given = false;
            let is_over = at < last || !may_go_on;
            let is_known = !call.name().is_empty() && !call.is_echo();
            if is_known && (is_over || call.has_text()) {
                call.tell(said);
                return false;
            }
            true
        });
    }
}

/// The field of what is called, and the one in it of what is said to it.
fn fields(custom: bool) -> [&'static str; 2] {
    if custom {
        ["custom", "input"]
    } else {
        ["function", "arguments"]
    }
}

impl Call {
    fn new(number: u64, custom: bool) -> Self {
        let fields = fields(custom);
        let [key, field] = fields;
        Self {
            number,
            value: json!({ "id": "", "type": key, key: { "name": "", field: "" } }),
            fields,
            index: None,
            told: 0,
            was_given: false,
            has_arguments: false,
            repeats: false,
        }
    }

    fn id(&self) -> &str {
        self.value["id"].as_str().unwrap_or_default()
    }

    fn name(&self) -> &str {
        let name = &self.value[self.fields[0]]["name"];
        name.as_str().unwrap_or_default()
    }

    /// What is said to it so far.
    fn text(&self) -> Cow<'_, str> {
        let [key, field] = self.fields;
        said_to(&self.value[key][field])
    }

    /// Whether nothing came but a number.
    fn is_empty(&self) -> bool {
        self.id().is_empty() && self.name().is_empty() && self.text().is_empty()
    }

    /// Whether a text is said to it; an object may still grow.
    fn has_text(&self) -> bool {
        let [key, field] = self.fields;
        self.value[key][field]
            .as_str()
            .is_some_and(|text| !text.is_empty())
    }

    /// Whether nothing came of it but the name of the call before: that was said again.
    fn is_echo(&self) -> bool {
        self.repeats && self.text().is_empty()
    }

    /// Whether a piece under the number of this call, or under none, is a piece of it. A name behind whole arguments is another
    /// call, and so is another name or id; unless the name itself comes in pieces, or each piece has an id of its own.
    fn goes_on_with(&self, id: &str, name: &str, piece: &Value) -> bool {
        let [key, field] = self.fields;
        if name.is_empty() || self.name().is_empty() {
            return true;
        }
        let (said, more) = (self.text(), said_to(&piece[key][field]));
        let is_other = !id.is_empty() && !self.id().is_empty() && id != self.id();
        if name != self.name() {
            let in_pieces = !self.has_arguments && self.index.is_none() && !self.was_given;
            return !is_other && in_pieces && more.is_empty();
        }
        let is_whole = said.ends_with('}') && serde_json::from_str::<IgnoredAny>(&said).is_ok();
        match (is_whole, id.is_empty()) {
            (false, _) => !is_other || !said.is_empty(),
            // It was said again, or another call begins: that shows when its arguments come.
            (true, true) => false,
            (true, false) => !is_other && more.is_empty(),
        }
    }

    /// Adds a piece. Some servers say again what they have said, or say it empty: the first word counts.
    fn add(&mut self, piece: &Value) {
        let [key, field] = self.fields;
        self.was_given = true;
        let mut piece = piece.clone();
        self.has_arguments |= piece[key].get(field).is_some();
        if let Some(Value::String(more)) = piece.pointer_mut(&format!("/{key}/name")) {
            // Some say the name so far with each piece.
            let name = self.name();
            if !more.starts_with(name) {
                more.insert_str(0, name);
            }
        }
        for place in ["/index", "/type", "/id"] {
            let known = self.value.pointer(place);
            if known.is_none_or(|known| known != "")
                && let Some(again) = piece.pointer_mut(place)
            {
                again.take();
            }
        }
        grow(&mut self.value, &present(piece));
    }

    /// Tells what has come since it was told last.
    fn tell(&mut self, said: &mut Said) {
        let [key, field] = self.fields;
        let index = self
            .index
            .unwrap_or_else(|| said.call(self.id(), self.name()));
        self.index = Some(index);
        let text = said_to(&self.value[key][field]);
        said.arguments(index, text.get(self.told..).unwrap_or_default());
        self.told = text.len();
    }
}

/// The arguments of a call, or a piece of them: a text, or an object of servers that send them whole.
fn said_to(value: &Value) -> Cow<'_, str> {
    match value {
        Value::String(text) => Cow::Borrowed(text),
        Value::Null => Cow::Borrowed(""),
        object => Cow::Owned(object.to_string()),
    }
}
