//! What compaction asks of a message: its kind, its compact form, and its length; and the answers of our own messages.

use super::{ClearToolResults, Extractor};
use crate::messages::message::{Content, ImageSource, Message, Role, Verdict};
use crate::messages::tool::{OPEN_SECTIONS, is_notice};
use crate::tokens::{TokenCounter, message_tokens};
use std::borrow::Cow;

/// A message that can be compacted. [`Message`](crate::message::Message) has it; other message types need two methods, and do
/// better with the third.
///
/// ```
/// use prompt_core::compaction::Compact;
/// use prompt_core::compaction::CompactForm;
/// use prompt_core::compaction::CompactionConfig;
/// use prompt_core::compaction::Compactor;
/// use prompt_core::compaction::Extractor;
/// use prompt_core::compaction::Item;
/// use prompt_core::compaction::Kind;
/// use std::borrow::Cow;
///
/// #[derive(Debug, PartialEq)]
/// enum Entry { Asked(String), Answered(String) }
///
/// impl Compact for Entry {
///     fn kind(&self) -> Kind {
///         match self { Self::Asked(_) => Kind::Question, Self::Answered(_) => Kind::Answer }
///     }
///     fn compact(&self, extractor: &Extractor) -> CompactForm {
///         match self {
///             Self::Asked(_) => CompactForm::Drop,
///             Self::Answered(text) => CompactForm::from(extractor.extract(text)),
///         }
///     }
///     fn plain_text(&self) -> Option<Cow<'_, str>> {
///         match self { Self::Asked(text) | Self::Answered(text) => Some(text.into()) }
///     }
/// }
///
/// # fn main() -> Result<(), prompt_core::compaction::CompactionError> {
/// let log = [
///     Entry::Asked("How deep is the harbour at the north quay?".into()),
///     Entry::Answered("Four metres at low water.\nrecap - north quay 4 m".into()),
/// ];
/// let config = CompactionConfig::builder().min_preserved(0).batch_size(1).build()?;
/// let compacted = Compactor::new(config).compact(&log);
/// assert!(matches!(compacted.items().last(), Some(Item::Recap(text)) if text == "recap - north quay 4 m"));
/// # Ok(()) }
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` is no message that can be compacted",
    note = "implement `prompt_core::Compact` for it: its kind and its compact form"
)]
pub trait Compact {
    /// What the message is in the conversation. Must not change while the message is in a history.
    fn kind(&self) -> Kind;

    /// What becomes of the message before the frontier; asked when its batch is compacted. Messages that come before the
    /// first question, answer or tool message are not asked: they stay. Where a tool message is to stay, its whole exchange
    /// does, and so do the exchanges that calls tie to it.
    fn compact(&self, extractor: &Extractor) -> CompactForm;

    /// The same for a message with tool calls, with the answers at hand: `result` gives the message with the result of a call
    /// of this message. The default does not look at them.
    fn compact_with<'r>(
        &'r self,
        extractor: &Extractor,
        result: &dyn Fn(&str) -> Option<&'r Self>,
    ) -> CompactForm
    where
        Self: Sized,
    {
        let _ = result;
        self.compact(extractor)
    }

    /// The text of the message, if nothing else of it must be kept. It replaces a missing recap in the
    /// [`Exchange`](super::RecapForm::Exchange) form. `None`, the default, keeps the batch of such an answer full.
    fn plain_text(&self) -> Option<Cow<'_, str>> {
        None
    }

    /// The message with its results of tools [cleared](ClearToolResults), each replaced by [its line](ClearToolResults::line);
    /// `None`, the default, where all of them stay. `call` gives the message that made a call.
    fn clear_results<'r>(
        &'r self,
        rule: &ClearToolResults,
        call: &dyn Fn(&str) -> Option<&'r Self>,
    ) -> Option<Self>
    where
        Self: Sized,
    {
        let _ = (rule, call);
        None
    }

    /// Whether the message accepts or refuses the typed answer before it; most messages do neither. A refused answer and
    /// the message that refuses it leave the view once an answer follows that is not refused.
    fn verdict(&self) -> Option<Verdict> {
        None
    }

    /// Bytes of all text in the message, tool traffic included; `None` if unknown. A batch is compacted only if that
    /// makes it shorter; where a message of unknown length goes, it is taken to be.
    fn bytes(&self) -> Option<usize> {
        self.plain_text().map(|text| text.len())
    }

    /// Tokens of the message. The default counts [`plain_text`](Self::plain_text), and 0 without it.
    fn tokens(&self, counter: &dyn TokenCounter) -> usize {
        self.plain_text().map_or(0, |text| counter.count(&text))
    }
}

/// What a message is in the conversation.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Kind {
    /// The model's answer, which ends an exchange: what the rule counts.
    Answer,
    /// What the answer replies to.
    Question,
    /// The model calls tools; the ids of the calls.
    ToolCall(Vec<String>),
    /// The result of one call; its id.
    ToolResult(String),
    /// Any other number of calls and results in one message; also none, in a tool message that names no call.
    ToolTraffic {
        /// Ids of the calls.
        calls: Vec<String>,
        /// Ids of the calls that are answered.
        results: Vec<String>,
    },
    /// Everything else, such as system messages.
    Other,
}

/// What becomes of a message before the frontier.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum CompactForm {
    /// It stays as it is. For an answer: its recap is missing.
    Full,
    /// The text takes its place. A blank one, or one longer than the message, counts as [`Full`](Self::Full).
    Recap(String),
    /// It goes.
    Drop,
}

impl From<Option<String>> for CompactForm {
    /// The recap, or the full message where there is none.
    fn from(recap: Option<String>) -> Self {
        recap.map_or(Self::Full, Self::Recap)
    }
}

impl Kind {
    /// Ids of the calls the message makes.
    pub fn calls(&self) -> &[String] {
        match self {
            Self::ToolCall(calls) | Self::ToolTraffic { calls, .. } => calls,
            _ => &[],
        }
    }

    /// Ids of the calls the message answers.
    pub fn results(&self) -> &[String] {
        match self {
            Self::ToolResult(id) => std::slice::from_ref(id),
            Self::ToolTraffic { results, .. } => results,
            _ => &[],
        }
    }

    /// Whether the model wrote the message, in answer to a request.
    pub(super) fn is_reply(&self) -> bool {
        *self == Self::Answer || !self.calls().is_empty()
    }

    /// Whether the message is a part of a tool call's round trip.
    pub(super) fn is_tool_traffic(&self) -> bool {
        matches!(
            self,
            Self::ToolCall(_) | Self::ToolResult(_) | Self::ToolTraffic { .. }
        )
    }
}

// ---- our own messages

/// System messages stay, user messages are questions, assistant messages without tool calls are answers; whatever
/// carries calls or results is tool traffic, also with text beside it; calls that a provider has in a form of its own
/// are calls. A call of `open_sections` stays, with its exchange, where its result carries the text of a section
/// ([`Delivery::Append`](crate::disclosure::Delivery::Append)): it would be gone with it. Thoughts, signatures and native
/// pieces beside a text do not make an answer more than text.
impl Compact for Message {
    fn kind(&self) -> Kind {
        if self.role == Role::System {
            return Kind::Other;
        }
        let calls = self.content.iter().filter_map(Content::call_id);
        let calls: Vec<String> = calls.map(str::to_owned).collect();
        let mut results: Vec<String> = self.content.iter().filter_map(result_id).collect();
        match (self.role, calls.is_empty(), results.len()) {
            (Role::User, true, 0) => Kind::Question,
            (Role::Assistant, true, 0) => Kind::Answer,
            (_, false, 0) => Kind::ToolCall(calls),
            (_, true, 1) => Kind::ToolResult(results.swap_remove(0)),
            _ => Kind::ToolTraffic { calls, results },
        }
    }

    fn compact(&self, extractor: &Extractor) -> CompactForm {
        match self.kind() {
            Kind::Answer => CompactForm::from(extractor.extract(&self.text())),
            Kind::Other => CompactForm::Full,
            _ if self.opening_calls().next().is_some() => CompactForm::Full,
            _ => CompactForm::Drop,
        }
    }

    fn compact_with<'r>(
        &'r self,
        extractor: &Extractor,
        result: &dyn Fn(&str) -> Option<&'r Self>,
    ) -> CompactForm {
        let mut opening = self.opening_calls().peekable();
        if opening.peek().is_none() {
            return self.compact(extractor);
        }
        let delivers = |id: &str| result(id).is_none_or(|result| result.delivers_text(id));
        if opening.any(delivers) {
            CompactForm::Full
        } else {
            CompactForm::Drop
        }
    }

    fn clear_results<'r>(
        &'r self,
        rule: &ClearToolResults,
        call: &dyn Fn(&str) -> Option<&'r Self>,
    ) -> Option<Self> {
        let name = |id: &str| {
            let mut calls = call(id)?.content.iter().filter_map(Content::call);
            calls.find(|call| call.id == id).map(|call| call.name)
        };
        let is_image =
            |piece: &Content| self.role == Role::Tool && matches!(piece, Content::Image { .. });
        let mut cleared = Vec::new();
        let mut has_line = false;
        let mut pieces = self.content.iter().peekable();
        while let Some(piece) = pieces.next() {
            let mut piece = piece.clone();
            if let Content::ToolResult { id, content, .. } = &mut piece {
                let mut images = Vec::new();
                while let Some(image) = pieces.next_if(|piece| is_image(piece)) {
                    images.push(image.clone());
                }
                let line = rule.line(name(id).unwrap_or_default(), content, images.len());
                if let Some(line) = line {
                    *content = line;
                    images.clear();
                    has_line = true;
                }
                cleared.push(piece);
                cleared.extend(images);
            } else {
                cleared.push(piece);
            }
        }
        has_line.then(|| Self {
            role: self.role,
            content: cleared,
            cache: self.cache,
        })
    }

    fn verdict(&self) -> Option<Verdict> {
        self.verdict()
    }

    fn plain_text(&self) -> Option<Cow<'_, str>> {
        if let [Content::Text { text }] = self.content.as_slice() {
            return Some(Cow::Borrowed(text));
        }
        let is_more = |piece: &Content| {
            matches!(piece, Content::Image { .. } | Content::Resource { .. })
                || piece.call_id().is_some()
                || matches!(piece, Content::ToolResult { .. })
        };
        let is_native =
            |piece: &Content| matches!(piece, Content::Native { .. }) && !piece.is_mark();
        let text = self.text();
        let hides_more = text.trim().is_empty() && self.content.iter().any(is_native);
        (!hides_more && !self.content.iter().any(is_more)).then_some(Cow::Owned(text))
    }

    fn bytes(&self) -> Option<usize> {
        let bytes = self.content.iter().map(content_bytes);
        Some(bytes.fold(0, usize::saturating_add))
    }

    /// As [`tokens::request`](crate::tokens::request) does.
    fn tokens(&self, counter: &dyn TokenCounter) -> usize {
        message_tokens(self, counter)
    }
}

impl Message {
    /// Ids of the calls of `open_sections`.
    fn opening_calls(&self) -> impl Iterator<Item = &str> {
        self.content.iter().filter_map(|piece| match piece {
            Content::ToolCall { id, name, .. } if name == OPEN_SECTIONS => Some(id.as_str()),
            _ => None,
        })
    }

    /// Whether the result of this call of `open_sections` carries the text of a section: it is neither a refusal nor one of
    /// the notices that the library itself writes.
    pub fn delivers_text(&self, call: &str) -> bool {
        self.content.iter().any(|piece| match piece {
            Content::ToolResult {
                id,
                content,
                is_error,
            } => id == call && !is_error && !is_notice(content),
            _ => false,
        })
    }
}

fn result_id(piece: &Content) -> Option<String> {
    match piece {
        Content::ToolResult { id, .. } => Some(id.clone()),
        _ => None,
    }
}

fn content_bytes(content: &Content) -> usize {
    match content {
        Content::Text { text } | Content::Resource { text, .. } | Content::Thought { text } => {
            text.len()
        }
        Content::Signature { data } => data.len(),
        Content::Native { .. } if content.is_mark() => 0,
        Content::Native { value, .. } | Content::Extra { value, .. } => value.to_string().len(),
        Content::Image {
            source: ImageSource::Data(source) | ImageSource::Url(source),
            ..
        } => source.len(),
        Content::ToolCall {
            name, arguments, ..
        } => name.len() + arguments.to_string().len(),
        Content::ToolResult { content, .. } => content.len(),
    }
}
