use super::{FORMAT, McpArgument, McpPrompt, McpTool, Options};
use crate::message::Content;
use crate::message::ImageSource;
use crate::message::Message;
use crate::message::Role;
use crate::tool::ToolResult;
use crate::wire::Alternation;
use crate::wire::WireError;
use crate::wire::describe;
use crate::wire::turn::Piece;
use crate::wire::turn::Rules;
use crate::wire::turn::conversation;
use serde_json::{Map, Value, json};

/// A JSON-RPC request of a client, such as `call(1, "tools/list", None, &options)`.
pub fn call(
    id: impl Into<Value>,
    method: &str,
    params: Option<Map<String, Value>>,
    options: &Options,
) -> Value {
    let mut request = Map::new();
    request.insert("jsonrpc".into(), "2.0".into());
    request.insert("id".into(), id.into());
    request.insert("method".into(), method.into());
    let mut params = params;
    if options.is_stateless() {
        params
            .get_or_insert_default()
            .insert("_meta".into(), options.meta());
    }
    if let Some(params) = params {
        request.insert("params".into(), params.into());
    }
    Value::Object(request)
}

/// The JSON-RPC answer of a server to the request with this id.
pub fn reply(id: impl Into<Value>, result: Value) -> Value {
    [
        ("jsonrpc", "2.0".into()),
        ("id", id.into()),
        ("result", result),
    ]
    .into_iter()
    .collect()
}

/// The result of `prompts/list`.
pub fn prompts_list(prompts: &[McpPrompt], options: &Options) -> Value {
    list("prompts", prompts.iter().map(prompt).collect(), options)
}

/// The result of `tools/list`.
pub fn tools_list(tools: &[McpTool], options: &Options) -> Value {
    list(
        "tools",
        tools.iter().map(McpTool::to_json).collect(),
        options,
    )
}

/// The result of `prompts/get`: what the prompt is for, and its messages. An empty description is left out.
///
/// # Errors
///
/// [`WireError`], naming the message that the format cannot express, such as one with tool calls.
pub fn prompts_get(
    description: &str,
    messages: &[Message],
    options: &Options,
) -> Result<Value, WireError> {
    let rules = Rules::new(FORMAT, Alternation::AsIs);
    let mut written = Vec::with_capacity(messages.len());
    for turn in &conversation(messages, &rules)? {
        let role = if turn.role == Role::Assistant {
            "assistant"
        } else {
            "user"
        };
        for piece in &turn.pieces {
            written.push(json!({ "role": role, "content": block(piece, &rules)? }));
        }
    }
    let mut result = Map::new();
    if !description.is_empty() {
        result.insert("description".into(), description.into());
    }
    result.insert("messages".into(), written.into());
    Ok(complete(result, options))
}

/// The results of `tools/call`, one per call. A tool that failed answers with `isError`, so that the model sees why.
pub fn tool_results(results: &[ToolResult], options: &Options) -> Vec<Value> {
    let answer = |result: &ToolResult| {
        let mut map = Map::new();
        map.insert(
            "content".into(),
            json!([{ "type": "text", "text": result.content }]),
        );
        map.insert("isError".into(), result.is_error.into());
        complete(map, options)
    };
    results.iter().map(answer).collect()
}

fn list(key: &str, items: Vec<Value>, options: &Options) -> Value {
    let mut result = Map::new();
    result.insert(key.into(), items.into());
    if options.is_stateless() {
        result.insert("ttlMs".into(), options.ttl_ms.into());
        result.insert(
            "cacheScope".into(),
            if options.shared { "public" } else { "private" }.into(),
        );
    }
    complete(result, options)
}

/// From 2026-07-28 on a result says that it is one.
fn complete(result: Map<String, Value>, options: &Options) -> Value {
    if !options.is_stateless() {
        return Value::Object(result);
    }
    let mut marked = Map::new();
    marked.insert("resultType".into(), "complete".into());
    marked.extend(result);
    Value::Object(marked)
}

fn prompt(prompt: &McpPrompt) -> Value {
    let mut map = named(
        &prompt.name,
        prompt.title.as_deref(),
        prompt.description.as_deref(),
    );
    if !prompt.arguments.is_empty() {
        map.insert(
            "arguments".into(),
            prompt.arguments.iter().map(argument).collect(),
        );
    }
    Value::Object(map)
}

fn argument(argument: &McpArgument) -> Value {
    let mut map = named(
        &argument.name,
        argument.title.as_deref(),
        argument.description.as_deref(),
    );
    map.insert("required".into(), argument.required.into());
    Value::Object(map)
}

fn named(name: &str, title: Option<&str>, description: Option<&str>) -> Map<String, Value> {
    let fields = [
        ("name", Some(name)),
        ("title", title),
        ("description", description),
    ];
    fields
        .into_iter()
        .filter_map(|(key, value)| Some((key.to_owned(), value?.into())))
        .collect()
}

fn block(piece: &Piece<'_>, rules: &Rules) -> Result<Value, WireError> {
    Ok(match piece.content {
        Content::Text { text } => json!({ "type": "text", "text": text }),
        Content::Image {
            mime,
            source: ImageSource::Data(data),
        } => {
            json!({ "type": "image", "data": data, "mimeType": mime })
        }
        Content::Image { .. } => {
            return Err(rules.unsupported(piece.message, "an image by its address; send its bytes"));
        }
        Content::Resource { uri, mime, text } => {
            let resource = match mime {
                Some(mime) => json!({ "uri": uri, "mimeType": mime, "text": text }),
                None => json!({ "uri": uri, "text": text }),
            };
            json!({ "type": "resource", "resource": resource })
        }
        Content::Native { format, value } if format == FORMAT => value.clone(),
        other => return Err(rules.unsupported(piece.message, describe(other))),
    })
}
