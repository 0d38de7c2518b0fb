//! How our own messages are compacted.

use super::{Compact, CompactForm, Extractor, Kind};
use crate::disclosure::OPEN_SECTIONS;
use crate::message::Content;
use crate::message::ImageSource;
use crate::message::Message;
use crate::message::Role;
use crate::tokens::TokenCounter;
use serde_json::Value;
use std::borrow::Cow;

/// Tokens an image is taken to cost: the most that Anthropic charges for one before it scales it down, by its vision
/// guide (width x height / 750, at most about 1,600).
const IMAGE_TOKENS: usize = 1_600;

/// System messages stay, user messages are questions, assistant messages without tool calls are answers; whatever
/// carries calls or results is tool traffic, also when text stands beside it. Calls of `open_sections` stay, with their
/// results and all that parallel calls tie to them: the sections they opened would be gone with them.
impl Compact for Message {
    fn kind(&self) -> Kind {
        if self.role == Role::System {
            return Kind::Other;
        }
        let (calls, results) = tool_ids(&self.content);
        match self.role {
            Role::User if calls.is_empty() && results.is_empty() => Kind::Question,
            Role::Assistant if calls.is_empty() && results.is_empty() => Kind::Answer,
            _ => traffic(calls, results),
        }
    }

    fn compact(&self, extractor: &Extractor) -> CompactForm {
        match self.kind() {
            Kind::Answer => CompactForm::from(extractor.extract(&self.text())),
            Kind::Other => CompactForm::Full,
            // What the model opened travels in the result: dropped, it would be closed again without a word.
            _ if self.tool_calls().any(|call| call.name == OPEN_SECTIONS) => CompactForm::Full,
            _ => CompactForm::Drop,
        }
    }

    fn plain_text(&self) -> Option<Cow<'_, str>> {
        match self.content.as_slice() {
            [Content::Text { text }] => Some(Cow::Borrowed(text)),
            contents if contents.iter().all(|content| content.as_text().is_some()) => {
                Some(Cow::Owned(self.text()))
            }
            _ => None,
        }
    }

    fn bytes(&self) -> Option<usize> {
        Some(self.content.iter().map(content_bytes).sum())
    }

    /// Counts text, resources, tool names, arguments and results; an image counts 1,600.
    fn tokens(&self, counter: &dyn TokenCounter) -> usize {
        self.content
            .iter()
            .map(|content| content_tokens(content, counter))
            .sum()
    }
}

/// Ids of the calls, and ids of the results.
fn tool_ids(contents: &[Content]) -> (Vec<String>, Vec<String>) {
    let (mut calls, mut results) = (Vec::new(), Vec::new());
    for content in contents {
        match content {
            Content::ToolCall { id, .. } => calls.push(id.clone()),
            Content::ToolResult { id, .. } => results.push(id.clone()),
            _ => {}
        }
    }
    (calls, results)
}

fn traffic(calls: Vec<String>, mut results: Vec<String>) -> Kind {
    match (calls.is_empty(), results.len()) {
        (true, 0) => Kind::Other,
        (true, 1) => results.pop().map_or(Kind::Other, Kind::ToolResult),
        (false, 0) => Kind::ToolCall(calls),
        _ => Kind::ToolTraffic { calls, results },
    }
}

fn content_bytes(content: &Content) -> usize {
    match content {
        Content::Text { text } | Content::Resource { text, .. } | Content::Thought { text } => {
            text.len()
        }
        Content::Signature { data } => data.len(),
        Content::Native { value, .. } => json(value).len(),
        Content::Image {
            source: ImageSource::Data(source) | ImageSource::Url(source),
            ..
        } => source.len(),
        Content::ToolCall {
            name, arguments, ..
        } => name.len() + json(arguments).len(),
        Content::ToolResult { content, .. } => content.len(),
    }
}

fn content_tokens(content: &Content, counter: &dyn TokenCounter) -> usize {
    match content {
        Content::Text { text } | Content::Resource { text, .. } | Content::Thought { text } => {
            counter.count(text)
        }
        Content::Signature { data } => counter.count(data),
        Content::Native { value, .. } => counter.count(&json(value)),
        Content::Image { .. } => IMAGE_TOKENS,
        Content::ToolCall {
            name, arguments, ..
        } => counter.count(name) + counter.count(&json(arguments)),
        Content::ToolResult { content, .. } => counter.count(content),
    }
}

fn json(arguments: &Value) -> String {
    arguments.to_string()
}
