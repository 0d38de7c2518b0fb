//! Requests of `gemini`, read back.

use super::{CallIds, Cursor, Fault, Transcript};
use prompt_core::message::ImageSource;
use prompt_core::{Content, Message, Role};
use serde_json::Value;

const FORMAT: &str = "gemini";

/// The messages of a request, of a reply (its first candidate), of a list of contents or of a single content.
///
/// # Errors
///
/// [`Fault`], with the place in the JSON.
pub fn messages(json: &Value) -> Result<Vec<Message>, Fault> {
    let root = Cursor::new(json);
    let mut reader = Reader::default();
    if let Some(system) = root.get("systemInstruction") {
        reader.content(Role::System, &system)?;
    }
    if let Some(candidates) = root.get("candidates") {
        let first = candidates
            .items()?
            .next()
            .ok_or_else(|| candidates.expected("a candidate"))?;
        reader.turn(&first.need("content", "a content")?)?;
    } else if root.get("parts").is_some() {
        reader.turn(&root)?;
    } else {
        let list = if json.is_array() {
            root
        } else {
            root.need("contents", "a list of contents")?
        };
        for content in list.items()? {
            reader.turn(&content)?;
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
    /// A content without a role is the model's: some replies leave it out.
    fn turn(&mut self, content: &Cursor<'_>) -> Result<(), Fault> {
        content.as_object()?;
        let role = match content.text_if_any("role")? {
            Some("user" | "function") => Role::User,
            Some("model") | None => Role::Assistant,
            Some(_) => return Err(content.need("role", "a role")?.expected("user or model")),
        };
        self.content(role, content)
    }

    fn content(&mut self, role: Role, content: &Cursor<'_>) -> Result<(), Fault> {
        self.transcript.begin();
        // A reply that was cut off can have no parts at all.
        let Some(parts) = content.get("parts") else {
            return Ok(());
        };
        parts.items()?.try_for_each(|part| self.part(role, &part))
    }

    fn part(&mut self, role: Role, part: &Cursor<'_>) -> Result<(), Fault> {
        if let Some(response) = part.get("functionResponse") {
            let piece = self.response(&response)?;
            self.transcript.push(Role::Tool, piece);
            return Ok(());
        }
        let Some(piece) = self.piece(part)? else {
            let value = part.value.clone();
            self.transcript.push(
                role,
                Content::Native {
                    format: FORMAT.to_owned(),
                    value,
                },
            );
            return Ok(());
        };
        self.transcript.push(role, piece);
        if let Some(data) = part.text_if_any("thoughtSignature")? {
            self.transcript.push(
                role,
                Content::Signature {
                    data: data.to_owned(),
                },
            );
        }
        Ok(())
    }

    /// `None` for a part this library has no word for.
    fn piece(&mut self, part: &Cursor<'_>) -> Result<Option<Content>, Fault> {
        if let Some(text) = part.text_if_any("text")? {
            let is_thought = part
                .get("thought")
                .is_some_and(|flag| flag.value == &Value::Bool(true));
            return Ok(Some(if is_thought {
                Content::Thought {
                    text: text.to_owned(),
                }
            } else {
                Content::text(text)
            }));
        }
        if let Some(call) = part.get("functionCall") {
            let name = call.text("name")?.to_owned();
            let id = self.ids.of_call(&name, call.text_if_any("id")?);
            return Ok(Some(Content::ToolCall {
                id,
                name,
                arguments: call.arguments("args")?,
            }));
        }
        if let Some(blob) = part.get("inlineData").filter(is_image) {
            return Ok(Some(image(
                &blob,
                ImageSource::Data(blob.text("data")?.to_owned()),
            )?));
        }
        match part.get("fileData").filter(is_image) {
            Some(file) => Ok(Some(image(
                &file,
                ImageSource::Url(file.text("fileUri")?.to_owned()),
            )?)),
            None => Ok(None),
        }
    }

    fn response(&mut self, response: &Cursor<'_>) -> Result<Content, Fault> {
        let id = self
            .ids
            .of_result(response.text("name")?, response.text_if_any("id")?);
        let body = response.need("response", "an object")?;
        let map = body.as_object()?;
        let single = map
            .iter()
            .next()
            .filter(|_| map.len() == 1)
            .and_then(|(key, value)| Some((key, value.as_str()?)));
        let (content, is_error) = match single {
            Some((key, text)) if key == "error" => (text.to_owned(), true),
            Some((key, text)) if key == "result" || key == "output" => (text.to_owned(), false),
            _ => (body.value.to_string(), map.contains_key("error")),
        };
        Ok(Content::ToolResult {
            id,
            content,
            is_error,
        })
    }
}

/// Sound, video and documents travel in the same way as images.
fn is_image(blob: &Cursor<'_>) -> bool {
    blob.value
        .get("mimeType")
        .and_then(Value::as_str)
        .is_some_and(|mime| mime.starts_with("image/"))
}

fn image(blob: &Cursor<'_>, source: ImageSource) -> Result<Content, Fault> {
    Ok(Content::Image {
        mime: blob.text("mimeType")?.to_owned(),
        source,
    })
}
