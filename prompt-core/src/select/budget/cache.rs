//! Counts of texts that were counted before, by text.

use std::{
    collections::{
        HashMap,
        hash_map::{Entry, RandomState},
    },
    hash::BuildHasher,
    ops::Range,
    sync::{Mutex, PoisonError},
};

/// Texts that were counted.
#[derive(Default)]
pub(super) struct Cache {
    hasher: RandomState,
    counted: Mutex<Counted>,
}

#[derive(Default)]
struct Counted {
    /// All texts, one behind the other.
    texts: String,
    /// Where each stands in them, and its tokens, by its hash. Of two texts with one hash the first is kept.
    by_hash: HashMap<u64, (Range<usize>, usize)>,
}

impl Cache {
    /// The tokens of a text, which `count` counts if it is new. Nothing is locked while it does.
    pub(super) fn tokens(&self, text: &str, count: impl FnOnce(&str) -> usize) -> usize {
        if text.is_empty() {
            return 0;
        }
        let counted = || self.counted.lock().unwrap_or_else(PoisonError::into_inner);
        let hash = self.hasher.hash_one(text);
        if let Some(tokens) = counted().get(hash, text) {
            return tokens;
        }
        let tokens = count(text);
        counted().insert(hash, text, tokens);
        tokens
    }
}

impl Counted {
    fn get(&self, hash: u64, text: &str) -> Option<usize> {
        let (place, tokens) = self.by_hash.get(&hash)?;
        (self.texts[place.clone()] == *text).then_some(*tokens)
    }

    fn insert(&mut self, hash: u64, text: &str, tokens: usize) {
        let start = self.texts.len();
        if let Entry::Vacant(vacant) = self.by_hash.entry(hash) {
            self.texts.push_str(text);
            vacant.insert((start..self.texts.len(), tokens));
        }
    }
}
