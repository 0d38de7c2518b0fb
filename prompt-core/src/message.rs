//! Messages: what a conversation is made of, in no provider's format. Rendering and assembly produce them, compaction
//! shrinks them, and the `wire` modules turn them into JSON.

use serde::{Deserialize, Serialize};
use serde_json::Value;

/// Who speaks.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Role {
    /// Instructions of the application.
    System,
    /// The person, or the program that stands for one.
    User,
    /// The model.
    Assistant,
    /// Results of tool calls.
    Tool,
}

/// One message.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Message {
    /// Who speaks.
    pub role: Role,
    /// What is said, in order.
    pub content: Vec<Content>,
    /// A cache point after this message.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cache: Option<CachePoint>,
}

/// One piece of a message.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
#[non_exhaustive]
pub enum Content {
    /// Text.
    Text {
        /// The text itself.
        text: String,
    },
    /// An image.
    Image {
        /// Media type, such as `image/png`.
        mime: String,
        /// Where its bytes are.
        source: ImageSource,
    },
    /// A document that the message brings along.
    Resource {
        /// Its address, in any scheme.
        uri: String,
        /// Media type, where known.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        mime: Option<String>,
        /// Its text.
        text: String,
    },
    /// The model asks for a tool.
    ToolCall {
        /// Identifies the call within the conversation.
        id: String,
        /// The tool.
        name: String,
        /// A JSON object.
        arguments: Value,
    },
    /// The answer to a tool call.
    ToolResult {
        /// The call that is answered.
        id: String,
        /// The result as text.
        content: String,
        /// Whether the tool failed.
        #[serde(default)]
        is_error: bool,
    },
}

/// Where the bytes of an image are.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ImageSource {
    /// The bytes, in base64.
    Data(String),
    /// An address the provider can fetch.
    Url(String),
}

/// A place up to which a provider may cache the request.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct CachePoint {
    /// How long the provider should keep it, in seconds; `None` for the provider's default.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ttl: Option<u32>,
}

impl Message {
    /// A message with one text.
    ///
    /// ```
    /// use prompt_core::{Message, Role};
    /// assert_eq!(Message::new(Role::User, "Hello").text(), "Hello");
    /// ```
    pub fn new(role: Role, text: impl Into<String>) -> Self {
        Self { role, content: vec![Content::text(text)], cache: None }
    }

    /// A system message with one text.
    pub fn system(text: impl Into<String>) -> Self {
        Self::new(Role::System, text)
    }

    /// A user message with one text.
    pub fn user(text: impl Into<String>) -> Self {
        Self::new(Role::User, text)
    }

    /// An assistant message with one text.
    pub fn assistant(text: impl Into<String>) -> Self {
        Self::new(Role::Assistant, text)
    }

    /// The same message with a cache point after it.
    #[must_use]
    pub fn cached(mut self, point: CachePoint) -> Self {
        self.cache = Some(point);
        self
    }

    /// The texts of the message, joined by a line break; tool traffic and images are left out.
    pub fn text(&self) -> String {
        let texts: Vec<&str> = self.content.iter().filter_map(Content::as_text).collect();
        texts.join("\n")
    }
}

impl Content {
    /// A text.
    pub fn text(text: impl Into<String>) -> Self {
        Self::Text { text: text.into() }
    }

    /// The text of a text; `None` for everything else.
    pub fn as_text(&self) -> Option<&str> {
        match self {
            Self::Text { text } => Some(text),
            _ => None,
        }
    }
}

impl From<&str> for Content {
    fn from(text: &str) -> Self {
        Self::text(text)
    }
}

impl From<String> for Content {
    fn from(text: String) -> Self {
        Self::text(text)
    }
}
