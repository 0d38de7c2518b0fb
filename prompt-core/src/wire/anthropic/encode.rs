use super::{FORMAT, Options};
use crate::message::CachePoint;
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
use crate::wire::turn::settle_cache;
use serde_json::{Map, Value, json};

/// The provider's shorter lifetime, in seconds.
const FIVE_MINUTES: u32 = 300;

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
    let cache_tools = options.cache_tools.filter(|_| !tools.is_empty());
    settle_cache(&mut turns, cache_tools.is_some(), |_, piece| bears(piece));
    let mut writer = Writer {
        rules,
        short_seen: false,
    };
    let tools = writer.tools(tools, cache_tools);
    let (system, rest) = turns
        .split_at_checked(leading_system(&turns))
        .unwrap_or((&[], &turns));
    let mut body = Map::new();
    body.insert("model".into(), options.model.clone().into());
    body.insert("max_tokens".into(), options.max_tokens.into());
    let mut blocks = Vec::new();
    for turn in system {
        blocks.extend(writer.blocks(turn)?);
    }
    if !blocks.is_empty() {
        body.insert("system".into(), blocks.into());
    }
    if !tools.is_empty() {
        body.insert("tools".into(), tools.into());
        if let Some(choice) = &options.tool_choice {
            body.insert("tool_choice".into(), tool_choice(choice));
        }
    }
    body.insert("messages".into(), writer.messages(rest, options)?.into());
    if let Some(stream) = options.stream {
        body.insert("stream".into(), stream.into());
    }
    tools::add_extra(&mut body, &options.extra);
    Ok(Value::Object(body))
}

/// The message that answers tool calls: one of the user, with all results.
pub fn tool_results(results: &[ToolResult]) -> Vec<Value> {
    if results.is_empty() {
        return Vec::new();
    }
    let blocks: Vec<Value> = results
        .iter()
        .map(|result| result_block(&result.id, &result.content, result.is_error))
        .collect();
    vec![json!({ "role": "user", "content": blocks })]
}

fn is_blank(piece: &Content) -> bool {
    piece.as_text().is_some_and(|text| text.trim().is_empty())
}

/// Everything but thoughts can carry `cache_control`; a text has to say something.
fn bears(piece: &Content) -> bool {
    match piece {
        Content::Thought { .. } | Content::Signature { .. } => false,
        Content::Native { value, .. } => value
            .get("type")
            .is_some_and(|kind| kind != "redacted_thinking"),
        other => !is_blank(other),
    }
}

fn tool_choice(choice: &ToolChoice) -> Value {
    match choice {
        ToolChoice::Auto => json!({ "type": "auto" }),
        ToolChoice::None => json!({ "type": "none" }),
        ToolChoice::Required => json!({ "type": "any" }),
        ToolChoice::Tool(name) => json!({ "type": "tool", "name": name }),
    }
}

fn result_block(id: &str, content: &str, is_error: bool) -> Value {
    let mut block = Map::new();
    block.insert("type".into(), "tool_result".into());
    block.insert("tool_use_id".into(), id.into());
    // A blank text would be refused; a result without any is legal.
    let said = !content.trim().is_empty();
    block.insert(
        "content".into(),
        if said {
            json!([{ "type": "text", "text": content }])
        } else {
            json!([])
        },
    );
    if is_error {
        block.insert("is_error".into(), true.into());
    }
    Value::Object(block)
}

struct Writer {
    rules: Rules,
    /// Whether a point of 5 minutes has been written: none of an hour may follow it.
    short_seen: bool,
}

impl Writer {
    fn tools(&mut self, tools: &[ToolSpec], cache: Option<CachePoint>) -> Vec<Value> {
        let declare = |tool: &ToolSpec| {
            json!({
                "name": tool.name,
                "description": tool.description,
                "input_schema": tool.parameters,
                "strict": true,
            })
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
        let control = match point.ttl {
            Some(_) if long => json!({ "type": "ephemeral", "ttl": "1h" }),
            Some(_) => json!({ "type": "ephemeral", "ttl": "5m" }),
            None => json!({ "type": "ephemeral" }),
        };
        block.insert("cache_control".into(), control);
    }

    fn messages(&mut self, turns: &[Turn<'_>], options: &Options) -> Result<Vec<Value>, WireError> {
        let mut messages = Vec::with_capacity(turns.len() + 1);
        if lacks_opening(turns) {
            let text = json!([{ "type": "text", "text": options.opening }]);
            messages.push(json!({ "role": "user", "content": text }));
        }
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
        let last = turns
            .last()
            .filter(|turn| turn.role == Role::Assistant)
            .and_then(|turn| turn.pieces.last());
        match last {
            Some(Piece {
                content: Content::Text { text },
                message,
                ..
            }) if text.trim_end() != text => Err(self.rules.unsupported(
                *message,
                "white space at the end of a last message of the model",
            )),
            _ => Ok(()),
        }
    }

    fn blocks(&mut self, turn: &Turn<'_>) -> Result<Vec<Value>, WireError> {
        let mut blocks = Vec::with_capacity(turn.pieces.len());
        for (index, piece) in turn.pieces.iter().enumerate() {
            // A signature has been written with the thought before it.
            let signs_thought = matches!(piece.content, Content::Signature { .. })
                && index
                    .checked_sub(1)
                    .and_then(|before| turn.pieces.get(before))
                    .is_some_and(is_thought);
            if is_blank(piece.content) || signs_thought {
                continue;
            }
            let mut block = self.block(turn.role, piece, turn.signature_after(index))?;
            self.mark(&mut block, piece.cache);
            blocks.push(block);
        }
        match (blocks.is_empty(), turn.pieces.first()) {
            (true, Some(piece)) => Err(WireError::Empty {
                message: piece.message,
            }),
            _ => Ok(blocks),
        }
    }

    fn block(
        &self,
        role: Role,
        piece: &Piece<'_>,
        signature: Option<&str>,
    ) -> Result<Value, WireError> {
        Ok(match piece.content {
            Content::Text { text } => json!({ "type": "text", "text": text }),
            Content::Image { mime, source } if role == Role::User => {
                json!({ "type": "image", "source": image_source(mime, source) })
            }
            Content::Resource { uri, mime, text } => document(uri, mime.as_deref(), text),
            Content::ToolCall {
                id,
                name,
                arguments,
            } => {
                self.check_id(piece.message, id)?;
                json!({ "type": "tool_use", "id": id, "name": name, "input": arguments })
            }
            Content::ToolResult {
                id,
                content,
                is_error,
            } => {
                self.check_id(piece.message, id)?;
                result_block(id, content, *is_error)
            }
            Content::Thought { text } => {
                let unsigned = || {
                    self.rules
                        .unsupported(piece.message, "a thought without its signature")
                };
                json!({ "type": "thinking", "thinking": text, "signature": signature.ok_or_else(unsigned)? })
            }
            Content::Native { format, value } if format == FORMAT => value.clone(),
            other => return Err(self.rules.unsupported(piece.message, describe(other))),
        })
    }

    /// Ids are `^[a-zA-Z0-9_-]+$` here.
    fn check_id(&self, message: usize, id: &str) -> Result<(), WireError> {
        let legal = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'_' || byte == b'-';
        if !id.is_empty() && id.bytes().all(legal) {
            return Ok(());
        }
        Err(self.rules.unsupported(
            message,
            format!("the call id `{id}`: it takes letters, digits, `_` and `-`"),
        ))
    }
}

fn is_thought(piece: &Piece<'_>) -> bool {
    matches!(piece.content, Content::Thought { .. })
}

fn image_source(mime: &str, source: &ImageSource) -> Value {
    match source {
        ImageSource::Data(data) => json!({ "type": "base64", "media_type": mime, "data": data }),
        ImageSource::Url(url) => json!({ "type": "url", "url": url }),
    }
}

/// The source of a text document is always `text/plain`; the real media type goes where the model reads about it.
fn document(uri: &str, mime: Option<&str>, text: &str) -> Value {
    let source = json!({ "type": "text", "media_type": "text/plain", "data": text });
    match mime {
        Some(mime) => {
            json!({ "type": "document", "source": source, "title": uri, "context": mime })
        }
        None => json!({ "type": "document", "source": source, "title": uri }),
    }
}
