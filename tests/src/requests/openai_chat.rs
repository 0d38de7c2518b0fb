//! Requests of `openai_chat`, read back.

use super::{Cursor, Fault, Transcript, image_at};
use prompt_core::{Content, Message, Role};
use serde_json::Value;

/// The messages of a request, of a reply (its first choice), of a list of messages or of a single message.
///
/// # Errors
///
/// [`Fault`], with the place in the JSON.
pub fn messages(json: &Value) -> Result<Vec<Message>, Fault> {
    let root = Cursor::new(json);
    let mut transcript = Transcript::default();
    if let Some(choices) = root.get("choices") {
        let first = choices
            .items()?
            .next()
            .ok_or_else(|| choices.expected("a choice"))?;
        read_message(&first.need("message", "a message")?, &mut transcript)?;
    } else if root.get("role").is_some() {
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
    transcript.begin();
    let role = match message.text("role")? {
        "system" | "developer" => Role::System,
        "user" => Role::User,
        "assistant" => Role::Assistant,
        "tool" => return read_result(message, transcript),
        _ => {
            return Err(message
                .need("role", "a role")?
                .expected("system, developer, user, assistant or tool"));
        }
    };
    let calls = message.get("tool_calls");
    if let Some(content) = message.get("content").or_else(|| message.get("refusal")) {
        read_content(role, &content, calls.is_some(), transcript)?;
    }
    for call in calls
        .iter()
        .map(Cursor::items)
        .collect::<Result<Vec<_>, _>>()?
        .into_iter()
        .flatten()
    {
        transcript.push(role, read_call(&call)?);
    }
    Ok(())
}

/// A string or a list of parts. An empty string beside tool calls is what some servers send for no text.
fn read_content(
    role: Role,
    content: &Cursor<'_>,
    has_calls: bool,
    transcript: &mut Transcript,
) -> Result<(), Fault> {
    if let Some(text) = content.value.as_str() {
        if !(text.is_empty() && has_calls) {
            transcript.push(role, Content::text(text));
        }
        return Ok(());
    }
    for part in content.items()? {
        let piece = match part.text("type")? {
            "text" => Content::text(part.text("text")?),
            "refusal" => Content::text(part.text("refusal")?),
            "image_url" => image_at(part.need("image_url", "an image")?.text("url")?),
            _ => return Err(part.expected("a part of the type text, refusal or image_url")),
        };
        transcript.push(role, piece);
        transcript.mark(super::openai::read(&part)?);
    }
    Ok(())
}

fn read_call(call: &Cursor<'_>) -> Result<Content, Fault> {
    let function = call.need("function", "the called function")?;
    let id = call.text("id")?.to_owned();
    let arguments = function
        .need("arguments", "arguments as a string")?
        .arguments_in_text()?;
    Ok(Content::ToolCall {
        id,
        name: function.text("name")?.to_owned(),
        arguments,
    })
}

fn read_result(message: &Cursor<'_>, transcript: &mut Transcript) -> Result<(), Fault> {
    let id = message.text("tool_call_id")?.to_owned();
    let content = message.need("content", "the result")?;
    let (text, point) = super::openai::read_result(&content)?;
    let (content, is_error) = super::failure(text);
    transcript.push(
        Role::Tool,
        Content::ToolResult {
            id,
            content,
            is_error,
        },
    );
    transcript.mark(point);
    Ok(())
}
