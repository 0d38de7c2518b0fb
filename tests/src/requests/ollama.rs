//! Requests of `ollama`, read back.

use super::{ANY_IMAGE, CallIds, Cursor, Fault, Transcript};
use prompt_core::message::ImageSource;
use prompt_core::{Content, Message, Role};
use serde_json::Value;

/// The messages of a request, of a reply, of a list of messages or of a single message.
///
/// # Errors
///
/// [`Fault`], with the place in the JSON.
pub fn messages(json: &Value) -> Result<Vec<Message>, Fault> {
    let root = Cursor::new(json);
    let mut reader = Reader::default();
    if let Some(reply) = root.get("message") {
        reader.message(&reply)?;
    } else if root.get("role").is_some() {
        reader.message(&root)?;
    } else {
        let list = if json.is_array() {
            root
        } else {
            root.need("messages", "a list of messages")?
        };
        for message in list.items()? {
            reader.message(&message)?;
        }
    }
    Ok(reader.transcript.finish())
}

#[derive(Default)]
struct Reader {
    transcript: Transcript,
    ids: CallIds,
}

impl Reader {
    fn message(&mut self, message: &Cursor<'_>) -> Result<(), Fault> {
        self.transcript.begin();
        let role = match message.text("role")? {
            "system" => Role::System,
            "user" => Role::User,
            "assistant" => Role::Assistant,
            "tool" => return self.result(message),
            _ => {
                return Err(message
                    .need("role", "a role")?
                    .expected("system, user, assistant or tool"));
            }
        };
        let mut pieces = Vec::new();
        if let Some(thought) = message
            .text_if_any("thinking")?
            .filter(|thought| !thought.is_empty())
        {
            pieces.push(Content::Thought {
                text: thought.to_owned(),
            });
        }
        let text = message.text_if_any("content")?;
        pieces.extend(text.filter(|text| !text.is_empty()).map(Content::text));
        for image in elements(message, "images")? {
            let source = ImageSource::Data(image.as_text()?.to_owned());
            pieces.push(Content::Image {
                mime: ANY_IMAGE.to_owned(),
                source,
            });
        }
        for call in elements(message, "tool_calls")? {
            pieces.push(self.call(&call)?);
        }
        // The string is always there; alone and empty, it is what was said.
        if pieces.is_empty() {
            pieces.extend(text.map(Content::text));
        }
        for piece in pieces {
            self.transcript.push(role, piece);
        }
        Ok(())
    }

    fn call(&mut self, call: &Cursor<'_>) -> Result<Content, Fault> {
        let function = call.need("function", "the called function")?;
        let name = function.text("name")?.to_owned();
        let id = self.ids.of_call(&name, call.text_if_any("id")?);
        Ok(Content::ToolCall {
            id,
            name,
            arguments: function.arguments("arguments")?,
        })
    }

    fn result(&mut self, message: &Cursor<'_>) -> Result<(), Fault> {
        let id = match (
            message.text_if_any("tool_name")?,
            message.text_if_any("tool_call_id")?,
        ) {
            (None, Some(id)) => id.to_owned(),
            (name, id) => self.ids.of_result(name.unwrap_or_default(), id),
        };
        let (content, is_error) = super::failure(message.text("content")?.to_owned());
        self.transcript.push(
            Role::Tool,
            Content::ToolResult {
                id,
                content,
                is_error,
            },
        );
        Ok(())
    }
}

/// The elements of a list that may be missing.
fn elements<'a>(message: &Cursor<'a>, key: &str) -> Result<Vec<Cursor<'a>>, Fault> {
    match message.get(key) {
        Some(list) => Ok(list.items()?.collect()),
        None => Ok(Vec::new()),
    }
}
