//! Messages: what a conversation is made of, in no provider's format. Rendering and assembly produce them, compaction
//! shrinks them, and `prompt-agent` turns them into the JSON of providers.

mod cache;
mod call;
mod result;

use crate::errors::diagnostics::UnknownName;
use crate::xml::{Tags, wrap};
use prompt_syntax::Code;
use serde::de::{Error as _, SeqAccess, Visitor};
use serde::{Deserialize, Deserializer, Serialize};
use serde_json::{Value, json};
use std::borrow::Cow;
use std::collections::BTreeSet;
use std::fmt;
use std::str::FromStr;

pub use cache::{CachePlan, CachePoint};
pub use call::Call;
pub use result::{ToolCall, ToolResult};

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

impl Role {
    /// All roles.
    pub const ALL: [Self; 4] = [Self::System, Self::User, Self::Assistant, Self::Tool];

    /// The role's name, as in JSON.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::System => "system",
            Self::User => "user",
            Self::Assistant => "assistant",
            Self::Tool => "tool",
        }
    }
}

impl From<prompt_syntax::info::Role> for Role {
    fn from(declared: prompt_syntax::info::Role) -> Self {
        match declared {
            prompt_syntax::info::Role::System => Self::System,
            prompt_syntax::info::Role::User => Self::User,
            prompt_syntax::info::Role::Assistant => Self::Assistant,
        }
    }
}

impl fmt::Display for Role {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.as_str())
    }
}

/// Reads the name of a role; an unknown one is given back in the error's text.
impl FromStr for Role {
    type Err = UnknownName;

    fn from_str(name: &str) -> Result<Self, UnknownName> {
        let found = Self::ALL.into_iter().find(|role| role.as_str() == name);
        let known = Self::ALL.map(Self::as_str);
        found.ok_or_else(|| {
            UnknownName::new(
                Code::UnknownRole,
                format!("`{name}` is no role"),
                name,
                known,
            )
        })
    }
}

/// One message.
///
/// In JSON `content` is a list of pieces; a plain string is read as one text. A fault in a piece is reported with its
/// place: `content[1]: missing field `text``.
///
/// ```
/// use prompt_core::Message;
/// let message: Message = serde_json::from_str(r#"{ "role": "user", "content": "Hello" }"#)?;
/// assert_eq!(message, Message::user("Hello"));
/// # Ok::<(), serde_json::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Message {
    /// Who speaks.
    pub role: Role,
    /// What is said, in order.
    #[serde(deserialize_with = "pieces_or_text")]
    pub content: Vec<Content>,
    /// A cache point after this message.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cache: Option<CachePoint>,
}

/// One piece of a message.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case", deny_unknown_fields)]
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
        /// A JSON object; or a string with the text that the model wrote, where that was no JSON object or has
        /// numbers with more digits than a [`Value`] holds.
        arguments: Value,
    },
    /// The answer to a tool call. In a message of the role [`Tool`](Role::Tool), images behind it are part of it.
    ToolResult {
        /// The call that is answered.
        id: String,
        /// The result as text.
        content: String,
        /// Whether the tool failed.
        #[serde(default)]
        is_error: bool,
    },
    /// Reasoning that the model showed before its answer. Only for the provider that wrote it; see
    /// [`Message::without_reasoning`].
    Thought {
        /// The reasoning, as far as the provider shows it; may be empty.
        text: String,
    },
    /// An opaque token that a provider put on the piece directly before it and wants back unchanged on that piece:
    /// Gemini's `thoughtSignature`, the `signature` of Anthropic's thinking.
    Signature {
        /// The token.
        data: String,
    },
    /// A piece that only one provider has a word for, kept as the JSON it came in, so that the next request can carry
    /// it back: a redacted thought, an encrypted reasoning item, the call of a tool that runs at the provider.
    Native {
        /// The wire format that understands it: `anthropic`, `gemini`, `mcp`, `ollama`, `openai_chat` or
        /// `openai_responses`; or `prompt_core`, for a mark of this library that no request carries.
        format: String,
        /// The piece, byte for byte as JSON. Without a `type` it is fields of the message itself.
        value: Value,
    },
    /// Fields for which this library has no word, and which a provider put on the piece directly before this one and
    /// its signature: citations, the status of an item, who made a call. They go back where they came from.
    Extra {
        /// The wire format that understands them, as in [`Content::Native`].
        format: String,
        /// An object of the fields, each at its place within the piece.
        value: Value,
    },
}

/// What was told to the model about its answer: on the message that tells it, as a mark that no provider sees.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Verdict {
    /// The answer before the message does not fit, and the model is asked again.
    Refused,
    /// The answer before the message fits.
    Accepted,
}

/// The format of marks: pieces for this library alone, in no request.
const MARK: &str = "prompt_core";
/// The key of the mark that lists opened sections.
const OPENED: &str = "opened";
/// The key of the mark that lists the calls whose results are not to be trusted.
const UNTRUSTED: &str = "untrusted";
/// The key of the mark that names the tag in which a text is sent.
const TAG: &str = "tag";

impl Verdict {
    const ALL: [Self; 2] = [Self::Refused, Self::Accepted];

    fn mark(self) -> &'static str {
        match self {
            Self::Refused => "answer_refused",
            Self::Accepted => "answer_accepted",
        }
    }
}

/// Where the bytes of an image are.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum ImageSource {
    /// The bytes, in base64.
    Data(String),
    /// An address the provider can fetch.
    Url(String),
}

impl Message {
    /// A message with one text.
    ///
    /// ```
    /// use prompt_core::Message;
    /// use prompt_core::Role;
    /// assert_eq!(Message::new(Role::User, "Hello").text(), "Hello");
    /// ```
    pub fn new(role: Role, text: impl Into<String>) -> Self {
        Self {
            role,
            content: vec![Content::text(text)],
            cache: None,
        }
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

    /// A message that answers tool calls, one piece per result. A [`Content::Image`] put behind a result is part of it
    /// for the providers that take images there: all but Chat Completions.
    ///
    /// ```
    /// use prompt_core::Message;
    /// use prompt_core::Role;
    /// use prompt_core::ToolCall;
    /// use prompt_core::ToolResult;
    /// let call = ToolCall { id: "call_1".into(), name: "now".into(), arguments: serde_json::json!({}) };
    /// let message = Message::tool([ToolResult::ok(&call, "noon")]);
    /// assert_eq!(message.role, Role::Tool);
    /// ```
    pub fn tool(results: impl IntoIterator<Item = ToolResult>) -> Self {
        let mut message = Self {
            role: Role::Tool,
            content: Vec::new(),
            cache: None,
        };
        let mut untrusted = Vec::new();
        for mut result in results {
            let attachments = std::mem::take(&mut result.attachments);
            untrusted.extend(result.untrusted.then(|| result.id.clone()));
            message.content.push(Content::from(result));
            message.content.extend(attachments);
        }
        if !untrusted.is_empty() {
            message.mark(json!({ UNTRUSTED: untrusted }));
        }
        message
    }

    /// The tool calls of the message, in order.
    pub fn tool_calls(&self) -> impl Iterator<Item = ToolCall> + '_ {
        self.content.iter().filter_map(|piece| match piece {
            Content::ToolCall {
                id,
                name,
                arguments,
            } => Some(ToolCall {
                id: id.clone(),
                name: name.clone(),
                arguments: arguments.clone(),
            }),
            _ => None,
        })
    }

    /// The results in the message, in order, with what stands behind each. They have no name of a tool: that is found through the
    /// call of the same id.
    ///
    /// ```
    /// use prompt_core::{Message, ToolCall, ToolResult};
    ///
    /// let call = ToolCall::new("call_1", "now", serde_json::json!({}));
    /// let message = Message::tool([ToolResult::ok(&call, "noon").untrusted()]);
    /// assert!(message.tool_results()[0].untrusted);
    /// ```
    pub fn tool_results(&self) -> Vec<ToolResult> {
        let untrusted = self.marked_texts(UNTRUSTED).into_iter().flatten();
        let untrusted: BTreeSet<&str> = untrusted.collect();
        let mut results: Vec<ToolResult> = Vec::new();
        for piece in &self.content {
            match (piece, results.last_mut()) {
                (
                    Content::ToolResult {
                        id,
                        content,
                        is_error,
                    },
                    _,
                ) => results.push(ToolResult {
                    id: id.clone(),
                    name: String::new(),
                    content: content.clone(),
                    is_error: *is_error,
                    attachments: Vec::new(),
                    untrusted: untrusted.contains(id.as_str()),
                }),
                (_, Some(last)) if !piece.is_mark() => last.attachments.push(piece.clone()),
                _ => {}
            }
        }
        results
    }

    /// A message in which the model calls tools, as one of an example or of a test.
    ///
    /// ```
    /// use prompt_core::{Message, ToolCall};
    /// let message = Message::calls([ToolCall::new("call_1", "now", serde_json::json!({}))]);
    /// assert_eq!(message.tool_calls().count(), 1);
    /// ```
    pub fn calls(calls: impl IntoIterator<Item = ToolCall>) -> Self {
        Self {
            role: Role::Assistant,
            content: calls.into_iter().map(Content::from).collect(),
            cache: None,
        }
    }

    /// The same message without thoughts, signatures, native pieces and what else only one provider understands: what
    /// remains can be sent to any provider.
    ///
    /// ```
    /// use prompt_core::Content;
    /// use prompt_core::Message;
    /// let mut message = Message::assistant("42");
    /// message.content.insert(0, Content::Thought { text: "six times seven".into() });
    /// assert_eq!(message.without_reasoning(), Message::assistant("42"));
    /// ```
    #[must_use]
    pub fn without_reasoning(mut self) -> Self {
        let private = |piece: &Content| match piece {
            Content::Thought { .. } | Content::Signature { .. } | Content::Extra { .. } => true,
            Content::Native { .. } => !piece.is_mark(),
            _ => false,
        };
        self.content.retain(|piece| !private(piece));
        self
    }

    /// The same message, marked: a [`History`](crate::History) leaves out refused answers once one is accepted.
    #[must_use]
    pub fn marked(mut self, verdict: Verdict) -> Self {
        self.mark(verdict.mark().into());
        self
    }

    /// Adds a mark.
    fn mark(&mut self, value: Value) {
        let format = MARK.to_owned();
        self.content.push(Content::Native { format, value });
    }

    /// What a mark says under this key.
    fn mark_of(&self, key: &str) -> Option<&Value> {
        self.content.iter().find_map(|piece| match piece {
            Content::Native { value, .. } if piece.is_mark() => value.get(key),
            _ => None,
        })
    }

    /// Texts under a key of a mark.
    fn marked_texts(&self, key: &str) -> Option<impl Iterator<Item = &str>> {
        let list = self.mark_of(key)?.as_array()?;
        Some(list.iter().filter_map(Value::as_str))
    }

    /// The same message, marked: a conversation sends its text in this tag, see
    /// `begin_in`.
    #[must_use]
    #[doc(hidden)]
    pub fn marked_in(mut self, tag: &str) -> Self {
        self.mark(json!({ TAG: tag }));
        self
    }

    /// The message as it is sent beside a prompt with these tags: what a person says, and results that are not to be trusted,
    /// opens and closes none of them. Messages of all others are left alone, and so are those that tell the model what is wrong
    /// with its answer.
    #[must_use]
    pub fn guarded(mut self, tags: &Tags) -> Self {
        let guard = |text: &mut String| {
            if let Cow::Owned(guarded) = tags.guard(text) {
                *text = guarded;
            }
        };
        if self.role == Role::User && self.verdict().is_none() {
            let tag = self.mark_of(TAG).and_then(Value::as_str).map(str::to_owned);
            for piece in &mut self.content {
                match piece {
                    Content::Text { text } => {
                        guard(text);
                        let wrapped = tag.as_deref().and_then(|tag| wrap(tag, text).ok());
                        if let Some(wrapped) = wrapped {
                            wrapped.trim_end().clone_into(text);
                        }
                    }
                    Content::Resource { uri, text, .. } => {
                        guard(uri);
                        guard(text);
                    }
                    _ => {}
                }
            }
        }
        let untrusted = self.marked_texts(UNTRUSTED).into_iter().flatten();
        let untrusted: BTreeSet<String> = untrusted.map(str::to_owned).collect();
        for piece in &mut self.content {
            if let Content::ToolResult { id, content, .. } = piece
                && untrusted.contains(id)
            {
                *content = tags.guard_untrusted(content).into_owned();
            }
        }
        self
    }

    /// What the message tells the model about its answer, if it was marked.
    pub fn verdict(&self) -> Option<Verdict> {
        let mark = self.content.iter().find_map(|piece| match piece {
            Content::Native { value, .. } if piece.is_mark() => value.as_str(),
            _ => None,
        })?;
        Verdict::ALL
            .into_iter()
            .find(|verdict| verdict.mark() == mark)
    }

    /// The same message, marked with the paths of the sections that its results have opened: no provider sees the mark, and a
    /// conversation that is rebuilt from its log reads it.
    #[must_use]
    pub fn marked_opened(mut self, opened: &[String]) -> Self {
        self.mark(json!({ OPENED: opened }));
        self
    }

    /// The paths of the opened sections that the message was marked with, if it was.
    pub fn opened(&self) -> Option<Vec<String>> {
        let paths = self.marked_texts(OPENED)?;
        Some(paths.map(str::to_owned).collect())
    }

    /// The texts of the message, joined by a line break; everything else is left out.
    pub fn text(&self) -> String {
        let texts: Vec<&str> = self.content.iter().filter_map(Content::as_text).collect();
        texts.join("\n")
    }
}

/// A mark that no message of these pieces has: a damaged one must not leave unguarded what is not to be trusted.
fn odd_mark(pieces: &[Content]) -> Option<&Value> {
    let is_result = |id: &str| {
        let mut results = pieces.iter();
        results.any(|piece| matches!(piece, Content::ToolResult { id: result, .. } if result == id))
    };
    let is_text =
        |text: &Value, is_right: &dyn Fn(&str) -> bool| text.as_str().is_some_and(is_right);
    let are_texts = |list: &Value, are_right: &dyn Fn(&str) -> bool| {
        let list = list.as_array();
        list.is_some_and(|list| list.iter().all(|text| is_text(text, are_right)))
    };
    let is_known = |mark: &Value| match mark {
        Value::Object(map) => map.iter().all(|(key, value)| match key.as_str() {
            OPENED => are_texts(value, &|_| true),
            UNTRUSTED => are_texts(value, &is_result),
            TAG => is_text(value, &|_| true),
            _ => false,
        }),
        word => is_text(word, &|word| {
            Verdict::ALL.iter().any(|verdict| verdict.mark() == word)
        }),
    };
    let mut marks = pieces.iter().filter_map(|piece| match piece {
        Content::Native { value, .. } if piece.is_mark() => Some(value),
        _ => None,
    });
    marks.find(|mark| !is_known(mark))
}

/// Reads the content of a message: a list of pieces, or a string as the short form of one text.
fn pieces_or_text<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<Content>, D::Error> {
    struct Pieces;
    impl<'de> Visitor<'de> for Pieces {
        type Value = Vec<Content>;

        fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            f.write_str("a text or a list of pieces")
        }

        fn visit_str<E>(self, text: &str) -> Result<Vec<Content>, E> {
            Ok(vec![Content::text(text)])
        }

        fn visit_string<E>(self, text: String) -> Result<Vec<Content>, E> {
            Ok(vec![Content::Text { text }])
        }

        fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<Vec<Content>, A::Error> {
            let mut pieces = Vec::new();
            loop {
                match list.next_element() {
                    Ok(Some(piece)) => pieces.push(piece),
                    Ok(None) => {
                        return match odd_mark(&pieces) {
                            None => Ok(pieces),
                            Some(mark) => Err(A::Error::custom(format_args!(
                                "content: `{mark}` is no mark of a message with these results"
                            ))),
                        };
                    }
                    Err(fault) => {
                        let at = pieces.len();
                        return Err(A::Error::custom(format_args!("content[{at}]: {fault}")));
                    }
                }
            }
        }
    }
    deserializer.deserialize_any(Pieces)
}

impl Content {
    /// A text.
    pub fn text(text: impl Into<String>) -> Self {
        Self::Text { text: text.into() }
    }

    /// Whether the piece is a mark of this library, which no request carries.
    pub fn is_mark(&self) -> bool {
        matches!(self, Self::Native { format, .. } if format == MARK)
    }

    /// The text of a text; `None` for everything else.
    pub fn as_text(&self) -> Option<&str> {
        match self {
            Self::Text { text } => Some(text),
            _ => None,
        }
    }
}

impl Content {
    /// The call in this piece, if it is one that the program answers: one of ours, or one that only `OpenAI` has a form for.
    pub fn call(&self) -> Option<Call<'_>> {
        call::call_in(self)
    }

    /// The id of the call in this piece: one of ours, or one that only `OpenAI` has a form for (of a custom tool, a shell on
    /// this side, a computer; a patch; a request for approval) and that is answered in the same way.
    ///
    /// ```
    /// use prompt_core::Content;
    /// use serde_json::json;
    /// let value = json!({ "type": "custom_tool_call", "call_id": "call_1", "name": "sql", "input": "select 1" });
    /// let call = Content::Native { format: "openai_responses".into(), value };
    /// assert_eq!(call.call_id(), Some("call_1"));
    /// ```
    pub fn call_id(&self) -> Option<&str> {
        self.call().map(|call| call.id)
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

impl From<ToolCall> for Content {
    fn from(call: ToolCall) -> Self {
        Self::ToolCall {
            id: call.id,
            name: call.name,
            arguments: call.arguments,
        }
    }
}

/// The name of the tool is not part of the piece; it is found again through the call with the same id.
/// The message that answers one call.
impl From<ToolResult> for Message {
    fn from(result: ToolResult) -> Self {
        Self::tool([result])
    }
}

impl From<ToolResult> for Content {
    fn from(result: ToolResult) -> Self {
        Self::ToolResult {
            id: result.id,
            content: result.content,
            is_error: result.is_error,
        }
    }
}
