//! The task's own part of the system text: a text, or the messages of a rendered prompt.

use crate::message::CachePoint;
use crate::message::Content;
use crate::message::Message;
use crate::message::Role;

/// The task's own part of an assembly: a system text, or the messages of a rendered prompt.
///
/// Of a list of messages, the last system message of those that open the list is the system text that adapter and user
/// instructions are appended to. System messages before it stay as they are (blocks with cache points of their own);
/// everything after it, such as examples, stays in order between the system text and the user message.
///
/// ```
/// use prompt_core::message::CachePoint;
/// use prompt_core::Message;
/// use prompt_core::assembly::TaskText;
/// let plain: TaskText = "You grade bread.".into();
/// let cached = plain.cached(CachePoint::default());
/// assert_eq!(cached, vec![Message::system("You grade bread.").cached(CachePoint::default())].into());
/// ```
#[derive(Clone, Debug, Default, PartialEq)]
pub struct TaskText {
    pub(super) text: String,
    pub(super) cache: Option<CachePoint>,
    pub(super) before: Vec<Message>,
    pub(super) after: Vec<Message>,
}

impl TaskText {
    /// The same with a cache point after the system part.
    #[must_use]
    pub fn cached(mut self, point: CachePoint) -> Self {
        self.cache = Some(point);
        self
    }
}

impl From<String> for TaskText {
    fn from(text: String) -> Self {
        Self {
            text,
            ..Self::default()
        }
    }
}

impl From<&str> for TaskText {
    fn from(text: &str) -> Self {
        text.to_owned().into()
    }
}

impl From<&String> for TaskText {
    fn from(text: &String) -> Self {
        text.as_str().into()
    }
}

impl From<Vec<Message>> for TaskText {
    fn from(mut messages: Vec<Message>) -> Self {
        let opening = messages
            .iter()
            .take_while(|message| message.role == Role::System)
            .count();
        let after = messages.split_off(opening);
        match messages
            .pop_if(|message| matches!(message.content.as_slice(), [Content::Text { .. }]))
        {
            Some(base) => Self {
                text: base.text(),
                cache: base.cache,
                before: messages,
                after,
            },
            None => Self {
                before: messages,
                after,
                ..Self::default()
            },
        }
    }
}

impl From<&[Message]> for TaskText {
    fn from(messages: &[Message]) -> Self {
        messages.to_vec().into()
    }
}

impl From<Message> for TaskText {
    fn from(message: Message) -> Self {
        vec![message].into()
    }
}
