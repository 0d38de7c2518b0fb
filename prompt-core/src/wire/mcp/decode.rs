use super::FORMAT;
use crate::message::Content;
use crate::message::ImageSource;
use crate::message::Message;
use crate::message::Role;
use crate::tool::ToolCall;
use crate::wire::WireError;
use crate::wire::reader::Cursor;
use crate::wire::reader::Transcript;
use serde_json::Value;
use std::collections::BTreeMap;

/// The call in a `tools/call` request. Its id is that of the JSON-RPC request, as text.
///
/// # Errors
///
/// [`WireError`], with the place in the JSON.
pub fn tool_calls(request: &Value) -> Result<Vec<ToolCall>, WireError> {
    let root = Cursor::new(request);
    let params = root.need("params", "the parameters")?;
    let id = root.need("id", "a request id")?;
    let id = id
        .value
        .as_str()
        .map_or_else(|| id.value.to_string(), str::to_owned);
    Ok(vec![ToolCall {
        id,
        name: params.text("name")?.to_owned(),
        arguments: params.arguments("arguments")?,
    }])
}

/// The prompt that a `prompts/get` request asks for, and its arguments.
///
/// # Errors
///
/// [`WireError`], with the place in the JSON; arguments are strings.
pub fn prompt_arguments(request: &Value) -> Result<(String, BTreeMap<String, String>), WireError> {
    let params = Cursor::new(request).need("params", "the parameters")?;
    let mut arguments = BTreeMap::new();
    if let Some(given) = params.get("arguments") {
        for name in given.as_object()?.keys() {
            arguments.insert(name.clone(), given.text(name)?.to_owned());
        }
    }
    Ok((params.text("name")?.to_owned(), arguments))
}

/// The messages of a `prompts/get` result (with or without its envelope), of a list of messages or of a single one.
/// System text comes back as the user message it was sent as.
///
/// # Errors
///
/// [`WireError`], with the place in the JSON.
pub fn messages(json: &Value) -> Result<Vec<Message>, WireError> {
    let root = Cursor::new(json);
    let mut transcript = Transcript::default();
    if root.get("role").is_some() {
        read_message(&root, &mut transcript)?;
        return Ok(transcript.finish());
    }
    let list = if json.is_array() {
        root
    } else {
        root.get("result")
            .unwrap_or(root)
            .need("messages", "a list of messages")?
    };
    for message in list.messages()? {
        read_message(&message, &mut transcript)?;
    }
    Ok(transcript.finish())
}

fn read_message(message: &Cursor<'_>, transcript: &mut Transcript) -> Result<(), WireError> {
    let role = match message.text("role")? {
        "user" => Role::User,
        "assistant" => Role::Assistant,
        _ => {
            return Err(message
                .need("role", "a role")?
                .expected("user or assistant"));
        }
    };
    transcript.begin();
    transcript.push(role, read_block(&message.need("content", "a block")?)?);
    Ok(())
}

fn read_block(block: &Cursor<'_>) -> Result<Content, WireError> {
    Ok(match block.text("type")? {
        "text" => Content::text(block.text("text")?),
        "image" => Content::Image {
            mime: block.text("mimeType")?.to_owned(),
            source: ImageSource::Data(block.text("data")?.to_owned()),
        },
        "resource" => read_resource(block)?,
        _ => native(block),
    })
}

/// A resource of bytes is kept as it is.
fn read_resource(block: &Cursor<'_>) -> Result<Content, WireError> {
    let resource = block.need("resource", "a resource")?;
    let Some(text) = resource.text_if_any("text")? else {
        return Ok(native(block));
    };
    Ok(Content::Resource {
        uri: resource.text("uri")?.to_owned(),
        mime: resource.text_if_any("mimeType")?.map(str::to_owned),
        text: text.to_owned(),
    })
}

fn native(block: &Cursor<'_>) -> Content {
    Content::Native {
        format: FORMAT.to_owned(),
        value: block.value.clone(),
    }
}
