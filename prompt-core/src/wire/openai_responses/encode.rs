use super::{FORMAT, Options};
use crate::message::Content;
use crate::message::Message;
use crate::message::Role;
use crate::tool::ToolResult;
use crate::tool::ToolSpec;
use crate::wire::Alternation;
use crate::wire::ToolChoice;
use crate::wire::WireError;
use crate::wire::describe;
use crate::wire::openai_parts;
use crate::wire::tools;
use crate::wire::turn::Piece;
use crate::wire::turn::Rules;
use crate::wire::turn::Turn;
use crate::wire::turn::conversation;
use crate::wire::turn::lacks_opening;
use crate::wire::turn::leading_system;
use crate::wire::turn::settle_cache;
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
    let mut turns = conversation(messages, &rules)?;
    settle_cache(&mut turns, false, |role, piece| {
        options.breakpoints && bears(role, piece)
    });
    let explicit = turns
        .iter()
        .flat_map(|turn| &turn.pieces)
        .any(|piece| piece.cache.is_some());
    let mut body = Map::new();
    body.insert("model".into(), options.model.clone().into());
    let leading = if options.instructions && !explicit {
        leading_system(&turns)
    } else {
        0
    };
    let (instructions, input) = turns.split_at_checked(leading).unwrap_or((&[], &turns));
    if !instructions.is_empty() {
        let texts: Vec<String> = instructions.iter().map(Turn::joined_text).collect();
        body.insert("instructions".into(), texts.join("\n\n").into());
    }
    let writer = Writer {
        rules,
        system: options.system_role.name(),
        parts: explicit,
    };
    body.insert("input".into(), writer.input(input, options)?.into());
    if !tools.is_empty() {
        body.insert("tools".into(), tools.iter().map(tool).collect());
        if let Some(choice) = &options.tool_choice {
            body.insert("tool_choice".into(), tool_choice(choice));
        }
    }
    add_settings(&mut body, options);
    openai_parts::add_fields(&mut body, options.cache_key.as_deref(), explicit);
    tools::add_extra(&mut body, &options.extra);
    Ok(Value::Object(body))
}

/// The items that answer tool calls: one per result.
pub fn tool_results(results: &[ToolResult]) -> Vec<Value> {
    results
        .iter()
        .map(|result| output_item(&result.id, result.content.as_str().into()))
        .collect()
}

/// Breakpoints stand on content parts, which messages of the model do not have in the input.
fn bears(role: Role, piece: &Content) -> bool {
    match piece {
        Content::Text { .. } | Content::Image { .. } => role != Role::Assistant,
        Content::ToolResult { .. } => true,
        _ => false,
    }
}

fn add_settings(body: &mut Map<String, Value>, options: &Options) {
    if let Some(tokens) = options.max_tokens {
        body.insert("max_output_tokens".into(), tokens.into());
    }
    if let Some(stream) = options.stream {
        body.insert("stream".into(), stream.into());
    }
    if let Some(id) = &options.previous_response_id {
        body.insert("previous_response_id".into(), id.as_str().into());
    }
    body.insert("store".into(), options.store.into());
}

fn tool(spec: &ToolSpec) -> Value {
    json!({
        "type": "function",
        "name": spec.name,
        "description": spec.description,
        "parameters": spec.parameters,
        "strict": true,
    })
}

fn tool_choice(choice: &ToolChoice) -> Value {
    match choice {
        ToolChoice::Auto => "auto".into(),
        ToolChoice::None => "none".into(),
        ToolChoice::Required => "required".into(),
        ToolChoice::Tool(name) => json!({ "type": "function", "name": name }),
    }
}

fn message_item(role: &str, content: Value) -> Value {
    [
        ("type", "message".into()),
        ("role", role.into()),
        ("content", content),
    ]
    .into_iter()
    .collect()
}

fn output_item(id: &str, output: Value) -> Value {
    [
        ("type", "function_call_output".into()),
        ("call_id", id.into()),
        ("output", output),
    ]
    .into_iter()
    .collect()
}

struct Writer {
    rules: Rules,
    system: &'static str,
    /// Whether results are written as parts: parts can carry breakpoints, and an item must not change its form when
    /// the breakpoint moves on.
    parts: bool,
}

impl Writer {
    fn input(&self, turns: &[Turn<'_>], options: &Options) -> Result<Vec<Value>, WireError> {
        let mut items = Vec::with_capacity(turns.len() + 1);
        for turn in turns {
            match turn.role {
                Role::System => items.push(self.spoken(self.system, turn)?),
                Role::User => items.push(self.spoken("user", turn)?),
                Role::Assistant => {
                    for piece in &turn.pieces {
                        items.push(self.own_item(piece)?);
                    }
                }
                Role::Tool => {
                    items.extend(turn.pieces.iter().filter_map(|piece| self.output(piece)))
                }
            }
        }
        if self.rules.alternation == Alternation::Strict && lacks_opening(turns) {
            let opening = message_item(
                "user",
                json!([{ "type": "input_text", "text": options.opening }]),
            );
            items.insert(leading_system(turns), opening);
        }
        Ok(items)
    }

    fn spoken(&self, role: &str, turn: &Turn<'_>) -> Result<Value, WireError> {
        let parts: Result<Value, WireError> =
            turn.pieces.iter().map(|piece| self.part(piece)).collect();
        Ok(message_item(role, parts?))
    }

    fn part(&self, piece: &Piece<'_>) -> Result<Value, WireError> {
        let mut part = match piece.content {
            Content::Text { text } => json!({ "type": "input_text", "text": text }),
            Content::Image { mime, source } => {
                let url = openai_parts::image_url(mime, source);
                json!({ "type": "input_image", "detail": "auto", "image_url": url })
            }
            other => return self.native(piece, other),
        };
        openai_parts::mark(&mut part, piece.cache);
        Ok(part)
    }

    /// An item that the model said.
    fn own_item(&self, piece: &Piece<'_>) -> Result<Value, WireError> {
        match piece.content {
            Content::Text { text } => Ok(message_item("assistant", text.as_str().into())),
            Content::ToolCall {
                id,
                name,
                arguments,
            } => Ok(json!({
                "type": "function_call",
                "call_id": id,
                "name": name,
                "arguments": arguments.to_string(),
            })),
            other => self.native(piece, other),
        }
    }

    fn native(&self, piece: &Piece<'_>, content: &Content) -> Result<Value, WireError> {
        match content {
            Content::Native { format, value } if format == FORMAT => Ok(value.clone()),
            other => Err(self.rules.unsupported(piece.message, describe(other))),
        }
    }

    fn output(&self, piece: &Piece<'_>) -> Option<Value> {
        let Content::ToolResult { id, content, .. } = piece.content else {
            return None;
        };
        if !self.parts {
            return Some(output_item(id, content.as_str().into()));
        }
        let mut part = json!({ "type": "input_text", "text": content });
        openai_parts::mark(&mut part, piece.cache);
        Some(output_item(id, json!([part])))
    }
}
