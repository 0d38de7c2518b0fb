//! Requests of `openai_responses`, read back.

use super::{Cursor, Fault, Transcript, image_at};
use prompt_core::{Content, Message, Role};
use serde_json::Value;

const FORMAT: &str = "openai_responses";

/// The messages of a request, of a reply, of a list of items or of a single item. Neighbouring items of the model are
/// one message, and so are neighbouring results.
///
/// # Errors
///
/// [`Fault`], with the place in the JSON.
pub fn messages(json: &Value) -> Result<Vec<Message>, Fault> {
    let root = Cursor::new(json);
    let mut transcript = Transcript::default();
    if let Some(instructions) = root
        .text_if_any("instructions")?
        .filter(|_| root.get("output").is_none())
    {
        transcript.push(Role::System, Content::text(instructions));
    }
    let list = root.get("output").or_else(|| root.get("input"));
    match list {
        Some(input) if input.value.is_string() => {
            transcript.begin();
            transcript.push(Role::User, Content::text(input.as_text()?));
        }
        Some(list) => read_items(&list, &mut transcript)?,
        None if json.is_array() => read_items(&root, &mut transcript)?,
        None => read_item(&root, &mut transcript)?,
    }
    Ok(transcript.finish())
}

fn read_items(list: &Cursor<'_>, transcript: &mut Transcript) -> Result<(), Fault> {
    list.items()?
        .try_for_each(|item| read_item(&item, transcript))
}

fn read_item(item: &Cursor<'_>, transcript: &mut Transcript) -> Result<(), Fault> {
    match item.text_if_any("type")? {
        Some("function_call") => {
            let id = item.text("call_id")?.to_owned();
            let arguments = item
                .need("arguments", "arguments as a string")?
                .arguments_in_text()?;
            let name = item.text("name")?.to_owned();
            transcript.push(
                Role::Assistant,
                Content::ToolCall {
                    id,
                    name,
                    arguments,
                },
            );
            Ok(())
        }
        Some("function_call_output") => read_output(item, transcript),
        Some("message") => read_message(item, transcript),
        None if item.get("role").is_some() => read_message(item, transcript),
        Some(_) => {
            transcript.push(Role::Assistant, native(item));
            Ok(())
        }
        None => Err(item.expected("an item with a type or a role")),
    }
}

fn native(cursor: &Cursor<'_>) -> Content {
    Content::Native {
        format: FORMAT.to_owned(),
        value: cursor.value.clone(),
    }
}

fn read_message(item: &Cursor<'_>, transcript: &mut Transcript) -> Result<(), Fault> {
    let role = match item.text("role")? {
        "system" | "developer" => Role::System,
        "user" => Role::User,
        "assistant" => Role::Assistant,
        _ => {
            return Err(item
                .need("role", "a role")?
                .expected("system, developer, user or assistant"));
        }
    };
    if role != Role::Assistant {
        transcript.begin();
    }
    let content = item.need("content", "a string or a list of parts")?;
    if let Some(text) = content.value.as_str() {
        transcript.push(role, Content::text(text));
        return Ok(());
    }
    for part in content.items()? {
        let piece = match part.text("type")? {
            "input_text" | "output_text" | "text" => Content::text(part.text("text")?),
            "refusal" => Content::text(part.text("refusal")?),
            "input_image" if part.get("image_url").is_some() => image_at(part.text("image_url")?),
            // A part stands in the content of a message; one of the model's would come back as an item.
            _ if role == Role::User => native(&part),
            _ => {
                return Err(part.expected(
                    "a part of the type input_text, output_text, refusal or input_image",
                ));
            }
        };
        transcript.push(role, piece);
        transcript.mark(super::openai::read(&part)?);
    }
    Ok(())
}

fn read_output(item: &Cursor<'_>, transcript: &mut Transcript) -> Result<(), Fault> {
    let id = item.text("call_id")?.to_owned();
    let output = item.need("output", "the result")?;
    let (text, point) = super::openai::read_result(&output)?;
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
