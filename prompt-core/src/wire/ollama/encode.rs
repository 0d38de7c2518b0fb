use super::Options;
use crate::message::Content;
use crate::message::ImageSource;
use crate::message::Message;
use crate::message::Role;
use crate::tool::ToolResult;
use crate::tool::ToolSpec;
use crate::wire::Alternation;
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
    let writer = Writer {
        rules,
        call_ids: options.call_ids,
    };
    let mut written = Vec::with_capacity(turns.len() + 1);
    for turn in &turns {
        writer.turn(turn, &mut written)?;
    }
    if rules.alternation == Alternation::Strict && lacks_opening(&turns) {
        written.insert(
            leading_system(&turns),
            json!({ "role": "user", "content": options.opening }),
        );
    }
    let mut body = Map::new();
    body.insert("model".into(), options.model.clone().into());
    body.insert("messages".into(), written.into());
    if !tools.is_empty() {
        body.insert("tools".into(), tools.iter().map(tool).collect());
    }
    body.insert("stream".into(), options.stream.into());
    if let Some(tokens) = options.max_tokens {
        body.insert("options".into(), json!({ "num_predict": tokens }));
    }
    tools::add_extra(&mut body, &options.extra);
    Ok(Value::Object(body))
}

/// The messages that answer tool calls: one per result. Ids are not written; results are matched by name and order.
pub fn tool_results(results: &[ToolResult]) -> Vec<Value> {
    results
        .iter()
        .map(|result| tool_message(&result.name, None, &result.content))
        .collect()
}

fn tool(spec: &ToolSpec) -> Value {
    json!({
        "type": "function",
        "function": {
            "name": spec.name,
            "description": spec.description,
            "parameters": tools::open_schema(&spec.parameters),
        },
    })
}

fn tool_message(name: &str, id: Option<&str>, content: &str) -> Value {
    let mut message = Map::new();
    message.insert("role".into(), "tool".into());
    message.insert("tool_name".into(), name.into());
    if let Some(id) = id {
        message.insert("tool_call_id".into(), id.into());
    }
    message.insert("content".into(), content.into());
    Value::Object(message)
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
            match piece.content {
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
        if let (Some(map), false) = (message.as_object_mut(), images.is_empty()) {
            map.insert("images".into(), images.into());
        }
        Ok(message)
    }

    fn assistant(&self, turn: &Turn<'_>) -> Result<Value, WireError> {
        let mut thoughts = Vec::new();
        let mut calls = Vec::new();
        for piece in &turn.pieces {
            match piece.content {
                Content::Text { .. } => {}
                Content::Thought { text } => thoughts.push(text.as_str()),
                Content::ToolCall {
                    id,
                    name,
                    arguments,
                } => calls.push(self.call(id, name, arguments)),
                other => return Err(self.rules.unsupported(piece.message, describe(other))),
            }
        }
        let mut message = Map::new();
        message.insert("role".into(), "assistant".into());
        if !thoughts.is_empty() {
            message.insert("thinking".into(), thoughts.join("\n\n").into());
        }
        message.insert("content".into(), turn.joined_text().into());
        if !calls.is_empty() {
            message.insert("tool_calls".into(), calls.into());
        }
        Ok(Value::Object(message))
    }

    fn call(&self, id: &str, name: &str, arguments: &Value) -> Value {
        let function = json!({ "name": name, "arguments": arguments });
        if self.call_ids {
            json!({ "id": id, "function": function })
        } else {
            json!({ "function": function })
        }
    }

    fn result(&self, piece: &Piece<'_>) -> Option<Value> {
        let Content::ToolResult { id, content, .. } = piece.content else {
            return None;
        };
        let id = Some(id.as_str()).filter(|_| self.call_ids);
        Some(tool_message(piece.tool.unwrap_or_default(), id, content))
    }
}
