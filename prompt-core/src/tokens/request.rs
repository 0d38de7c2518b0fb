//! Counting a whole request: the text of its messages, tool calls and results, the JSON of its tools, its images.

use super::TokenCounter;
use crate::messages::message::{Content, ImageSource, Message};
use crate::messages::tool::ToolSpec;
use serde_json::Value;

/// Tokens of all that is sent.
///
/// Each text, name, JSON value and tool is counted by itself, and the counts are added up. What a provider adds around
/// them (three or four tokens per message for its role, a system text for the tools) is not known and not counted. An image
/// counts as Anthropic charges for it, the most where its size is not known. Sums saturate.
///
/// ```
/// use prompt_core::{Message, tokens};
/// let words = |text: &str| text.split_whitespace().count();
/// let messages = [Message::system("You watch the river."), Message::user("How high is it?")];
/// assert_eq!(tokens::request(&messages, &[], &words), 8);
/// ```
#[must_use]
pub fn request(messages: &[Message], tools: &[ToolSpec], counter: &dyn TokenCounter) -> usize {
    let contents = messages.iter().flat_map(|message| &message.content);
    let contents = contents.map(|content| content_tokens(content, counter));
    let tools = tools.iter().map(|tool| counter.count(&tool_json(tool)));
    contents.chain(tools).fold(0, usize::saturating_add)
}

fn content_tokens(content: &Content, counter: &dyn TokenCounter) -> usize {
    match content {
        Content::Text { text } | Content::Resource { text, .. } | Content::Thought { text } => {
            counter.count(text)
        }
        Content::Signature { data } => counter.count(data),
        Content::Native { .. } if content.is_mark() => 0,
        Content::Native { value, .. } | Content::Extra { value, .. } => {
            counter.count(&value.to_string())
        }
        Content::Image { source, .. } => image_tokens(image_size(source)),
        Content::ToolCall {
            name, arguments, ..
        } => {
            let arguments = counter.count(&arguments.to_string());
            counter.count(name).saturating_add(arguments)
        }
        Content::ToolResult { content, .. } => counter.count(content),
    }
}

/// Tokens of one message.
pub(crate) fn message_tokens(message: &Message, counter: &dyn TokenCounter) -> usize {
    let message = std::slice::from_ref(message);
    request(message, &[], counter)
}

/// What every wire format sends of a tool, in this order.
fn tool_json(tool: &ToolSpec) -> String {
    let [name, description] = [tool.name(), tool.description()].map(Value::from);
    let parameters = tool.parameters();
    format!(r#"{{"name":{name},"description":{description},"parameters":{parameters}}}"#)
}

/// Tokens to which an image is scaled down.
const MOST_OF_IMAGE: usize = 1_600;

/// Pixels of the long edge to which an image is scaled down.
const LONGEST_EDGE: u64 = 1_568;

/// Tokens of an image of so many pixels: width x height / 750, after it is scaled down to 1,568 pixels on its long edge and
/// about 1,600 tokens. Source: Anthropic's vision guide, "Calculate image costs"
/// (<https://docs.anthropic.com/en/docs/build-with-claude/vision>).
fn image_tokens(size: Option<(u32, u32)>) -> usize {
    let Some((width, height)) = size else {
        return MOST_OF_IMAGE;
    };
    let edge = u64::from(width.max(height)).max(1);
    let shrunk = |length: u32| u64::from(length) * edge.min(LONGEST_EDGE) / edge;
    let tokens = (shrunk(width) * shrunk(height)).div_ceil(750);
    usize::try_from(tokens).map_or(MOST_OF_IMAGE, |tokens| tokens.clamp(1, MOST_OF_IMAGE))
}

/// Width and height of an image in pixels, where its bytes are here and a PNG or GIF, which have them at a fixed place.
fn image_size(source: &ImageSource) -> Option<(u32, u32)> {
    let ImageSource::Data(base64) = source else {
        return None;
    };
    let bytes = decoded(base64.as_bytes().get(..32)?)?;
    if bytes.starts_with(b"\x89PNG\r\n\x1a\n") {
        let edge = |at: usize| Some(u32::from_be_bytes(bytes.get(at..at + 4)?.try_into().ok()?));
        Some((edge(16)?, edge(20)?))
    } else if bytes.starts_with(b"GIF8") {
        let edge = |at: usize| Some(u16::from_le_bytes(bytes.get(at..at + 2)?.try_into().ok()?));
        Some((edge(6)?.into(), edge(8)?.into()))
    } else {
        None
    }
}

/// The bytes of some base64 without padding, or `None` if it is not base64.
fn decoded(base64: &[u8]) -> Option<Vec<u8>> {
    let mut bytes = Vec::with_capacity(base64.len());
    for four in base64.chunks_exact(4) {
        let mut bits = 0_u32;
        for &digit in four {
            let value = match digit {
                b'A'..=b'Z' => digit - b'A',
                b'a'..=b'z' => digit - b'a' + 26,
                b'0'..=b'9' => digit - b'0' + 52,
                b'+' | b'-' => 62,
                b'/' | b'_' => 63,
                _ => return None,
            };
            bits = bits << 6 | u32::from(value);
        }
        bytes.extend(bits.to_be_bytes().get(1..).unwrap_or_default());
    }
    Some(bytes)
}
