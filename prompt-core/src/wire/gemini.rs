//! Google's Gemini, `POST /v1beta/models/{model}:generateContent`. The model stands in the address, not in the body;
//! streaming is another address (`:streamGenerateContent?alt=sse`).
//!
//! - System messages at the start are the `systemInstruction`, joined by blank lines. Further down there is no system
//!   role: see [`Options::late_system`](crate::wire::Options::late_system).
//! - Turns alternate and the first is the user's; results of tools open the user turn that follows their call. A result
//!   is `{"result": text}`, or `{"error": text}` for a tool that failed. An answer of the model that says nothing is left
//!   out.
//! - A call has no id on this wire unless [`Options::call_ids`] asks for it. Calls read without one are `call_1`,
//!   `call_2`, .. in order, and their responses are matched by name and order.
//! - A `thoughtSignature` becomes a [`Content::Signature`] after its piece, and goes back on the part it came with. It
//!   only fits the model that wrote it. Neighbouring text parts without one are read as one text.
//! - A schema must have enums of strings only, with their type; that of a loose tool travels as `parametersJsonSchema`.
//! - Arguments are objects only: a call whose arguments the model broke goes back with `{}`.
//! - Cache points are ignored: the provider caches the prefix by itself.
//!
//! Source: Google's Gemini API reference, "Generating content", and the guide "Thought signatures".
//!
//! ```
//! use prompt_core::Message;
//! use prompt_core::wire::gemini;
//!
//! let messages = [Message::system("Be brief."), Message::user("Hello")];
//! let body = gemini::request(&messages, &[], &gemini::Options::new())?;
//! assert_eq!(body["systemInstruction"]["parts"][0]["text"], "Be brief.");
//! # Ok::<(), prompt_core::wire::WireError>(())
//! ```

use super::answer;
use super::options::{self, Own};
use super::reply::{Cursor, arguments, check_error, says_nothing};
use super::stream::{self, Assemble, Said, append};
use super::tools;
use super::turn::{
    Blank, Piece, Rules, Turn, conversation, joined, lacks_opening, leading_system,
    object_arguments,
};
use super::{LateSystem, Reply, StopReason, ToolChoice, Usage, WireError, describe};
use crate::message::{Content, ImageSource, Message, Role};
use crate::tool::{ToolResult, ToolSpec};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};

const FORMAT: &str = "gemini";

/// What a request says beside messages and tools.
pub type Options = options::Options<Gemini>;

/// Reads a streamed reply: events are `GenerateContentResponse` objects, each with the next parts. The last one that
/// counts has a `finishReason`.
pub type StreamReader = stream::StreamReader<Assembly>;

/// What only this format knows.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
#[non_exhaustive]
pub struct Gemini {
    /// Whether schemas travel as real JSON Schema.
    pub json_schema: bool,
    /// Whether the ids of calls are written.
    pub call_ids: bool,
}

impl Own for Gemini {}

impl Options {
    /// Options without any limit; tools are called as the model likes.
    pub fn new() -> Self {
        Self::default()
    }

    /// Whether schemas travel unchanged as `parametersJsonSchema`, which newer models take, instead of `parameters` in
    /// the provider's own subset.
    #[must_use]
    pub fn json_schema(mut self, json_schema: bool) -> Self {
        self.own.json_schema = json_schema;
        self
    }

    /// Whether the ids of calls are written, for models that give them.
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
/// [`WireError`], naming the message that the format cannot express, or the tool whose schema it does not take.
pub fn request(
    messages: &[Message],
    tools: &[ToolSpec],
    options: &Options,
) -> Result<Value, WireError> {
    if let Some((tools, options)) = answer::forced(tools, options, FORMAT)? {
        return request(messages, &tools, &options);
    }
    tools::check_names(tools)?;
    let late = match options.late_system {
        Some(LateSystem::User) => LateSystem::User,
        _ => LateSystem::Refuse,
    };
    let rules = Rules::alternating(FORMAT, options, late, Blank::Empty);
    let turns = conversation(messages, &rules)?;
    let (system, rest) = turns
        .split_at_checked(leading_system(&turns))
        .unwrap_or((&[], &turns));
    let mut body = Map::new();
    if !system.is_empty() {
        let instruction = json!({ "parts": [{ "text": joined(system) }] });
        body.insert("systemInstruction".into(), instruction);
    }
    let writer = Writer {
        rules,
        call_ids: options.own.call_ids,
    };
    body.insert(
        "contents".into(),
        writer.contents(rest, &options.opening)?.into(),
    );
    if !tools.is_empty() {
        let declared: Vec<Value> = tools
            .iter()
            .map(|tool| declaration(tool, options.own.json_schema))
            .collect::<Result<_, _>>()?;
        let declared = json!([{ "functionDeclarations": declared }]);
        body.insert("tools".into(), declared);
        if let Some(choice) = &options.tool_choice {
            let config = json!({ "functionCallingConfig": tool_choice(choice) });
            body.insert("toolConfig".into(), config);
        }
    }
    if let Some(tokens) = options.max_tokens {
        let config = json!({ "maxOutputTokens": tokens });
        body.insert("generationConfig".into(), config);
    }
    answer::add(&mut body, options, FORMAT)?;
    options.add_extra(&mut body);
    Ok(Value::Object(body))
}

/// The content that answers tool calls: one of the user, with all results. Ids are not written; results are matched by
/// name and order.
pub fn tool_results(results: &[ToolResult]) -> Vec<Value> {
    if results.is_empty() {
        return Vec::new();
    }
    let answer =
        |result: &ToolResult| response(None, &result.name, &result.content, result.is_error);
    let parts: Vec<Value> = results.iter().map(answer).collect();
    vec![json!({ "role": "user", "parts": parts })]
}

/// Reads a reply: its first candidate. A blocked prompt has none, and is [`StopReason::Filtered`].
///
/// # Errors
///
/// [`WireError::Api`] for an error body, [`WireError::Shape`] with the place of what is no reply.
pub fn reply(json: &Value) -> Result<Reply, WireError> {
    check_error(json)?;
    let root = Cursor::new(json);
    let usage = Usage {
        input: root
            .count("/usageMetadata/promptTokenCount")
            .saturating_add(root.count("/usageMetadata/toolUsePromptTokenCount")),
        output: root
            .count("/usageMetadata/candidatesTokenCount")
            .saturating_add(root.count("/usageMetadata/thoughtsTokenCount")),
        cache_read: root.count("/usageMetadata/cachedContentTokenCount"),
        cache_write: 0,
    };
    let (pieces, stop) = match root.list("candidates")?.first() {
        Some(candidate) => read_candidate(candidate)?,
        None if is_blocked(&root) => (Vec::new(), StopReason::Filtered),
        None => {
            return Err(root
                .need("candidates", "a list of candidates")?
                .expected("a candidate"));
        }
    };
    Reply::new(pieces, stop).about(&root, "responseId", "modelVersion", usage)
}

fn is_blocked(root: &Cursor<'_>) -> bool {
    root.get("promptFeedback")
        .is_some_and(|feedback| feedback.get("blockReason").is_some())
}

fn read_candidate(candidate: &Cursor<'_>) -> Result<(Vec<Content>, StopReason), WireError> {
    let stop = match candidate.word("finishReason") {
        Some("STOP") => StopReason::End,
        Some("MAX_TOKENS") => StopReason::Length,
        Some(
            "SAFETY"
            | "RECITATION"
            | "BLOCKLIST"
            | "PROHIBITED_CONTENT"
            | "SPII"
            | "IMAGE_SAFETY"
            | "IMAGE_PROHIBITED_CONTENT"
            | "IMAGE_RECITATION",
        ) => StopReason::Filtered,
        Some(other) => StopReason::Other(other.to_owned()),
        None => StopReason::unknown(),
    };
    // An answer that was cut off or filtered can have no content at all.
    let parts = match candidate.get("content") {
        None if candidate.get("finishReason").is_some() => Vec::new(),
        _ => candidate.need("content", "a content")?.list("parts")?,
    };
    let mut pieces = Vec::new();
    let mut calls = 0;
    for part in parts {
        let signature = part.text_if_any("thoughtSignature")?;
        let piece = read_part(&part, &mut calls)?;
        let unsigned = signature.is_none();
        if unsigned && (says_nothing(&piece) || extend(pieces.last_mut(), &piece)) {
            continue;
        }
        let is_native = matches!(piece, Content::Native { .. });
        pieces.push(piece);
        if let Some(data) = signature.filter(|_| !is_native) {
            pieces.push(Content::Signature {
                data: data.to_owned(),
            });
        }
    }
    Ok((pieces, stop))
}

/// Adds a text to the text before it, as streams cut them anywhere.
fn extend(before: Option<&mut Content>, piece: &Content) -> bool {
    match (before, piece) {
        (Some(Content::Text { text }), Content::Text { text: more })
        | (Some(Content::Thought { text }), Content::Thought { text: more }) => {
            text.push_str(more);
            true
        }
        _ => false,
    }
}

fn read_part(part: &Cursor<'_>, calls: &mut usize) -> Result<Content, WireError> {
    if let Some(text) = part.text_if_any("text")? {
        let text = text.to_owned();
        return Ok(match part.value.get("thought") {
            Some(Value::Bool(true)) => Content::Thought { text },
            _ => Content::Text { text },
        });
    }
    if let Some(call) = part.get("functionCall") {
        *calls += 1;
        let id = call.text_if_any("id")?.filter(|id| !id.is_empty());
        return Ok(Content::ToolCall {
            id: id.map_or_else(|| format!("call_{calls}"), str::to_owned),
            name: call.text("name")?.to_owned(),
            arguments: arguments(call.value.get("args")),
        });
    }
    // Sound, video and documents travel in the same way as images.
    let image = |key, place: &str| {
        let blob = part.get(key)?;
        let mime = blob
            .word("mimeType")
            .filter(|mime| mime.starts_with("image/"))?;
        Some((mime.to_owned(), blob.word(place)?.to_owned()))
    };
    let inline = image("inlineData", "data").map(|(mime, data)| (mime, ImageSource::Data(data)));
    let linked = || image("fileData", "fileUri").map(|(mime, url)| (mime, ImageSource::Url(url)));
    Ok(match inline.or_else(linked) {
        Some((mime, source)) => Content::Image { mime, source },
        None => Content::Native {
            format: FORMAT.to_owned(),
            value: part.value.clone(),
        },
    })
}

/// An object without properties is refused as a schema: such a function is declared without parameters.
fn declaration(tool: &ToolSpec, json_schema: bool) -> Result<Value, WireError> {
    let schema = tool.parameters();
    let mut function = json!({ "name": tool.name(), "description": tool.description() });
    let properties = schema.get("properties").and_then(Value::as_object);
    if !json_schema {
        tools::check_schema(tool, FORMAT, tools::gemini_rule)?;
    }
    if json_schema || !tool.is_strict() {
        function["parametersJsonSchema"] = schema.clone();
    } else if properties.is_some_and(|map| !map.is_empty()) {
        function["parameters"] = tools::openapi_schema(schema);
    }
    Ok(function)
}

fn tool_choice(choice: &ToolChoice) -> Value {
    match choice {
        ToolChoice::Auto => json!({ "mode": "AUTO" }),
        ToolChoice::None => json!({ "mode": "NONE" }),
        ToolChoice::Required => json!({ "mode": "ANY" }),
        ToolChoice::Tool(name) => json!({ "mode": "ANY", "allowedFunctionNames": [name] }),
    }
}

fn response(id: Option<&str>, name: &str, content: &str, is_error: bool) -> Value {
    let key = if is_error { "error" } else { "result" };
    let mut function = json!({ "name": name, "response": { key: content } });
    if let Some(id) = id {
        function["id"] = id.into();
    }
    json!({ "functionResponse": function })
}

struct Writer {
    rules: Rules,
    call_ids: bool,
}

impl Writer {
    fn contents(&self, turns: &[Turn<'_>], opening: &str) -> Result<Vec<Value>, WireError> {
        let mut contents = Vec::with_capacity(turns.len() + 1);
        if lacks_opening(turns, &self.rules) {
            contents.push(json!({ "role": "user", "parts": [{ "text": opening }] }));
        }
        for turn in turns {
            let role = if turn.role == Role::Assistant {
                "model"
            } else {
                "user"
            };
            contents.push(json!({ "role": role, "parts": self.parts(turn)? }));
        }
        Ok(contents)
    }

    fn parts(&self, turn: &Turn<'_>) -> Result<Vec<Value>, WireError> {
        let mut parts: Vec<Value> = Vec::with_capacity(turn.pieces.len());
        let mut signable = false;
        for (index, piece) in turn.pieces.iter().enumerate() {
            if let Content::Signature { data } = &*piece.content {
                let target = parts.last_mut().filter(|_| signable);
                let Some(Value::Object(part)) = target else {
                    return Err(self
                        .rules
                        .unsupported(piece.message, "a signature without a piece before it"));
                };
                part.insert("thoughtSignature".into(), data.as_str().into());
                signable = false;
            } else if turn.signature_after(index).is_some() || !self.rules.is_blank(&piece.content)
            {
                parts.push(self.part(piece)?);
                signable = true;
            }
        }
        match (parts.is_empty(), turn.pieces.first()) {
            (true, Some(piece)) => Err(WireError::Empty {
                message: piece.message,
            }),
            _ => Ok(parts),
        }
    }

    fn part(&self, piece: &Piece<'_>) -> Result<Value, WireError> {
        Ok(match &*piece.content {
            Content::Text { text } => json!({ "text": text }),
            Content::Thought { text } => json!({ "text": text, "thought": true }),
            Content::Image {
                mime,
                source: ImageSource::Data(data),
            } => json!({ "inlineData": { "mimeType": mime, "data": data } }),
            Content::Image {
                mime,
                source: ImageSource::Url(url),
            } => json!({ "fileData": { "mimeType": mime, "fileUri": url } }),
            Content::ToolCall {
                id,
                name,
                arguments,
            } => {
                let mut call = json!({ "name": name, "args": object_arguments(arguments) });
                if self.call_ids {
                    call["id"] = id.as_str().into();
                }
                json!({ "functionCall": call })
            }
            Content::ToolResult {
                id,
                content,
                is_error,
            } => {
                let id = Some(id.as_str()).filter(|_| self.call_ids);
                response(id, piece.tool(), content, *is_error)
            }
            Content::Native { format, value } if format == FORMAT => value.clone(),
            other => return Err(self.rules.unsupported(piece.message, describe(other))),
        })
    }
}

/// The answer so far.
#[doc(hidden)]
#[derive(Default)]
pub struct Assembly {
    about: Map<String, Value>,
    parts: Vec<Value>,
    finish: Option<Value>,
    blocked: bool,
    calls: usize,
}

impl Assemble for Assembly {
    fn event(&mut self, event: &Value, said: &mut Said) -> Result<(), WireError> {
        let root = Cursor::new(event);
        for key in [
            "responseId",
            "modelVersion",
            "usageMetadata",
            "promptFeedback",
        ] {
            if let Some(value) = root.get(key) {
                self.about.insert(key.to_owned(), value.value.clone());
            }
        }
        self.blocked |= is_blocked(&root);
        let is_first = |candidate: &&Cursor<'_>| candidate.count("/index") == 0;
        let candidates = root.list("candidates")?;
        let Some(candidate) = candidates.iter().find(is_first) else {
            return Ok(());
        };
        if let Some(content) = candidate.get("content") {
            for part in content.list("parts")? {
                match read_part(&part, &mut self.calls)? {
                    Content::Text { text } => said.text(&text),
                    Content::Thought { text } => said.thinking(&text),
                    Content::ToolCall {
                        id,
                        name,
                        arguments,
                    } => {
                        let index = said.call(&id, &name);
                        said.arguments(index, &arguments.to_string());
                    }
                    _ => {}
                }
                self.add(part.value);
            }
        }
        if let Some(reason) = candidate.get("finishReason") {
            self.finish = Some(reason.value.clone());
        }
        Ok(())
    }

    fn reply(&mut self) -> Option<Result<Reply, WireError>> {
        let mut whole = std::mem::take(&mut self.about);
        match self.finish.take() {
            Some(reason) => {
                let content = json!({ "parts": std::mem::take(&mut self.parts) });
                let candidate = json!({ "content": content, "finishReason": reason });
                whole.insert("candidates".into(), json!([candidate]));
            }
            None if self.blocked => {}
            None => return None,
        }
        Some(reply(&Value::Object(whole)))
    }
}

impl Assembly {
    /// Adds a part. Reading would join the pieces of a text too; joined at once they take less room.
    fn add(&mut self, part: &Value) {
        let plain = |part: &Value| {
            part.get("text").is_some_and(Value::is_string) && part.get("thoughtSignature").is_none()
        };
        let same = |before: &Value| plain(before) && before.get("thought") == part.get("thought");
        match (
            self.parts.last_mut(),
            part.get("text").and_then(Value::as_str),
        ) {
            (Some(before), Some(text)) if plain(part) && same(before) => {
                if let Some(slot) = before.get_mut("text") {
                    append(slot, text);
                }
            }
            _ => self.parts.push(part.clone()),
        }
    }
}
