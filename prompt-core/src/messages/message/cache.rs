//! Cache points: up to where a provider may reuse what it has already read. Which of them survive a provider's limit is
//! decided here, once for all formats.

use super::{Content, Message, Role};
use serde::{Deserialize, Serialize};

/// Providers take at most this many points in one request.
const MOST: usize = 4;

/// A place up to which a provider may cache the request.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct CachePoint {
    /// How long the provider should keep it, in seconds; `None` for the provider's default.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ttl: Option<u32>,
}

impl CachePoint {
    /// A point that the provider should keep for an hour.
    pub fn one_hour() -> Self {
        Self { ttl: Some(3_600) }
    }
}

/// Where the cache points of a list of messages go.
///
/// [`CachePlan::auto`] sets up to three: after the system text (after its static prefix, where that is known), at the
/// frontier of a compacted history, and at the end. Points that messages already carry, and those named by
/// [`CachePlan::after`], are added to these. At most four points stay, as providers take no more: the first, because
/// the most requests share it, and the last three, because the next request builds on them.
/// [`apply`](CachePlan::apply) reports the others.
///
/// ```
/// use prompt_core::message::CachePlan;
/// use prompt_core::Message;
/// let mut messages = vec![
///     Message::system("You review code.\n\n## Today\n\nMonday"),
///     Message::user("Review this."),
/// ];
/// let left_out = CachePlan::auto().static_prefix(20).apply(&mut messages);
/// // The system text is cut at the blank line before byte 20, so that its first part can be cached by itself.
/// assert_eq!(messages[0].text(), "You review code.");
/// assert_eq!(messages[1].text(), "## Today\n\nMonday");
/// assert!(left_out.is_empty());
/// assert!(messages[0].cache.is_some() && messages[1].cache.is_none() && messages[2].cache.is_some());
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct CachePlan {
    automatic: bool,
    points: Vec<(usize, CachePoint)>,
    static_prefix: Option<usize>,
    frontier: Option<usize>,
    prefix_point: CachePoint,
}

impl CachePlan {
    /// A plan that finds the places by itself.
    pub fn auto() -> Self {
        Self {
            automatic: true,
            ..Self::default()
        }
    }

    /// A plan with the points named by [`CachePlan::after`] and no others.
    pub fn explicit() -> Self {
        Self::default()
    }

    /// Adds a point after the message with this index. One past the end is left out, and reported.
    #[must_use]
    pub fn after(mut self, message: usize, point: CachePoint) -> Self {
        self.points.push((message, point));
        self
    }

    /// How many bytes at the start of the first system message never change from call to call.
    ///
    /// The message is cut in two at the last blank line inside that prefix or right after it; formats with one system string join the
    /// parts with a blank line again, so no byte changes. Without a blank line there the message stays whole.
    #[must_use]
    pub fn static_prefix(mut self, bytes: usize) -> Self {
        self.static_prefix = Some(bytes);
        self
    }

    /// The index of the first message that compaction has left alone.
    #[must_use]
    pub fn frontier(mut self, message: usize) -> Self {
        self.frontier = Some(message);
        self
    }

    /// What the point after the system text asks for, such as [`CachePoint::one_hour`].
    #[must_use]
    pub fn prefix_point(mut self, point: CachePoint) -> Self {
        self.prefix_point = point;
        self
    }

    /// Sets the points. The only change to the content is the cut described at [`CachePlan::static_prefix`].
    ///
    /// Gives back the points that were left out, as indexes of their messages: those past the end, and those of more
    /// than four.
    #[must_use = "a point may have been left out"]
    pub fn apply(&self, messages: &mut Vec<Message>) -> Vec<usize> {
        let mut left_out = Vec::new();
        for &(index, point) in &self.points {
            match messages.get_mut(index) {
                Some(message) => message.cache = Some(point),
                None => left_out.push(index),
            }
        }
        if self.automatic {
            self.apply_automatic(messages);
        }
        let has_point = |at: &usize| messages[*at].cache.is_some();
        let marked: Vec<usize> = (0..messages.len()).filter(has_point).collect();
        for &at in Self::left_out(&marked) {
            messages[at].cache = None;
            left_out.push(at);
        }
        left_out.sort_unstable();
        left_out
    }

    /// Which of these points, in order, are more than a provider takes: all between the first and the last three.
    pub fn left_out<T>(points: &[T]) -> &[T] {
        points
            .get(1..points.len().saturating_sub(MOST - 1))
            .unwrap_or_default()
    }

    fn apply_automatic(&self, messages: &mut Vec<Message>) {
        let cut = self.mark_system(messages);
        // The frontier was counted before the cut.
        let frontier = self.frontier.and_then(|frontier| frontier.checked_sub(1));
        let last = messages.len().checked_sub(1);
        let frontier = frontier.map(|at| at.saturating_add(usize::from(cut)));
        mark(messages, frontier, CachePoint::default());
        mark(messages, last, CachePoint::default());
    }

    /// Puts the point after the system text, or after its static prefix; says whether a message was cut in two for it.
    fn mark_system(&self, messages: &mut Vec<Message>) -> bool {
        let system = messages
            .iter()
            .take_while(|message| message.role == Role::System)
            .count();
        let Some(bytes) = self.static_prefix else {
            mark(messages, system.checked_sub(1), self.prefix_point);
            return false;
        };
        let Some(first) = messages.first_mut().filter(|_| system > 0) else {
            return false;
        };
        let [Content::Text { text }] = first.content.as_mut_slice() else {
            return false;
        };
        if bytes >= text.len() {
            first.cache.get_or_insert(self.prefix_point);
            return false;
        }
        let Some((head, tail)) = cut(text, bytes) else {
            return false;
        };
        let rest = Message {
            cache: first.cache,
            ..Message::system(tail)
        };
        *text = head;
        first.cache = Some(self.prefix_point);
        messages.insert(1, rest);
        true
    }
}

/// The text before and after the last blank line that starts within the first `bytes` bytes, if both say something.
fn cut(text: &str, bytes: usize) -> Option<(String, String)> {
    const BLANK_LINE: &[u8] = b"\n\n";
    let prefix = text
        .as_bytes()
        .get(..text.len().min(bytes.saturating_add(BLANK_LINE.len())))?;
    let at = prefix
        .windows(BLANK_LINE.len())
        .rposition(|window| window == BLANK_LINE)?;
    let (head, tail) = (text.get(..at)?, text.get(at + BLANK_LINE.len()..)?);
    (!head.trim().is_empty() && !tail.trim().is_empty()).then(|| (head.to_owned(), tail.to_owned()))
}

/// Puts a point after a message that has none.
fn mark(messages: &mut [Message], index: Option<usize>, point: CachePoint) {
    if let Some(message) = index.and_then(|index| messages.get_mut(index)) {
        message.cache.get_or_insert(point);
    }
}
