//! Token budgets: which sections are kept, reduced to their summary, or dropped, so that the text fits exactly. A budget
//! chooses the forms of a document's sections; it never changes text.

mod cache;
mod cost;
mod decision;
mod report;
mod scale;
mod search;
mod tally;

pub use crate::errors::TooLarge;
pub use crate::node::Priority;
pub(crate) use decision::Decision;
pub use report::{BudgetReport, BudgetedSection, Outcome, Reason};
pub(crate) use search::fit;

use crate::messages::message::Message;
use crate::tokens::{EstimatedTokens, TokenCounter, message_tokens};
use cache::Cache;
use serde::{Deserialize, Serialize};
use std::{cmp::Reverse, fmt, sync::Arc};

/// How sections are chosen.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum Policy {
    /// The default. The smallest priority such that everything of that priority and above fits: a level stays or goes as
    /// a whole. What is below it takes the room that is left as summaries ([`Budget::degrade`]), and in full only while
    /// nothing above it is gone. A list whose items have summaries is cut item by item.
    #[default]
    Cutoff,
    /// By priority, then in document order, as far as it fits: a level may be split.
    Prefix,
    /// The same order, but what does not fit is passed over, and smaller sections below it are kept.
    Greedy,
}

/// A number of tokens that a prompt may have.
///
/// The limit, less the reserve, is compared with the count of the whole text, tags and separators included
/// ([`tokens`](Self::tokens)), or with that of all that is sent ([`request`](Self::request)). Clones share the cache of
/// counted fragments.
///
/// ```
/// use prompt_core::{Budget, Prompt};
///
/// let words = |text: &str| text.split_whitespace().count();
/// let prompt = Prompt::new("three short words").budget(Budget::tokens(2).counter(&words));
/// assert!(prompt.render().is_err());
/// ```
#[derive(Clone)]
#[must_use = "a budget does nothing until it is given to a prompt"]
pub struct Budget<'a> {
    limit: usize,
    reserve: usize,
    bounds: Bounds,
    counter: Option<&'a dyn TokenCounter>,
    policy: Policy,
    degrade: bool,
    /// The messages behind the prompt's own.
    history: HistoryTokens,
    cache: Arc<Cache>,
}

/// What the messages of a history take.
#[derive(Clone, Copy, Default)]
struct HistoryTokens {
    /// In all.
    sum: usize,
    /// The first of the longest ones: its position, and what it takes.
    longest: Option<(usize, usize)>,
}

impl HistoryTokens {
    fn of(messages: &[Message], counter: &dyn TokenCounter) -> Self {
        let tokens = messages
            .iter()
            .map(|message| message_tokens(message, counter));
        let tokens: Vec<usize> = tokens.collect();
        let longest = tokens.iter().copied().enumerate();
        Self {
            sum: sum(tokens.iter().copied()),
            longest: longest.max_by_key(|(at, tokens)| (*tokens, Reverse(*at))),
        }
    }
}

/// What the limit is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Bounds {
    /// The text.
    Text,
    /// The text, the histories spliced in, and the JSON of the tools.
    Request,
}

impl<'a> Budget<'a> {
    /// At most this many tokens of text, counted by [`EstimatedTokens`]. Histories and tools are not counted: use
    /// [`reserve`](Self::reserve) for them, or [`request`](Self::request).
    pub fn tokens(limit: usize) -> Self {
        Self::new(limit, Bounds::Text)
    }

    /// At most this many tokens of all that is sent: the text, the messages that are spliced into it, and the JSON of
    /// the tools, as [`tokens::request`](crate::tokens::request) counts them.
    ///
    /// ```
    /// use prompt_core::{Budget, DynamicNode, PromptNode, tokens};
    ///
    /// let words = |text: &str| text.split_whitespace().count();
    /// let node = DynamicNode::builder("memo").body("Write a memo.").build()?;
    /// let prompt = node.prompt().budget(Budget::request(3).counter(&words)).render()?;
    /// assert_eq!(tokens::request(&prompt.messages(), prompt.tools(), &words), 3);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn request(limit: usize) -> Self {
        Self::new(limit, Bounds::Request)
    }

    fn new(limit: usize, bounds: Bounds) -> Self {
        Self {
            limit,
            reserve: 0,
            bounds,
            counter: None,
            policy: Policy::Cutoff,
            degrade: true,
            history: HistoryTokens::default(),
            cache: Arc::default(),
        }
    }

    /// Tokens that are kept free for the answer, and for whatever else is not counted.
    pub fn reserve(mut self, tokens: usize) -> Self {
        self.reserve = tokens;
        self
    }

    /// Counts with this counter. The cache of another counter is left behind.
    pub fn counter(mut self, counter: &'a dyn TokenCounter) -> Self {
        self.counter = Some(counter);
        self.cache = Arc::default();
        self
    }

    /// How sections are chosen.
    pub fn policy(mut self, policy: Policy) -> Self {
        self.policy = policy;
        self
    }

    /// Whether sections with a summary are reduced to it before anything of theirs is dropped (default; `Cutoff` only).
    pub fn degrade(mut self, degrade: bool) -> Self {
        self.degrade = degrade;
        self
    }

    /// Whether a section may take its summary form.
    fn reduces(&self) -> bool {
        self.degrade && self.policy == Policy::Cutoff
    }

    /// The limit after the reserve.
    pub fn available(&self) -> usize {
        self.limit.saturating_sub(self.reserve)
    }

    /// Tokens of keys that an answer may name: it is counted with the next request.
    pub(crate) fn most_listed(&self) -> usize {
        match self.bounds {
            Bounds::Text => usize::MAX,
            Bounds::Request => self.available() / 4,
        }
    }

    /// The same budget with these messages behind the prompt's own.
    pub(crate) fn behind(&self, history: &[Message]) -> Self {
        let history = match self.bounds {
            Bounds::Text => HistoryTokens::default(),
            Bounds::Request => HistoryTokens::of(history, &|text: &str| self.count_once(text)),
        };
        Self {
            history,
            ..self.clone()
        }
    }

    /// Counts a whole text; not cached.
    pub(crate) fn count(&self, text: &str) -> usize {
        match self.counter {
            Some(counter) => counter.count(text),
            None => EstimatedTokens::default().count(text),
        }
    }

    /// Counts a fragment, once. An estimate is made faster than it is found again.
    fn count_once(&self, text: &str) -> usize {
        match self.counter {
            Some(counter) => self.cache.tokens(text, |text| counter.count(text)),
            None => self.count(text),
        }
    }
}

fn sum(tokens: impl IntoIterator<Item = usize>) -> usize {
    tokens.into_iter().fold(0, usize::saturating_add)
}

impl fmt::Debug for Budget<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Budget")
            .field("limit", &self.limit)
            .field("reserve", &self.reserve)
            .field("bounds", &self.bounds)
            .field("policy", &self.policy)
            .field("degrade", &self.degrade)
            .finish_non_exhaustive()
    }
}
