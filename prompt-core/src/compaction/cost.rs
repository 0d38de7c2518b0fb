//! What a provider charges for input, relative to input that no cache knows.

use super::compactor::default_counter;
use super::report::number;
use crate::tokens::TokenCounter;
use std::fmt;
use std::sync::Arc;

/// Prices of input tokens, relative to the plain price: what is read from the cache, and what is written to it. Every
/// token that is not read is taken to be written.
#[derive(Clone)]
pub struct CostModel {
    cached_read: f64,
    cache_write: f64,
    counter: Arc<dyn TokenCounter>,
}

impl CostModel {
    /// A model with these factors of the plain input price. Tokens are estimated unless it gets a counter:
    /// see [`with_counter`](Self::with_counter).
    pub fn new(cached_read: f64, cache_write: f64) -> Self {
        Self {
            cached_read,
            cache_write,
            counter: default_counter(),
        }
    }

    /// Anthropic, five-minute cache: reads 0.1, writes 1.25.
    /// Source: Anthropic's pricing table, "Prompt caching"
    /// (<https://docs.anthropic.com/en/docs/build-with-claude/prompt-caching>). The one-hour cache writes at 2.0.
    pub fn anthropic() -> Self {
        Self::new(0.1, 1.25)
    }

    /// GPT-5 family of `OpenAI`: cached input 0.1 (0.125 of 1.25 dollars per million tokens), writes at the plain price.
    /// Source: its pricing table, "Cached input" (<https://openai.com/api/pricing/>). Older models give less: 0.25
    /// for GPT-4.1, 0.5 for GPT-4o; use [`CostModel::new`] for them.
    pub fn openai() -> Self {
        Self::new(0.1, 1.0)
    }

    /// Counts tokens with `counter`.
    #[must_use]
    pub fn with_counter(mut self, counter: impl TokenCounter + 'static) -> Self {
        self.counter = Arc::new(counter);
        self
    }

    /// The price of a token read from the cache.
    pub fn cached_read(&self) -> f64 {
        self.cached_read
    }

    /// The price of a token that is not.
    pub fn cache_write(&self) -> f64 {
        self.cache_write
    }

    /// What counts the tokens.
    pub fn counter(&self) -> &dyn TokenCounter {
        &*self.counter
    }

    /// The counter, to be kept.
    pub(super) fn shared_counter(&self) -> Arc<dyn TokenCounter> {
        Arc::clone(&self.counter)
    }

    /// The price of a request with that many tokens, `cached` of them read from the cache.
    pub(super) fn cost(&self, tokens: u64, cached: u64) -> f64 {
        let fresh = tokens.saturating_sub(cached);
        self.cached_read * number(cached) + self.cache_write * number(fresh)
    }
}

impl fmt::Debug for CostModel {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("CostModel")
            .field("cached_read", &self.cached_read)
            .field("cache_write", &self.cache_write)
            .finish_non_exhaustive()
    }
}
