//! Exact counts of the o200k vocabulary.

use super::TokenCounter;
use tiktoken::CoreBpe;

/// Exact token counts of `o200k_base`, the vocabulary of GPT-4o, GPT-5 and the o series.
///
/// The vocabulary is part of the program and is unpacked on the first count of the process; a copy of the counter costs
/// nothing. Special tokens such as `<|endoftext|>` are counted as the text they are.
///
/// ```
/// use prompt_core::tokens::O200k;
/// use prompt_core::tokens::TokenCounter;
///
/// assert_eq!(O200k.count("The quick brown fox."), 5);
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct O200k;

impl O200k {
    /// The crate hands out one vocabulary per process.
    fn vocabulary() -> Option<&'static CoreBpe> {
        tiktoken::get_encoding("o200k_base")
    }
}

impl TokenCounter for O200k {
    fn count(&self, text: &str) -> usize {
        // The feature that brings this type brings the vocabulary; a byte count is an upper bound if it ever did not.
        Self::vocabulary().map_or(text.len(), |vocabulary| vocabulary.count(text))
    }
}

impl TokenCounter for &O200k {
    fn count(&self, text: &str) -> usize {
        (**self).count(text)
    }
}
