use super::Options;
use crate::message::Content;
use crate::message::Message;
use crate::message::Role;
use crate::tool::ToolResult;
use crate::tool::ToolSpec;
use crate::wire::Alternation;
use crate::wire::SystemRole;
use crate::wire::ToolChoice;
use crate::wire::WireError;
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
    settle_cache(&mut turns, false, |_, piece| {
        options.breakpoints
            && matches!(
                piece,
                Content::Text { .. } | Content::Image { .. } | Content::ToolResult { .. }
            )
    });
    let explicit = turns
        .iter()
        .flat_map(|turn| &turn.pieces)
        .any(|piece| piece.cache.is_some());
    let writer = Writer {
        rules,
        system: options.system_role.name(),
        parts: explicit,
    };
    let mut body = Map::new();
    body.insert("model".into(), options.model.clone().into());
    body.insert("messages".into(), writer.messages(&turns, options)?.into());
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

/// The messages that answer tool calls: one per result.
pub fn tool_results(results: &[ToolResult]) -> Vec<Value> {
    results
        .iter()
        .map(|result| tool_message(&result.id, result.content.as_str().into()))
        .collect()
}

fn add_settings(body: &mut Map<String, Value>, options: &Options) {
    if let Some(tokens) = options.max_tokens {
        body.insert("max_completion_tokens".into(), tokens.into());
    }
    if let Some(stream) = options.stream {
        body.insert("stream".into(), stream.into());
    }
}

fn tool(spec: &ToolSpec) -> Value {
    json!({
        "type": "function",
        "function": {
            "name": spec.name,
            "description": spec.description,
            "parameters": spec.parameters,
            "strict": true,
        },
    })
}

fn tool_choice(choice: &ToolChoice) -> Value {
    match choice {
        ToolChoice::Auto => "auto".into(),
        ToolChoice::None => "none".into(),
        ToolChoice::Required => "required".into(),
        ToolChoice::Tool(name) => json!({ "type": "function", "function": { "name": name } }),
    }
}

fn tool_message(id: &str, content: Value) -> Value {
    [
        ("role", "tool".into()),
        ("tool_call_id", id.into()),
        ("content", content),
    ]
    .into_iter()
    .collect()
}

struct Writer {
    rules: Rules,
    system: &'static str,
    /// Whether texts are written as parts even where a string would do: parts can carry breakpoints, and a message
    /// must not change its form when the breakpoint moves on.
    parts: bool,
}

impl Writer {
    fn messages(&self, turns: &[Turn<'_>], options: &Options) -> Result<Vec<Value>, WireError> {
        let mut messages = Vec::with_capacity(turns.len() + 1);
        for turn in turns {
            match turn.role {
                Role::System => messages.push(self.spoken(self.system, turn)?),
                Role::User => messages.push(self.spoken("user", turn)?),
                Role::Assistant => messages.push(self.assistant(turn)?),
                Role::Tool => {
                    messages.extend(turn.pieces.iter().filter_map(|piece| self.result(piece)))
                }
            }
        }
        if self.rules.alternation == Alternation::Strict && lacks_opening(turns) {
            let opening = json!({ "role": "user", "content": options.opening });
            messages.insert(leading_system(turns), opening);
        }
        Ok(messages)
    }

    fn spoken(&self, role: &str, turn: &Turn<'_>) -> Result<Value, WireError> {
        let content: Value = match turn.pieces.as_slice() {
            [
                Piece {
                    content: Content::Text { text },
                    ..
                },
            ] if !self.parts => text.as_str().into(),
            pieces => pieces
                .iter()
                .map(|piece| self.part(piece))
                .collect::<Result<_, _>>()?,
        };
        Ok(json!({ "role": role, "content": content }))
    }

    fn part(&self, piece: &Piece<'_>) -> Result<Value, WireError> {
        let mut part = match piece.content {
            Content::Text { text } => json!({ "type": "text", "text": text }),
            Content::Image { mime, source } => {
                let url = openai_parts::image_url(mime, source);
                json!({ "type": "image_url", "image_url": { "url": url } })
            }
            other => {
                return Err(self
                    .rules
                    .unsupported(piece.message, crate::wire::describe(other)));
            }
        };
        openai_parts::mark(&mut part, piece.cache);
        Ok(part)
    }

    fn assistant(&self, turn: &Turn<'_>) -> Result<Value, WireError> {
        let mut texts = Vec::new();
        let mut calls = Vec::new();
        for piece in &turn.pieces {
            match piece.content {
                Content::Text { .. } => texts.push(*piece),
                Content::ToolCall {
                    id,
                    name,
                    arguments,
                } => calls.push(json!({
                    "id": id,
                    "type": "function",
                    "function": { "name": name, "arguments": arguments.to_string() },
                })),
                other => {
                    return Err(self
                        .rules
                        .unsupported(piece.message, crate::wire::describe(other)));
                }
            }
        }
        let said = Turn {
            role: Role::Assistant,
            pieces: texts,
        };
        let mut message = self.spoken("assistant", &said)?;
        if let Some(map) = message.as_object_mut() {
            if said.pieces.is_empty() {
                map.insert("content".into(), Value::Null);
            }
            if !calls.is_empty() {
                map.insert("tool_calls".into(), calls.into());
            }
        }
        Ok(message)
    }

    fn result(&self, piece: &Piece<'_>) -> Option<Value> {
        let Content::ToolResult { id, content, .. } = piece.content else {
            return None;
        };
        let text = if self.parts {
            let mut part = json!({ "type": "text", "text": content });
            openai_parts::mark(&mut part, piece.cache);
            json!([part])
        } else {
            content.as_str().into()
        };
        Some(tool_message(id, text))
    }
}

impl SystemRole {
    /// The role's name on `OpenAI`'s wire.
    pub(in crate::wire) fn name(self) -> &'static str {
        match self {
            Self::System => "system",
            Self::Developer => "developer",
            Self::User => "user",
        }
    }
}
