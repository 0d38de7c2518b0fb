//! Requests of `anthropic`, read back.

use super::{ANY_IMAGE, Cursor, Fault, Transcript};
use prompt_core::message::{CachePoint, ImageSource};
use prompt_core::{Content, Message, Role};
use serde_json::Value;

const FORMAT: &str = "anthropic";

/// The messages of a request, of a reply, of a list of messages or of a single message. Results of tools become
/// messages of their own; a cache point ends a message.
///
/// # Errors
///
/// [`Fault`], with the place in the JSON.
pub fn messages(json: &Value) -> Result<Vec<Message>, Fault> {
    let root = Cursor::new(json);
    let mut transcript = Transcript::default();
    if let Some(system) = root.get("system") {
        read_content(Role::System, &system, &mut transcript)?;
    }
    if root.get("role").is_some() {
        read_message(&root, &mut transcript)?;
    } else {
        let list = if json.is_array() {
            root
        } else {
            root.need("messages", "a list of messages")?
        };
        for message in list.items()? {
            read_message(&message, &mut transcript)?;
        }
    }
    Ok(transcript.finish())
}

fn read_message(message: &Cursor<'_>, transcript: &mut Transcript) -> Result<(), Fault> {
    let role = match message.text("role")? {
        "user" => Role::User,
        "assistant" => Role::Assistant,
        "system" => Role::System,
        _ => {
            return Err(message
                .need("role", "a role")?
                .expected("user, assistant or system"));
        }
    };
    read_content(
        role,
        &message.need("content", "a string or a list of blocks")?,
        transcript,
    )
}

fn read_content(
    role: Role,
    content: &Cursor<'_>,
    transcript: &mut Transcript,
) -> Result<(), Fault> {
    transcript.begin();
    if let Some(text) = content.value.as_str() {
        transcript.push(role, Content::text(text));
        return Ok(());
    }
    for block in content.items()? {
        read_block(role, &block, transcript)?;
        transcript.mark(cache_point(&block)?);
    }
    Ok(())
}

fn read_block(role: Role, block: &Cursor<'_>, transcript: &mut Transcript) -> Result<(), Fault> {
    let piece = match block.text("type")? {
        "text" => Content::text(block.text("text")?),
        "tool_use" => Content::ToolCall {
            id: block.text("id")?.to_owned(),
            name: block.text("name")?.to_owned(),
            arguments: block.arguments("input")?,
        },
        "tool_result" => {
            transcript.push(Role::Tool, read_result(block)?);
            return Ok(());
        }
        "thinking" => {
            transcript.push(
                role,
                Content::Thought {
                    text: block.text("thinking")?.to_owned(),
                },
            );
            Content::Signature {
                data: block.text("signature")?.to_owned(),
            }
        }
        "image" => read_image(block)?.unwrap_or_else(|| native(block)),
        "document" => read_document(block)?.unwrap_or_else(|| native(block)),
        _ => native(block),
    };
    transcript.push(role, piece);
    Ok(())
}

/// A cache point is no part of the block; it is read for itself.
fn native(block: &Cursor<'_>) -> Content {
    let mut value = block.value.clone();
    if let Some(map) = value.as_object_mut() {
        map.shift_remove("cache_control");
    }
    Content::Native {
        format: FORMAT.to_owned(),
        value,
    }
}

fn read_result(block: &Cursor<'_>) -> Result<Content, Fault> {
    let mut text = String::new();
    if let Some(content) = block.get("content") {
        if let Some(whole) = content.value.as_str() {
            whole.clone_into(&mut text);
        } else {
            for part in content.items()? {
                text.push_str(part.text("text")?);
            }
        }
    }
    let is_error = block
        .get("is_error")
        .is_some_and(|flag| flag.value == &Value::Bool(true));
    Ok(Content::ToolResult {
        id: block.text("tool_use_id")?.to_owned(),
        content: text,
        is_error,
    })
}

/// `None` for an image that is a file at the provider.
fn read_image(block: &Cursor<'_>) -> Result<Option<Content>, Fault> {
    let source = block.need("source", "a source")?;
    Ok(match source.text("type")? {
        "base64" => Some(Content::Image {
            mime: source.text("media_type")?.to_owned(),
            source: ImageSource::Data(source.text("data")?.to_owned()),
        }),
        "url" => Some(Content::Image {
            mime: ANY_IMAGE.to_owned(),
            source: ImageSource::Url(source.text("url")?.to_owned()),
        }),
        _ => None,
    })
}

/// `None` for a document that is no plain text, or has no title that could be its address.
fn read_document(block: &Cursor<'_>) -> Result<Option<Content>, Fault> {
    let source = block.need("source", "a source")?;
    let is_text = source.value.get("type").is_some_and(|kind| kind == "text");
    let Some(title) = block.text_if_any("title")?.filter(|_| is_text) else {
        return Ok(None);
    };
    Ok(Some(Content::Resource {
        uri: title.to_owned(),
        mime: block.text_if_any("context")?.map(str::to_owned),
        text: source.text("data")?.to_owned(),
    }))
}

fn cache_point(block: &Cursor<'_>) -> Result<Option<CachePoint>, Fault> {
    let Some(control) = block.get("cache_control") else {
        return Ok(None);
    };
    let ttl = match control.text_if_any("ttl")? {
        Some("1h") => Some(3_600),
        Some("5m") => Some(300),
        _ => None,
    };
    Ok(Some(CachePoint { ttl }))
}
