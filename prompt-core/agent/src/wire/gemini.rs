//! Google's Gemini, `POST /v1beta/models/{model}:generateContent`. The model stands in the address, not in the body;
//! streaming is another address (`:streamGenerateContent?alt=sse`).
//!
//! - System messages at the start are the `systemInstruction`, joined by blank lines. Further down there is no system
//!   role: see [`RequestOptions::late_system`](crate::wire::RequestOptions::late_system).
//! - Turns alternate and the first is the user's; results of tools open the user turn that follows their call. A result
//!   is `{"result": text}`, or `{"error": text}` for a tool that failed. An answer of the model that says nothing is left
//!   out.
//! - A call that came with an id goes back with it, and so does its response. Others have no id on this wire unless
//!   [`RequestOptions::call_ids`](crate::wire::RequestOptions::call_ids) asks for it: they are `call_1`, `call_2`, .. in
//!   order, and matched by name and order.
//! - A `thoughtSignature` becomes a [`Content::Signature`] after its piece, and goes back on the part it came with. It
//!   only fits the model that wrote it. Neighbouring text parts with nothing beside them are read as one text. Fields
//!   beside a part that this library has no word for are [`Content::Extra`]. What stands beside the content (grounding,
//!   ratings) has no place in a request: it is in [`Reply::raw`].
//! - A schema must have enums of strings only, with their type; that of a loose tool travels as `parametersJsonSchema`.
//! - Arguments are objects only: a call whose arguments the model broke goes back with `{}`.
//! - Cache points are ignored: the provider caches the prefix by itself.
//!
//! Source: Google's Gemini API reference, "Generating content", and the guide "Thought signatures".
//!
//! ```
//! use prompt_core::Message;
//! use prompt_agent::wire::{RequestOptions, gemini};
//!
//! let messages = [Message::system("Be brief."), Message::user("Hello")];
//! let body = gemini::request(&messages, &[], &RequestOptions::new("gemini-3-flash"))?;
//! assert_eq!(body["systemInstruction"]["parts"][0]["text"], "Be brief.");
//! # Ok::<(), prompt_agent::wire::WireError>(())
//! ```

use super::answer;
use super::arguments::{arguments, object_arguments};
use super::dialect;
use super::names::plain_name;
use super::piece::{Picture, Piece, Says};
use super::reply::{Cursor, beside, check_error, extra, first, native, present, says_nothing};
use super::stream::{self, Assemble, Said, grow};
use super::tools;
use super::turn::{Blank, Rules, Turn, conversation, joined, leading_system};
use super::{LateSystem, Reply, StopReason, ToolChoice, Usage, WireError};
use prompt_core::message::{Content, ImageSource, Message, Role};
use prompt_core::tool::{ToolCall, ToolResult, ToolSpec};
use serde_json::{Map, Value, json};

const FORMAT: &str = "gemini";

pub use super::RequestOptions as Options;

/// Reads a streamed reply: events are `GenerateContentResponse` objects, each with the next parts. The last one that
/// counts has a `finishReason`.
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
        let late = match options.late_system {
            Some(LateSystem::User) => LateSystem::User,
            _ => LateSystem::Refuse,
        };
        let rules = Rules::alternating(FORMAT, options, late, Blank::Empty);
        let turns = conversation(messages, &rules)?;
        let (system, rest) = turns.split_at(leading_system(&turns));
        let writer = Writer {
            rules,
            call_ids: options.call_ids,
        };
        let declared = tools
            .iter()
            .map(|tool| declaration(tool, options.json_schema));
        let declared = json!([{ "functionDeclarations": declared.collect::<Result<Value, _>>()? }]);
        let contents = writer.contents(rest)?;
        let answer = options.answer_tool(FORMAT)?;
        if let Some(answer) = answer {
            tools::check_schema(answer, FORMAT, dialect::gemini_rule)?;
        }
        let config = present(json!({
            "maxOutputTokens": options.max_tokens,
            "responseMimeType": answer.map(|_| "application/json"),
            "responseSchema": answer.map(|tool| dialect::openapi_schema(tool.parameters())),
        }));
        let choice = options.choice(tools).map(tool_choice);
        Ok(json!({
            "systemInstruction": (!system.is_empty()).then(|| json!({ "parts": [{ "text": joined(system) }] })),
            "contents": contents,
            "tools": Some(declared).filter(|_| !tools.is_empty()),
            "toolConfig": choice.map(|choice| json!({ "functionCallingConfig": choice })),
            "generationConfig": Some(config).filter(|config| *config != json!({})),
        }))
    })
}

/// The content that answers tool calls: one of the user, with all results. Ids are not written; results are matched by
/// name and order.
pub fn tool_results(results: &[ToolResult]) -> Vec<Value> {
    if results.is_empty() {
        return Vec::new();
    }
    let answer = |result: &ToolResult| {
        let name = plain_name(&result.name);
        response(None, &name, &result.content, result.is_error)
    };
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
    let thoughts = "/usageMetadata/thoughtsTokenCount";
    let usage = Usage {
        input: root.sum(&[
            "/usageMetadata/promptTokenCount",
            "/usageMetadata/toolUsePromptTokenCount",
        ]),
        output: root.sum(&["/usageMetadata/candidatesTokenCount", thoughts]),
        cache_read: root.count("/usageMetadata/cachedContentTokenCount"),
        cache_write: 0,
        reasoning: root.count(thoughts),
    };
    let candidate = first(root.list("candidates")?);
    let blocked = root.get("promptFeedback");
    let blocked = blocked.and_then(|feedback| feedback.get("blockReason"));
    let (pieces, stop) = match &candidate {
        Some(candidate) => read_candidate(candidate)?,
        None if blocked.is_some() => (Vec::new(), StopReason::Filtered),
        None => {
            let candidates = root.need("candidates", "a list of candidates")?;
            return Err(candidates.expected("a candidate"));
        }
    };
    let finish = candidate.and_then(|candidate| candidate.word("finishReason"));
    let word = finish.or(blocked.and_then(|reason| reason.value.as_str()));
    let reply = Reply::new(&root, ["responseId", "modelVersion"], pieces, stop, usage)?;
    Ok(reply.refused_for(word))
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
        Some(other) => StopReason::from(other.to_owned()),
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
        let (piece, known) = read_part(&part, &mut calls)?;
        let mut fields = known.and_then(|known| beside(FORMAT, part.value, known));
        let is_bare = signature.is_none() && fields.is_none();
        if is_bare && (says_nothing(&piece) || extend(pieces.last_mut(), &piece)) {
            continue;
        }
        let signature = signature.filter(|_| known.is_some());
        // Thoughts that are signed are Anthropic's, unless something says otherwise.
        if signature.is_some() && matches!(piece, Content::Thought { .. }) {
            fields = fields.or(Some(extra(FORMAT, json!({}))));
        }
        pieces.push(piece);
        let data = signature.map(str::to_owned);
        pieces.extend(data.map(|data| Content::Signature { data }));
        pieces.extend(fields);
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

/// The piece that a part is, and the places of the part that it holds; a native piece holds all.
fn read_part(
    part: &Cursor<'_>,
    calls: &mut usize,
) -> Result<(Content, Option<&'static [&'static str]>), WireError> {
    let is_thought = part.value.get("thought") == Some(&Value::Bool(true));
    if let Some(text) = part.text_if_any("text")? {
        let text = text.to_owned();
        return Ok(if is_thought {
            let known = &["/text", "/thought", SIGNATURE];
            (Content::Thought { text }, Some(known))
        } else {
            (Content::Text { text }, Some(&["/text", SIGNATURE]))
        });
    }
    if let Some(call) = part.get("functionCall")
        && call.get("name").is_some()
    {
        *calls += 1;
        let id = call.text_if_any("id")?.filter(|id| !id.is_empty());
        let id = id.map_or_else(|| format!("call_{calls}"), str::to_owned);
        let call = ToolCall::new(id, call.text("name")?, arguments(call.value.get("args")));
        let known = &["/functionCall/name", "/functionCall/args", SIGNATURE];
        return Ok((call.into(), Some(known)));
    }
    // Sound, video and documents travel in the same way as images; an image that is a thought is no answer.
    let image = |key, place: &str| {
        let blob = part.get(key).filter(|_| !is_thought)?;
        let mime = blob.word("mimeType")?;
        let is_image = mime.starts_with("image/");
        is_image.then_some((mime.to_owned(), blob.word(place)?.to_owned()))
    };
    if let Some((mime, data)) = image("inlineData", "data") {
        let source = ImageSource::Data(data);
        let known = &["/inlineData/mimeType", "/inlineData/data", SIGNATURE];
        return Ok((Content::Image { mime, source }, Some(known)));
    }
    if let Some((mime, url)) = image("fileData", "fileUri") {
        let source = ImageSource::Url(url);
        let known = &["/fileData/mimeType", "/fileData/fileUri", SIGNATURE];
        return Ok((Content::Image { mime, source }, Some(known)));
    }
    Ok((native(FORMAT, part.value.clone()), None))
}

const SIGNATURE: &str = "/thoughtSignature";

/// An object without properties is refused as a schema: such a function is declared without parameters, and one with such
/// an object further down in real JSON Schema.
fn declaration(tool: &ToolSpec, json_schema: bool) -> Result<Value, WireError> {
    let schema = tool.parameters();
    let mut function = json!({ "name": tool.name(), "description": tool.description() });
    let properties = schema.get("properties").and_then(Value::as_object);
    if !json_schema {
        tools::check_schema(tool, FORMAT, dialect::gemini_rule)?;
    }
    let has_arguments = properties.is_some_and(|map| !map.is_empty());
    if json_schema || !tool.is_strict() || has_arguments && dialect::has_empty_object(schema) {
        function["parametersJsonSchema"] = schema.clone();
    } else if has_arguments {
        function["parameters"] = dialect::openapi_schema(schema);
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
    let function = json!({ "name": name, "response": { key: content }, "id": id });
    json!({ "functionResponse": present(function) })
}

fn image(mime: &str, source: Picture<'_>) -> Value {
    match source {
        Picture::Bytes(data) => json!({ "inlineData": { "mimeType": mime, "data": data } }),
        Picture::Address(url) => json!({ "fileData": { "mimeType": mime, "fileUri": url } }),
    }
}

struct Writer {
    rules: Rules,
    call_ids: bool,
}

impl Writer {
    fn contents(&self, turns: &[Turn<'_>]) -> Result<Value, WireError> {
        let content = |turn: &Turn<'_>| {
            let is_model = turn.role == Role::Assistant;
            let role = if is_model { "model" } else { "user" };
            Ok(json!({ "role": role, "parts": self.parts(turn)? }))
        };
        turns.iter().map(content).collect()
    }

    fn parts(&self, turn: &Turn<'_>) -> Result<Vec<Value>, WireError> {
        turn.write(&self.rules, |piece| {
            let mut part = piece.complete(self.part(piece)?);
            if let Some(signature) = piece.signature {
                part["thoughtSignature"] = signature.into();
            }
            Ok(part)
        })
    }

    fn part(&self, piece: &Piece<'_>) -> Result<Value, WireError> {
        Ok(match piece.says() {
            Says::Text(text) => json!({ "text": text }),
            Says::Thought(text) => json!({ "text": text, "thought": true }),
            Says::Image(mime, source) => image(mime, source),
            Says::Call(id, name, arguments) => {
                let (id, args) = (self.call_ids.then_some(id), object_arguments(arguments));
                let call = json!({ "name": name, "args": args, "id": id });
                json!({ "functionCall": present(call) })
            }
            Says::Result(id, text, is_error) => {
                let with_id = self.call_ids || piece.call_has("/functionCall/id");
                let id = with_id.then_some(id);
                let mut part = response(id, &piece.tool(), text, is_error);
                let images = piece.images(image);
                if !images.is_empty() {
                    part["functionResponse"]["parts"] = images.into();
                }
                part
            }
            Says::Native(value) => value.clone(),
            _ => return Err(self.rules.refuse(piece)),
        })
    }
}

/// The answer so far.
#[doc(hidden)]
#[derive(Default)]
pub struct Assembly {
    about: Map<String, Value>,
    /// What stands beside the content in its candidate.
    candidate: Map<String, Value>,
    parts: Vec<Value>,
    calls: usize,
    /// The call whose arguments are still coming: its index among the deltas.
    open: Option<usize>,
}

impl Assemble for Assembly {
    fn event(&mut self, event: &Value, said: &mut Said) -> Result<(), WireError> {
        let root = Cursor::new(event);
        root.copy_into(&mut self.about, &["candidates"]);
        let Some(candidate) = first(root.list("candidates")?) else {
            return Ok(());
        };
        candidate.copy_into(&mut self.candidate, &["content"]);
        if let Some(content) = candidate.get("content") {
            for part in content.list("parts")? {
                self.part(&part, said)?;
            }
        }
        if self.is_done() {
            self.close(said);
        }
        Ok(())
    }

    fn is_done(&self) -> bool {
        let reason = self.candidate.get("finishReason");
        reason.is_some_and(|reason| reason != "FINISH_REASON_UNSPECIFIED") || self.is_blocked()
    }

    fn is_closed(&self) -> bool {
        false
    }

    fn is_last(&self, event: &Value) -> bool {
        event["candidates"][0]["finishReason"].is_string()
    }

    fn reply(&mut self) -> Option<Result<Reply, WireError>> {
        if !self.is_done() {
            return None;
        }
        let mut whole = std::mem::take(&mut self.about);
        let mut candidate = std::mem::take(&mut self.candidate);
        // A blocked prompt has no candidate.
        if candidate.contains_key("finishReason") {
            let parts = std::mem::take(&mut self.parts);
            candidate.insert("content".into(), json!({ "role": "model", "parts": parts }));
            whole.insert("candidates".into(), json!([candidate]));
        }
        Some(reply(&Value::Object(whole)))
    }

    /// Its events are whole answers, with a part of the parts.
    fn is_whole(&self, _: &Value) -> bool {
        false
    }

    fn read(&self, whole: &Value) -> Result<Reply, WireError> {
        reply(whole)
    }
}

impl Assembly {
    fn is_blocked(&self) -> bool {
        let feedback = self.about.get("promptFeedback");
        feedback.is_some_and(|feedback| feedback["blockReason"].is_string())
    }

    /// Adds a part. Reading would join the pieces of a text too; joined at once they take less room.
    fn part(&mut self, part: &Cursor<'_>, said: &mut Said) -> Result<(), WireError> {
        if let Some(call) = part.get("functionCall") {
            let goes_on = call.value.get("willContinue") == Some(&Value::Bool(true));
            if call.word("name").is_some_and(|name| !name.is_empty()) {
                self.close(said);
            }
            if self.open.is_some() || goes_on || call.get("partialArgs").is_some() {
                return self.partial_call(part, &call, goes_on, said);
            }
        }
        match read_part(part, &mut self.calls)?.0 {
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
        let is_plain = |part: &Value| {
            let known = |key: &String| key == "text" || key == "thought";
            part["text"].is_string() && part.as_object().is_some_and(|map| map.keys().all(known))
        };
        let same = |before: &&mut Value| {
            is_plain(before) && before.get("thought") == part.value.get("thought")
        };
        match self.parts.last_mut().filter(same) {
            Some(before) if is_plain(part.value) => {
                grow(before, &json!({ "text": part.value["text"] }));
            }
            _ => self.parts.push(part.value.clone()),
        }
        Ok(())
    }

    /// Adds a piece of a call whose arguments come one by one, each with its place.
    fn partial_call(
        &mut self,
        part: &Cursor<'_>,
        call: &Cursor<'_>,
        goes_on: bool,
        said: &mut Said,
    ) -> Result<(), WireError> {
        let index = if let Some(index) = self.open {
            index
        } else {
            let mut begun = part.value.clone();
            let read = read_part(part, &mut self.calls)?.0;
            let (Content::ToolCall { id, name, .. }, Some(call)) =
                (read, begun["functionCall"].as_object_mut())
            else {
                return Err(call.expected("a call with the name of its tool"));
            };
            call.retain(|key, _| key != "partialArgs" && key != "willContinue");
            call.shift_remove("args");
            call.insert("args".into(), json!({}));
            self.parts.push(begun);
            said.call(&id, &name)
        };
        self.open = Some(index);
        let Some(args) = self.open_args() else {
            return Ok(());
        };
        if let Some(given) = call.get("args") {
            grow(args, given.value);
        }
        for piece in call.list("partialArgs")? {
            let place = place(args, piece.text("jsonPath")?);
            let kinds = ["stringValue", "numberValue", "boolValue"];
            if let Some(value) = kinds.iter().find_map(|kind| piece.value.get(kind)) {
                grow(place, value);
            }
        }
        if !goes_on {
            self.close(said);
        }
        Ok(())
    }

    /// The arguments of the call that is open, which is the last.
    fn open_args(&mut self) -> Option<&mut Value> {
        let mut parts = self.parts.iter_mut().rev();
        parts.find_map(|part| part.pointer_mut("/functionCall/args"))
    }

    /// Nothing more comes of the call that is open: its arguments are told.
    fn close(&mut self, said: &mut Said) {
        if let Some(index) = self.open.take()
            && let Some(args) = self.open_args()
        {
            said.arguments(index, &args.to_string());
        }
    }
}

/// The place that a path such as `$.list[0].name` or `$['a.b']` names, made where it is missing.
fn place<'v>(mut value: &'v mut Value, path: &str) -> &'v mut Value {
    let mut rest = path.strip_prefix('$').unwrap_or(path);
    while !rest.is_empty() {
        let (step, behind) = next_step(rest);
        rest = behind;
        value = match step {
            Step::At(at) => {
                if !value.is_array() {
                    *value = json!([]);
                }
                if let Some(list) = value.as_array_mut()
                    && list.len() <= at
                {
                    list.push(Value::Null);
                }
                let last = value.as_array().map_or(0, Vec::len) - 1;
                &mut value[at.min(last)]
            }
            Step::Name(name) if name.is_empty() => continue,
            Step::Name(name) => {
                if !value.is_object() {
                    *value = json!({});
                }
                &mut value[name]
            }
        };
    }
    value
}

/// A step of a path of JSON (RFC 9535, section 2.7).
enum Step {
    Name(String),
    At(usize),
}

/// The first step of a path, and what is behind it. What stands in quotes is a name, whatever is in it.
fn next_step(path: &str) -> (Step, &str) {
    let inner = path.strip_prefix('[');
    let quote = inner.and_then(|inner| inner.chars().next());
    if let (Some(inner), Some(quote @ ('\'' | '"'))) = (inner, quote) {
        let (mut name, mut chars) = (String::new(), inner.chars());
        chars.next();
        while let Some(next) = chars.next().filter(|next| *next != quote) {
            let escaped = if next == '\\' { chars.next() } else { None };
            name.push(escaped.unwrap_or(next));
        }
        let rest = chars.as_str();
        return (Step::Name(name), rest.strip_prefix(']').unwrap_or(rest));
    }
    let path = path.trim_start_matches(['.', '[']);
    let (name, rest) = path.split_at(path.find(['.', '[']).unwrap_or(path.len()));
    let name = name.trim_end_matches(']');
    let step = name.parse().map(Step::At);
    (step.unwrap_or_else(|_| Step::Name(name.to_owned())), rest)
}
