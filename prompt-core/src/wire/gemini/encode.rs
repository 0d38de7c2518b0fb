use super::{FORMAT, Options};
use crate::message::Content;
use crate::message::ImageSource;
use crate::message::Message;
use crate::message::Role;
use crate::tool::ToolResult;
use crate::tool::ToolSpec;
use crate::wire::ToolChoice;
use crate::wire::WireError;
use crate::wire::describe;
use crate::wire::tools;
use crate::wire::turn::Piece;
use crate::wire::turn::Rules;
use crate::wire::turn::Turn;
use crate::wire::turn::conversation;
use crate::wire::turn::lacks_opening;
use crate::wire::turn::leading_system;
use serde_json::{Map, Value, json};

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
    tools::check_names(tools)?;
    let rules = options.rules();
    let turns = conversation(messages, &rules)?;
    let (system, rest) = turns
        .split_at_checked(leading_system(&turns))
        .unwrap_or((&[], &turns));
    let mut body = Map::new();
    if !system.is_empty() {
        let texts: Vec<String> = system.iter().map(Turn::joined_text).collect();
        body.insert(
            "systemInstruction".into(),
            json!({ "parts": [{ "text": texts.join("\n\n") }] }),
        );
    }
    let writer = Writer {
        rules,
        call_ids: options.call_ids,
    };
    body.insert("contents".into(), writer.contents(rest, options)?.into());
    if !tools.is_empty() {
        let declared: Vec<Value> = tools
            .iter()
            .map(|tool| declaration(tool, options.json_schema))
            .collect();
        body.insert(
            "tools".into(),
            json!([{ "functionDeclarations": declared }]),
        );
        if let Some(choice) = &options.tool_choice {
            body.insert(
                "toolConfig".into(),
                json!({ "functionCallingConfig": tool_choice(choice) }),
            );
        }
    }
    if let Some(tokens) = options.max_tokens {
        body.insert(
            "generationConfig".into(),
            json!({ "maxOutputTokens": tokens }),
        );
    }
    tools::add_extra(&mut body, &options.extra);
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

/// An object without properties is refused as a schema: such a function is declared without parameters.
fn declaration(tool: &ToolSpec, json_schema: bool) -> Value {
    let mut function = Map::new();
    function.insert("name".into(), tool.name.clone().into());
    function.insert("description".into(), tool.description.clone().into());
    let has_properties = tool
        .parameters
        .get("properties")
        .and_then(Value::as_object)
        .is_some_and(|map| !map.is_empty());
    if json_schema {
        function.insert("parametersJsonSchema".into(), tool.parameters.clone());
    } else if has_properties {
        function.insert("parameters".into(), tools::openapi_schema(&tool.parameters));
    }
    Value::Object(function)
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
    let mut function = Map::new();
    if let Some(id) = id {
        function.insert("id".into(), id.into());
    }
    function.insert("name".into(), name.into());
    function.insert("response".into(), json!({ key: content }));
    json!({ "functionResponse": function })
}

fn call(id: Option<&str>, name: &str, arguments: &Value) -> Value {
    let mut function = Map::new();
    if let Some(id) = id {
        function.insert("id".into(), id.into());
    }
    function.insert("name".into(), name.into());
    function.insert("args".into(), arguments.clone());
    json!({ "functionCall": function })
}

struct Writer {
    rules: Rules,
    call_ids: bool,
}

impl Writer {
    fn contents(&self, turns: &[Turn<'_>], options: &Options) -> Result<Vec<Value>, WireError> {
        let mut contents = Vec::with_capacity(turns.len() + 1);
        if lacks_opening(turns) {
            contents.push(json!({ "role": "user", "parts": [{ "text": options.opening }] }));
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
            if let Content::Signature { data } = piece.content {
                let target = parts
                    .last_mut()
                    .filter(|_| signable)
                    .and_then(Value::as_object_mut);
                let alone = || {
                    self.rules
                        .unsupported(piece.message, "a signature without a piece before it")
                };
                target
                    .ok_or_else(alone)?
                    .insert("thoughtSignature".into(), data.as_str().into());
                signable = false;
            } else if is_said(piece, turn.signature_after(index)) {
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
        let id = |id| Some(id).filter(|_| self.call_ids);
        Ok(match piece.content {
            Content::Text { text } => json!({ "text": text }),
            Content::Thought { text } => json!({ "text": text, "thought": true }),
            Content::Image { mime, source } => image(mime, source),
            Content::ToolCall {
                id: call_id,
                name,
                arguments,
            } => call(id(call_id.as_str()), name, arguments),
            Content::ToolResult {
                id: call_id,
                content,
                is_error,
            } => response(
                id(call_id.as_str()),
                piece.tool.unwrap_or_default(),
                content,
                *is_error,
            ),
            Content::Native { format, value } if format == FORMAT => value.clone(),
            other => return Err(self.rules.unsupported(piece.message, describe(other))),
        })
    }
}

/// An empty text is refused by the provider, unless it carries a signature.
fn is_said(piece: &Piece<'_>, signature: Option<&str>) -> bool {
    signature.is_some() || piece.content.as_text().is_none_or(|text| !text.is_empty())
}

fn image(mime: &str, source: &ImageSource) -> Value {
    match source {
        ImageSource::Data(data) => json!({ "inlineData": { "mimeType": mime, "data": data } }),
        ImageSource::Url(url) => json!({ "fileData": { "mimeType": mime, "fileUri": url } }),
    }
}
