//! A rendered prompt as messages: the system text in blocks, sections with a role at their place, histories spliced in.

use crate::message::CachePlan;
use crate::message::CachePoint;
use crate::message::Message;
use crate::message::Role;
use crate::render::record::Entry;
use crate::rendered::RenderedPrompt;

/// A stretch of the rendered text, in order.
enum Piece<'p> {
    /// Bytes outside sections with a role, and whether a cache point follows.
    System(usize, usize, Option<CachePoint>),
    /// A section with a role.
    Turn(Role, &'p Entry),
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
    /// use prompt_core::DynamicNode;
    /// use prompt_core::Message;
    /// use prompt_core::PromptNode;
    /// use prompt_core::Role;
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
                Piece::Turn(role, entry) => {
                    let mut message = Message::new(role, self.slice(entry.start, entry.end));
                    message.cache = entry.cache.map(cache_point);
                    turns.push(message);
                }
                Piece::History(messages) => turns.extend(messages.iter().cloned()),
            }
        }
        end_block(&mut system, &mut block, None);
        system.append(&mut turns);
        system
    }

    /// Where the cache points of [`messages`](Self::messages) go: where sections say so with `cache`, or else
    /// automatically, with the static prefix of the system text known. Add the frontier of a compacted history and
    /// apply it to the messages.
    pub fn cache_plan(&self) -> CachePlan {
        if self
            .record
            .entries
            .iter()
            .any(|entry| entry.cache.is_some())
        {
            return CachePlan::explicit();
        }
        let before = |piece: &Piece<'_>| match piece {
            Piece::System(start, end, _) => self.static_prefix.clamp(*start, *end) - start,
            _ => 0,
        };
        CachePlan::auto().static_prefix(self.pieces().iter().map(before).sum())
    }

    fn pieces(&self) -> Vec<Piece<'_>> {
        let mut pieces = Vec::new();
        let mut from = 0;
        for entry in &self.record.entries {
            if entry.start < from {
                // Inside a section with a role; its histories still count.
                pieces.extend(entry.messages.as_deref().map(Piece::History));
                continue;
            }
            if let Some(role) = entry.role {
                pieces.push(Piece::System(from, entry.start, None));
                pieces.push(Piece::Turn(role, entry));
                from = entry.end;
            } else if let Some(seconds) = entry.cache {
                pieces.push(Piece::System(from, entry.end, Some(cache_point(seconds))));
                from = entry.end;
            }
            pieces.extend(entry.messages.as_deref().map(Piece::History));
        }
        pieces.push(Piece::System(from, self.text.len(), None));
        pieces
    }

    fn slice(&self, start: usize, end: usize) -> &str {
        self.text
            .get(start..end)
            .unwrap_or_default()
            .trim_matches('\n')
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
