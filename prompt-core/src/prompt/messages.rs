//! A rendered prompt as messages: the system text in blocks, sections with a role at their place, histories spliced in.

use super::RenderedPrompt;
use crate::message::{CachePlan, CachePoint, Message, Role};
use crate::outline::RowId;
use crate::print::Span;

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
        let mut system: Vec<Message> = Vec::new();
        let mut block: Vec<&str> = Vec::new();
        let mut turns: Vec<Message> = Vec::new();
        for piece in self.pieces() {
            match piece {
                Piece::System(start, end, cache) => {
                    block.extend(Some(self.slice(start, end)).filter(|text| !text.is_empty()));
                    if cache.is_some() {
                        end_block(&mut system, &mut block, cache);
                    }
                }
                Piece::Turn(role, span, cache) => {
                    let mut message = Message::new(role, self.slice(span.start, span.end));
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
        let mut pieces = Vec::new();
        let mut from = 0;
        for span in &self.printed.spans {
            let history = || self.history(span.row).map(Piece::History);
            let policy = self.rows.get(span.row as usize).map(|row| row.policy);
            let Some(policy) = policy.filter(|_| span.start >= from) else {
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
        pieces.push(Piece::System(from, self.text.len(), None));
        pieces
    }

    fn history(&self, row: RowId) -> Option<&[Message]> {
        let found = self.messages.binary_search_by_key(&row, |(row, _)| *row);
        let messages = found.ok().and_then(|index| self.messages.get(index));
        messages.map(|(_, messages)| messages.as_slice())
    }

    fn slice(&self, start: usize, end: usize) -> &str {
        let text = self.text.get(start..end).unwrap_or_default();
        text.trim_matches('\n')
    }
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

fn cache_point(seconds: u32) -> CachePoint {
    CachePoint {
        ttl: (seconds > 0).then_some(seconds),
    }
}
