//! What compacts: a configuration and a counter. `frontier` is the algorithm.

use super::CompactionConfig;
use crate::tokens::{EstimatedTokens, TokenCounter};
use std::fmt;
use std::sync::Arc;

/// Compacts lists of messages by one configuration.
///
/// Pure: the same messages give the same view, byte for byte, on every call. Reads the whole list each time; a
/// conversation that grows is better kept in a [`History`](super::History).
///
/// ```
/// use prompt_core::compaction::CompactionConfig;
/// use prompt_core::compaction::Compactor;
/// use prompt_core::Message;
///
/// # fn main() -> Result<(), prompt_core::compaction::CompactionError> {
/// let compactor = Compactor::new(CompactionConfig::builder().min_preserved(1).batch_size(1).build()?);
/// let log = vec![
///     Message::user("Is the ferry on time?"),
///     Message::assistant("It left at eight and is due at nine.\nrecap - ferry on time, due 9"),
///     Message::user("And the next one?"),
///     Message::assistant("Ten o'clock.\nrecap - next ferry 10"),
/// ];
/// let sent = compactor.compact(&log).messages();
/// assert_eq!(sent[1].text(), "recap - ferry on time, due 9");
/// assert_eq!(sent[2..], log[2..]);
/// # Ok(()) }
/// ```
#[derive(Clone)]
pub struct Compactor {
    config: CompactionConfig,
    counter: Arc<dyn TokenCounter>,
}

impl Compactor {
    /// A compactor with this configuration. Tokens, if its trigger needs them, are estimated unless it
    /// gets a counter: see [`counter`](Self::counter).
    pub fn new(config: CompactionConfig) -> Self {
        Self {
            config,
            counter: Arc::new(EstimatedTokens::default()),
        }
    }

    /// Counts tokens with `counter`. Without it they are estimated by [`EstimatedTokens`].
    #[must_use]
    pub fn counter(mut self, counter: impl TokenCounter + 'static) -> Self {
        self.counter = Arc::new(counter);
        self
    }

    /// The configuration.
    pub fn config(&self) -> &CompactionConfig {
        &self.config
    }

    pub(crate) fn token_counter(&self) -> &dyn TokenCounter {
        &*self.counter
    }
}

impl Default for Compactor {
    fn default() -> Self {
        Self::new(CompactionConfig::default())
    }
}

impl fmt::Debug for Compactor {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Compactor")
            .field("config", &self.config)
            .finish_non_exhaustive()
    }
}
