//! A rendered prompt as messages.

use super::rendered::RenderedPrompt;
use crate::document::SectionId;
use crate::messages::message::{CachePlan, Message, Role};
use crate::page::turns::{Piece, Tree, messages, pieces};

impl RenderedPrompt {
    /// The prompt as messages.
    ///
    /// The text outside sections with a `role` is the system message, first; a section with `cache` ends a block of it,
    /// and each block is a message of its own with a cache point. Where such a section holds messages (it has a role, is
    /// a history, or a list of examples), the point goes to the last of them. Each section with a `role` is a message of that role,
    /// in order: a system section further down stays a system message there, an assistant section at the end is a
    /// prefill. Histories of `messages` sections stand where they are. The heading or tag of a section that holds nothing else is
    /// left out. Blank lines at the ends of a message go, but
    /// those of `start` and `end` stay; neighbours of one role stay separate.
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
        let mut messages = messages(self.pieces(), &self.text, &self.frames);
        let system = messages
            .iter()
            .take_while(|message| message.role == Role::System);
        if let (Some(point), Some(last)) = (self.cached, system.count().checked_sub(1)) {
            messages[last].cache.get_or_insert(point);
        }
        messages.extend(
            self.history
                .iter()
                .flat_map(|history| history.iter().cloned()),
        );
        messages
    }

    /// Where the cache points of [`messages`](Self::messages) go: after the system text and at the end, with those that
    /// sections ask for with `cache`. Add the frontier of a compacted history and apply it to the messages.
    pub fn cache_plan(&self) -> CachePlan {
        let before = |piece: &Piece<'_>| match piece {
            Piece::System(start, end) => self.static_prefix().clamp(*start, *end) - start,
            _ => 0,
        };
        CachePlan::auto().static_prefix(self.pieces().iter().map(before).sum())
    }

    fn pieces(&self) -> Vec<Piece<'_>> {
        let tree = Tree {
            is_below: |inner, outer| self.rows.is_below(inner, outer),
            policy: |id: SectionId| self.rows.row(id).policy,
            history: |id| self.history(id),
        };
        pieces(&self.spans, self.text.len(), &tree)
    }

    fn history(&self, row: SectionId) -> Option<&[Message]> {
        let found = self.messages.binary_search_by_key(&row, |(row, _)| *row);
        let messages = found.ok().and_then(|index| self.messages.get(index));
        messages.map(|(_, messages)| messages.as_slice())
    }
}
