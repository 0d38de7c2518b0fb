//! Calls of tools, and what they give back.

use super::Content;
use serde::{Deserialize, Serialize};
use serde_json::Value;

/// A call by the model.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ToolCall {
    /// Identifies the call within the conversation.
    pub id: String,
    /// The tool.
    pub name: String,
    /// A JSON object; or a string with the text that the model wrote, where that was no JSON object.
    pub arguments: Value,
}

impl ToolCall {
    /// A call; `arguments` is a JSON object.
    pub fn new(id: impl Into<String>, name: impl Into<String>, arguments: Value) -> Self {
        Self {
            id: id.into(),
            name: name.into(),
            arguments,
        }
    }
}

/// The answer to a call.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[non_exhaustive]
pub struct ToolResult {
    /// The call that is answered.
    pub id: String,
    /// The tool that was called.
    pub name: String,
    /// The result as text.
    pub content: String,
    /// Whether the tool failed.
    #[serde(default)]
    pub is_error: bool,
    /// What stands behind the text: images.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub attachments: Vec<Content>,
    /// Whether the text is not to be trusted: see [`untrusted`](Self::untrusted).
    #[serde(default, skip_serializing_if = "is_false")]
    pub untrusted: bool,
}

#[expect(
    clippy::trivially_copy_pass_by_ref,
    reason = "serde asks for a reference"
)]
fn is_false(flag: &bool) -> bool {
    !*flag
}

impl ToolResult {
    /// The answer of a tool that worked.
    pub fn ok(call: &ToolCall, content: impl Into<String>) -> Self {
        Self {
            id: call.id.clone(),
            name: call.name.clone(),
            content: content.into(),
            is_error: false,
            attachments: Vec::new(),
            untrusted: false,
        }
    }

    /// The same result with something behind its text: an image. A format that takes none there says so before anything is
    /// sent.
    ///
    /// ```
    /// use prompt_core::message::{Content, ImageSource};
    /// use prompt_core::{Message, ToolCall, ToolResult};
    ///
    /// let call = ToolCall::new("call_1", "look", serde_json::json!({}));
    /// let image = Content::Image { mime: "image/png".into(), source: ImageSource::Data("iVBORw0KGgo=".into()) };
    /// let message = Message::tool([ToolResult::ok(&call, "The harbour:").with(image)]);
    /// assert_eq!(message.content.len(), 2);
    /// ```
    #[must_use]
    pub fn with(mut self, attachment: Content) -> Self {
        self.attachments.push(attachment);
        self
    }

    /// The same result, whose text is somebody else's: a web page, a mail. A conversation sends it with tags of the prompt
    /// escaped, and headings, fences, rules, lists and chat tokens defused, as `untrusted` does it to values; its log keeps it
    /// as it was. [`ToolSpec::untrusted`](crate::ToolSpec::untrusted) says it of all results of a tool.
    #[must_use]
    pub fn untrusted(mut self) -> Self {
        self.untrusted = true;
        self
    }

    /// The answer of a tool that failed; the text tells the model what to do better.
    pub fn failed(call: &ToolCall, content: impl Into<String>) -> Self {
        Self {
            is_error: true,
            ..Self::ok(call, content)
        }
    }
}
