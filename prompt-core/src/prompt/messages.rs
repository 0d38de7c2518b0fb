//! A rendered prompt as messages: the system text in blocks, sections with a role at their place, histories spliced in.

use super::RenderedPrompt;
use crate::message::{CachePlan, CachePoint, Message, Role};
use crate::node::Policy;
use crate::outline::{Outline, RowId};
use crate::print::{PrintedText, Span};

/// A stretch of the rendered text, in order.
enum Piece<'p> {
    /// Bytes outside sections with a role, and whether a cache point follows.
    System(usize, usize, Option<CachePoint>),
    /// A section with a role.
    Turn(Role, &'p Span, Option<CachePoint>),
    /// A history.
    History(&'p [Message]),
}

impl RenderedPrompt {
    /// The prompt as messages.
    ///
    /// The text outside sections with a `role` is the system message, first; a section with `cache` ends a block of it,
    /// and each block is a message of its own with a cache point. Each section with a `role` is a message of that role,
    /// in order: a system section further down stays a system message there, an assistant section at the end is a
    /// prefill. Histories of `messages` sections stand where they are. Blank lines at the ends of a message go; neighbours
    /// of one role stay separate.
    ///
    /// ```
    /// use prompt_core::{DynamicNode, Message, PromptNode, Role};
    ///
    /// let node = DynamicNode::builder("sorter")
    ///     .body("Sort the letters.")
    ///     .section(DynamicNode::builder("letter").role(Role::User).body("My bag is lost."))
    ///     .build()?;
    /// let messages = node.prompt().render()?.messages();
    /// assert_eq!(messages, [Message::system("Sort the letters."), Message::user("My bag is lost.")]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn messages(&self) -> Vec<Message> {
        messages(self.pieces(), &self.text)
    }

    /// Where the cache points of [`messages`](Self::messages) go: after the system text and at the end, with those that
    /// sections ask for with `cache`. Add the frontier of a compacted history and apply it to the messages.
    pub fn cache_plan(&self) -> CachePlan {
        let before = |piece: &Piece<'_>| match piece {
            Piece::System(start, end, _) => self.static_prefix().clamp(*start, *end) - start,
            _ => 0,
        };
        CachePlan::auto().static_prefix(self.pieces().iter().map(before).sum())
    }

    fn pieces(&self) -> Vec<Piece<'_>> {
        let policy = |id: RowId| self.rows.get(id as usize).map(|row| row.policy);
        pieces(&self.printed.spans, self.text.len(), policy, |id| {
            self.history(id)
        })
    }

    fn history(&self, row: RowId) -> Option<&[Message]> {
        let found = self.messages.binary_search_by_key(&row, |(row, _)| *row);
        let messages = found.ok().and_then(|index| self.messages.get(index));
        messages.map(|(_, messages)| messages.as_slice())
    }
}

/// The messages that a printed text makes, without the histories.
pub(crate) fn own_messages(
    outline: &Outline<'_>,
    printed: &PrintedText,
    text: &str,
) -> Vec<Message> {
    let policy = |id: RowId| outline.row(id).map(|row| row.info.policy);
    messages(pieces(&printed.spans, text.len(), policy, |_| None), text)
}

fn pieces<'p>(
    spans: &'p [Span],
    len: usize,
    policy: impl Fn(RowId) -> Option<Policy>,
    history: impl Fn(RowId) -> Option<&'p [Message]>,
) -> Vec<Piece<'p>> {
    let mut pieces = Vec::new();
    let mut from = 0;
    for span in spans {
        let history = || history(span.row).map(Piece::History);
        let Some(policy) = policy(span.row).filter(|_| span.start >= from) else {
            // Inside a section with a role; its histories still count.
            pieces.extend(history());
            continue;
        };
        let cache = policy.cache.map(cache_point);
        if let Some(role) = policy.role.filter(|_| span.end > span.start) {
            pieces.push(Piece::System(from, span.start, None));
            pieces.push(Piece::Turn(role, span, cache));
            from = span.end;
        } else if cache.is_some() {
            pieces.push(Piece::System(from, span.end, cache));
            from = span.end;
        }
        pieces.extend(history());
    }
    pieces.push(Piece::System(from, len, None));
    pieces
}

fn messages(pieces: Vec<Piece<'_>>, text: &str) -> Vec<Message> {
    let slice = |start, end| text.get(start..end).unwrap_or_default().trim_matches('\n');
    let mut system: Vec<Message> = Vec::new();
    let mut block: Vec<&str> = Vec::new();
    let mut turns: Vec<Message> = Vec::new();
    for piece in pieces {
        match piece {
            Piece::System(start, end, cache) => {
                block.extend(Some(slice(start, end)).filter(|text| !text.is_empty()));
                if cache.is_some() {
                    end_block(&mut system, &mut block, cache);
                }
            }
            Piece::Turn(role, span, cache) => {
                let mut message = Message::new(role, slice(span.start, span.end));
                message.cache = cache;
                turns.push(message);
            }
            Piece::History(messages) => turns.extend(messages.iter().cloned()),
        }
    }
    end_block(&mut system, &mut block, None);
    system.append(&mut turns);
    system
}

fn end_block(system: &mut Vec<Message>, block: &mut Vec<&str>, cache: Option<CachePoint>) {
    if block.is_empty() {
        return;
    }
    let mut message = Message::system(block.join("\n\n"));
    message.cache = cache;
    system.push(message);
    block.clear();
}

pub(super) fn cache_point(seconds: u32) -> CachePoint {
    CachePoint {
        ttl: (seconds > 0).then_some(seconds),
    }
}
