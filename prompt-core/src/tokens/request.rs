//! Counting a whole request: the text of its messages, tool calls and results, the JSON of its tools, its images.

use super::TokenCounter;
use crate::messages::message::{Content, ImageSource, Message};
use crate::messages::tool::ToolSpec;
use serde::Serialize;
use serde_json::Value;

/// Tokens of all that is sent: the sum of a [`RequestTokens`], images priced by [`ImagePricing::default`].
///
/// ```
/// use prompt_core::{Message, tokens};
/// let words = |text: &str| text.split_whitespace().count();
/// let messages = [Message::system("You watch the river."), Message::user("How high is it?")];
/// assert_eq!(tokens::request(&messages, &[], &words), 8);
/// ```
#[must_use]
pub fn request(messages: &[Message], tools: &[ToolSpec], counter: &dyn TokenCounter) -> usize {
    RequestTokens::of(messages, tools, counter, ImagePricing::default()).total()
}

/// What each sort of content takes of a request.
///
/// Each text, name, JSON value and tool is counted by itself, and the counts are added up. What a provider adds around
/// them (three or four tokens per message for its role, a system text for the tools) is not known and not counted.
/// Sums saturate.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize)]
#[non_exhaustive]
pub struct RequestTokens {
    /// Texts, resources and reasoning.
    pub text: usize,
    /// Names and arguments of tool calls, as JSON, and their results.
    pub tool_calls: usize,
    /// The tools: name, description and schema, as JSON.
    pub tools: usize,
    /// Images, estimated.
    pub images: usize,
}

impl RequestTokens {
    /// Counts a request.
    pub fn of(
        messages: &[Message],
        tools: &[ToolSpec],
        counter: &dyn TokenCounter,
        pricing: ImagePricing,
    ) -> Self {
        let mut tokens = Self::default();
        for content in messages.iter().flat_map(|message| &message.content) {
            tokens.add(content, counter, pricing);
        }
        for tool in tools {
            grow(&mut tokens.tools, counter.count(&tool_json(tool)));
        }
        tokens
    }

    /// All of it.
    #[must_use]
    pub fn total(&self) -> usize {
        [self.text, self.tool_calls, self.tools, self.images]
            .into_iter()
            .fold(0, usize::saturating_add)
    }

    fn add(&mut self, content: &Content, counter: &dyn TokenCounter, pricing: ImagePricing) {
        match content {
            Content::Text { text } | Content::Resource { text, .. } | Content::Thought { text } => {
                grow(&mut self.text, counter.count(text));
            }
            Content::Signature { data } => grow(&mut self.text, counter.count(data)),
            Content::Native { .. } if content.is_mark() => {}
            Content::Native { value, .. } | Content::Extra { value, .. } => {
                grow(&mut self.text, counter.count(&value.to_string()));
            }
            Content::Image { source, .. } => {
                grow(&mut self.images, pricing.tokens(image_size(source)));
            }
            Content::ToolCall {
                name, arguments, ..
            } => {
                grow(&mut self.tool_calls, counter.count(name));
                grow(&mut self.tool_calls, counter.count(&arguments.to_string()));
            }
            Content::ToolResult { content, .. } => {
                grow(&mut self.tool_calls, counter.count(content));
            }
        }
    }
}

/// Tokens of one message.
pub(crate) fn message_tokens(message: &Message, counter: &dyn TokenCounter) -> usize {
    let message = std::slice::from_ref(message);
    request(message, &[], counter)
}

fn grow(sum: &mut usize, tokens: usize) {
    *sum = sum.saturating_add(tokens);
}

/// What every wire format sends of a tool, in this order.
fn tool_json(tool: &ToolSpec) -> String {
    let [name, description] = [tool.name(), tool.description()].map(Value::from);
    let parameters = tool.parameters();
    format!(r#"{{"name":{name},"description":{description},"parameters":{parameters}}}"#)
}

/// How a provider charges for an image, by its published rule.
///
/// ```
/// use prompt_core::tokens::ImagePricing;
/// // The examples of the two guides.
/// assert_eq!(ImagePricing::OpenAiTiles.tokens(Some((1024, 1024))), 765);
/// assert_eq!(ImagePricing::OpenAiTiles.tokens(Some((2048, 4096))), 1105);
/// assert_eq!(ImagePricing::Anthropic.tokens(Some((1000, 1000))), 1334);
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum ImagePricing {
    /// Width x height / 750, after the image is scaled down to 1,568 pixels on its long edge and about 1,600 tokens.
    /// An image of unknown size is taken to cost these 1,600, the most it can. Source: Anthropic's vision guide,
    /// "Calculate image costs" (<https://docs.anthropic.com/en/docs/build-with-claude/vision>).
    #[default]
    Anthropic,
    /// 85, and 170 for each tile of 512 x 512 pixels, after the image is scaled down to fit into 2,048 x 2,048 and then
    /// to 768 on its short edge (GPT-4o and GPT-4.1, high detail). An image of unknown size is taken to be 1,024 x
    /// 1,024, which is 765. Source: `OpenAI`'s images and vision guide, "Calculating costs"
    /// (<https://platform.openai.com/docs/guides/images-vision>).
    OpenAiTiles,
}

impl ImagePricing {
    /// Tokens of an image of so many pixels, width and height.
    #[must_use]
    pub fn tokens(self, size: Option<(u32, u32)>) -> usize {
        match self {
            Self::Anthropic => size.map_or(ANTHROPIC_MOST, anthropic),
            Self::OpenAiTiles => openai_tiles(size.unwrap_or((1024, 1024))),
        }
    }
}

/// Tokens to which an image is scaled down.
const ANTHROPIC_MOST: usize = 1_600;

fn anthropic((width, height): (u32, u32)) -> usize {
    let (width, height) = shrunk((width.into(), height.into()), 1_568, u64::max);
    let tokens = (width * height).div_ceil(750);
    usize::try_from(tokens).map_or(ANTHROPIC_MOST, |tokens| tokens.clamp(1, ANTHROPIC_MOST))
}

fn openai_tiles((width, height): (u32, u32)) -> usize {
    let fitting = shrunk((width.into(), height.into()), 2_048, u64::max);
    let (width, height) = shrunk(fitting, 768, u64::min);
    let tiles = width.div_ceil(512).max(1) * height.div_ceil(512).max(1);
    // 2,048 x 768 at most, so a few tiles.
    usize::try_from(85 + 170 * tiles).unwrap_or(usize::MAX)
}

/// The size scaled down so that the edge that `pick` takes is at most `most` pixels.
fn shrunk((width, height): (u64, u64), most: u64, pick: fn(u64, u64) -> u64) -> (u64, u64) {
    let edge = pick(width, height);
    if edge <= most {
        return (width, height);
    }
    (width * most / edge, height * most / edge)
}

/// Width and height of an image in pixels, where its bytes are here and a PNG or GIF, which have them at a fixed place.
#[must_use]
pub fn image_size(source: &ImageSource) -> Option<(u32, u32)> {
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
