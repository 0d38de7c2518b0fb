//! The view: what is sent instead of the log.

use super::shape::{Entry, RECAP_STUB, Shape};
use super::{Compact, CompactionReport};
use crate::message::Content;
use crate::message::Message;
use crate::message::Role;
use crate::tokens::TokenCounter;
use std::borrow::Cow;

/// A compacted conversation. Borrows every message that stays, and is read as [`items`](Self::items), or turned into
/// messages: [`messages`](Compacted::messages) for ours, [`rebuild`](Self::rebuild) for others.
#[derive(Clone, Debug)]
pub struct Compacted<'a, M> {
    log: &'a [M],
    shape: Cow<'a, Shape>,
}

/// One part of a view.
#[derive(Debug, PartialEq)]
pub enum Item<'a, M> {
    /// A message of the log, as it is.
    Full(&'a M),
    /// The user message in front of the recaps, in the `Exchange` form; at most one, before the first recap.
    Stub(&'static str),
    /// A recap. In the `Exchange` form the recaps of one batch, as one text block of the one assistant message after
    /// the stub; in the `Assistant` form an assistant message of its own.
    Recap(Cow<'a, str>),
}

impl<'a, M> Compacted<'a, M> {
    pub(super) fn borrowed(log: &'a [M], shape: &'a Shape) -> Self {
        Self {
            log,
            shape: Cow::Borrowed(shape),
        }
    }

    pub(super) fn owned(log: &'a [M], shape: Shape) -> Self {
        Self {
            log,
            shape: Cow::Owned(shape),
        }
    }

    pub(super) fn shape(&self) -> &Shape {
        &self.shape
    }

    /// The whole log that the view was made from.
    pub fn log(&self) -> &'a [M] {
        self.log
    }

    /// The position in the log before which everything is compacted; 0 if nothing is.
    pub fn frontier(&self) -> usize {
        self.shape.frontier
    }

    /// The messages after the frontier, which are as they were.
    pub fn tail(&self) -> &'a [M] {
        self.log.get(self.shape.frontier..).unwrap_or_default()
    }

    /// The view without its tail.
    pub(super) fn head(&self) -> Compacted<'_, M> {
        Compacted::borrowed(
            self.log.get(..self.shape.frontier).unwrap_or(self.log),
            &self.shape,
        )
    }

    /// Messages of the view; stub and recaps of the `Exchange` form are one each.
    pub fn len(&self) -> usize {
        self.shape.head_len() + self.tail().len()
    }

    /// Whether the view has no messages.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The parts of the view, in order.
    pub fn items(&self) -> impl Iterator<Item = Item<'_, M>> {
        let lead = self.log.get(self.shape.lead_range()).unwrap_or_default();
        let stub = (!self.shape.blocks.is_empty()).then_some(Item::Stub(RECAP_STUB));
        let blocks = self
            .shape
            .blocks
            .iter()
            .map(|block| Item::Recap(Cow::Borrowed(block.as_str())));
        let entries = self
            .shape
            .entries
            .iter()
            .filter_map(|entry| self.item(entry));
        lead.iter()
            .map(Item::Full)
            .chain(stub)
            .chain(blocks)
            .chain(entries)
            .chain(self.tail().iter().map(Item::Full))
    }

    fn item<'s>(&'s self, entry: &'s Entry) -> Option<Item<'s, M>> {
        match entry {
            Entry::Full(position) => self.log.get(*position).map(Item::Full),
            Entry::Recap(text) => Some(Item::Recap(Cow::Borrowed(text))),
        }
    }

    /// Where a cache point pays: after the system part, at the frontier, and at the end; ascending, as positions in the
    /// view of the message that the point follows.
    ///
    /// ```
    /// use prompt_core::compaction::CompactionConfig;
    /// use prompt_core::compaction::Compactor;
    /// use prompt_core::Message;
    /// # fn main() -> Result<(), prompt_core::compaction::CompactionError> {
    /// let log = [
    ///     Message::system("You count the boats."),
    ///     Message::user("How many boats came in since the morning?"),
    ///     Message::assistant("Three, all of them under sail.\nrecap - three boats"),
    ///     Message::user("And out?"),
    /// ];
    /// let config = CompactionConfig::builder().min_preserved(0).batch_size(1).build()?;
    /// let compactor = Compactor::new(config);
    /// let compacted = compactor.compact(&log);
    /// // system | stub, recaps | question
    /// assert_eq!(compacted.cache_points(), [0, 2, 3]);
    /// # Ok(()) }
    /// ```
    pub fn cache_points(&self) -> Vec<usize> {
        let lengths = [self.shape.lead, self.shape.head_len(), self.len()];
        let mut points: Vec<usize> = lengths
            .iter()
            .filter_map(|length| length.checked_sub(1))
            .collect();
        points.sort_unstable();
        points.dedup();
        points
    }

    /// The view in messages of any type: `keep` takes a message that stays; `make` makes one of a role and its text
    /// blocks.
    pub fn rebuild<T>(
        &self,
        mut keep: impl FnMut(&M) -> T,
        mut make: impl FnMut(Role, &[&str]) -> T,
    ) -> Vec<T> {
        let mut messages = Vec::with_capacity(self.len());
        let blocks: Vec<&str> = self.shape.blocks.iter().map(String::as_str).collect();
        messages.extend(
            self.log
                .get(self.shape.lead_range())
                .unwrap_or_default()
                .iter()
                .map(&mut keep),
        );
        if !blocks.is_empty() {
            messages.push(make(Role::User, &[RECAP_STUB]));
            messages.push(make(Role::Assistant, &blocks));
        }
        for entry in &self.shape.entries {
            match entry {
                Entry::Full(position) => messages.extend(self.log.get(*position).map(&mut keep)),
                Entry::Recap(text) => messages.push(make(Role::Assistant, &[text])),
            }
        }
        messages.extend(self.tail().iter().map(keep));
        messages
    }
}

impl<M: Compact> Compacted<'_, M> {
    /// Tokens of the view.
    pub fn tokens(&self, counter: &dyn TokenCounter) -> usize {
        self.items().map(|item| item.tokens(counter)).sum()
    }

    /// What compaction did, counted: looks at the whole log. With the feature `tracing` it is logged, too.
    pub fn report(&self, counter: &dyn TokenCounter) -> CompactionReport {
        CompactionReport::of(self, counter)
    }
}

impl<M: Compact> Item<'_, M> {
    /// Tokens of this part.
    pub fn tokens(&self, counter: &dyn TokenCounter) -> usize {
        match self {
            Self::Full(message) => message.tokens(counter),
            Self::Stub(text) => counter.count(text),
            Self::Recap(text) => counter.count(text),
        }
    }
}

impl Compacted<'_, Message> {
    /// The view as messages, ready for a provider. What stays is cloned here and nowhere else.
    pub fn messages(&self) -> Vec<Message> {
        self.rebuild(Message::clone, |role, blocks| Message {
            role,
            content: blocks.iter().copied().map(Content::from).collect(),
            cache: None,
        })
    }
}
