//! Counting tokens.

use std::sync::Arc;

/// Counts the tokens of a text. Implemented for closures, references and `Arc`.
pub trait TokenCounter: Send + Sync {
    /// Tokens of `text`.
    fn count(&self, text: &str) -> usize;
}

impl<F: Fn(&str) -> usize + Send + Sync + ?Sized> TokenCounter for F {
    fn count(&self, text: &str) -> usize {
        self(text)
    }
}
impl TokenCounter for Arc<dyn TokenCounter> {
    fn count(&self, text: &str) -> usize {
        (**self).count(text)
    }
}
