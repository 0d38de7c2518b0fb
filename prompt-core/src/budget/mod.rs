//! Token budgets: which sections are kept, reduced to their summary, or dropped, so that the text fits exactly.

mod cost;
mod report;
mod select;

pub use report::{BudgetReport, BudgetedSection, Outcome, Reason};
pub(crate) use select::render;

use crate::tokens::EstimatedTokens;
use crate::tokens::TokenCounter;
use serde::{Deserialize, Serialize};
use std::{
    collections::HashMap,
    fmt,
    sync::{Arc, Mutex, PoisonError},
};

/// How sections are chosen.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Policy {
    /// The smallest priority such that everything of that priority and above fits: a level stays or goes as a whole.
    #[default]
    Cutoff,
    /// By priority, then in document order, as far as it fits: a level may be split.
    Prefix,
    /// The same order, but what does not fit is passed over. Renders the prompt once for each section.
    Greedy,
}

/// A number of tokens that a prompt may have.
///
/// The limit, less the reserve, is compared with the count of the whole text, tags and separators included. Tools are
/// not counted: use [`reserve`](Self::reserve). Clones share the cache of counted fragments.
///
/// ```
/// use prompt_core::Budget;
/// use prompt_core::Prompt;
///
/// let words = |text: &str| text.split_whitespace().count();
/// let prompt = Prompt::new(&"three short words").budget(Budget::tokens(2).counter(&words));
/// assert!(prompt.render().is_err());
/// ```
#[derive(Clone)]
#[must_use = "a budget does nothing until it is given to a prompt"]
pub struct Budget<'a> {
    limit: usize,
    reserve: usize,
    counter: Option<&'a dyn TokenCounter>,
    policy: Policy,
    degrade: bool,
    cache: Arc<Mutex<HashMap<Box<str>, usize>>>,
}

impl<'a> Budget<'a> {
    /// At most this many tokens, counted by [`EstimatedTokens`].
    pub fn tokens(limit: usize) -> Self {
        let cache = Arc::default();
        Self {
            limit,
            reserve: 0,
            counter: None,
            policy: Policy::Cutoff,
            degrade: true,
            cache,
        }
    }

    /// Tokens that are kept free for the answer, the tools, and whatever else travels along.
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

    /// Counts a whole text; not cached.
    pub(crate) fn count(&self, text: &str) -> usize {
        match self.counter {
            Some(counter) => counter.count(text),
            None => EstimatedTokens::default().count(text),
        }
    }

    /// Counts a fragment, once.
    fn count_fragment(&self, text: &str) -> usize {
        if text.is_empty() {
            return 0;
        }
        let mut cache = self.cache.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(tokens) = cache.get(text) {
            return *tokens;
        }
        let tokens = self.count(text);
        cache.insert(text.into(), tokens);
        tokens
    }
}

impl fmt::Debug for Budget<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self {
            limit,
            reserve,
            policy,
            degrade,
            ..
        } = self;
        f.debug_struct("Budget")
            .field("limit", limit)
            .field("reserve", reserve)
            .field("policy", policy)
            .field("degrade", degrade)
            .finish_non_exhaustive()
    }
}
