//! Counting tokens: the trait, an estimate without tables, and exact counts behind the feature `tiktoken`.

mod estimate;
#[cfg(feature = "tiktoken")]
mod o200k;
mod request;

pub use estimate::EstimatedTokens;
#[cfg(feature = "tiktoken")]
pub use o200k::O200k;
pub(crate) use request::message_tokens;
pub use request::request;
use std::sync::Arc;

/// Counts the tokens of a text.
///
/// Implemented for closures and functions, for [`EstimatedTokens`] (the default) and `O200k` (feature `tiktoken`), and for
/// references, `Arc` and `Box` of counters. A counter need not be additive, and none is: the tokens of a whole differ from
/// the sum over its parts.
///
/// ```
/// use prompt_core::tokens::TokenCounter;
///
/// fn words(text: &str) -> usize {
///     text.split_whitespace().count()
/// }
///
/// let counter: &dyn TokenCounter = &words;
/// assert_eq!(counter.count("three short words"), 3);
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` does not count tokens",
    note = "a counter is a function or closure from `&str` to `usize`, or a type that implements `TokenCounter`"
)]
pub trait TokenCounter: Send + Sync {
    /// Tokens of `text`.
    fn count(&self, text: &str) -> usize;
}

impl<F: Fn(&str) -> usize + Send + Sync + ?Sized> TokenCounter for F {
    fn count(&self, text: &str) -> usize {
        self(text)
    }
}

impl<C: TokenCounter + ?Sized> TokenCounter for Arc<C> {
    fn count(&self, text: &str) -> usize {
        (**self).count(text)
    }
}

impl TokenCounter for Box<dyn TokenCounter + '_> {
    fn count(&self, text: &str) -> usize {
        (**self).count(text)
    }
}

impl TokenCounter for &(dyn TokenCounter + '_) {
    fn count(&self, text: &str) -> usize {
        (**self).count(text)
    }
}

impl TokenCounter for &EstimatedTokens {
    fn count(&self, text: &str) -> usize {
        (**self).count(text)
    }
}
