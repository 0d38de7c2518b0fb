use crate::message::Content;
use crate::message::Message;
use crate::message::Role;
use crate::tool::ToolCall;
use crate::wire::WireError;
use crate::wire::openai_parts;
use crate::wire::reader::Cursor;
use crate::wire::reader::Transcript;
use crate::wire::reader::calls_in;
use crate::wire::reader::image_at;
use serde_json::Value;

/// The tool calls of a reply (or of a single message), in order.
///
/// # Errors
///
/// [`WireError`], with the place in the JSON; [`WireError::Arguments`] if the model wrote no JSON object.
pub fn tool_calls(reply: &Value) -> Result<Vec<ToolCall>, WireError> {
    Ok(calls_in(&messages(reply)?))
}

/// The messages of a request, of a reply (its first choice), of a list of messages or of a single message.
///
/// # Errors
///
/// [`WireError`], with the place in the JSON.
pub fn messages(json: &Value) -> Result<Vec<Message>, WireError> {
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
        for message in list.messages()? {
            read_message(&message, &mut transcript)?;
        }
    }
    Ok(transcript.finish())
}

fn read_message(message: &Cursor<'_>, transcript: &mut Transcript) -> Result<(), WireError> {
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
) -> Result<(), WireError> {
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
        transcript.mark(openai_parts::read(&part)?);
    }
    Ok(())
}

fn read_call(call: &Cursor<'_>) -> Result<Content, WireError> {
    let function = call.need("function", "the called function")?;
    let id = call.text("id")?.to_owned();
    let arguments = function
        .need("arguments", "arguments as a string")?
        .arguments_in_text(&id)?;
    Ok(Content::ToolCall {
        id,
        name: function.text("name")?.to_owned(),
        arguments,
    })
}

fn read_result(message: &Cursor<'_>, transcript: &mut Transcript) -> Result<(), WireError> {
    let id = message.text("tool_call_id")?.to_owned();
    let content = message.need("content", "the result")?;
    let (text, point) = openai_parts::read_result(&content)?;
    transcript.push(
        Role::Tool,
        Content::ToolResult {
            id,
            content: text,
            is_error: false,
        },
    );
    transcript.mark(point);
    Ok(())
}
