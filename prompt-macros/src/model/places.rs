//! Where the names of a text stand.

use crate::input::docs::{Location, Source};
use proc_macro2::Span;
use prompt_syntax::Used;
use std::collections::HashMap;

/// Where the names of a text stand.
pub(crate) struct Places<'s> {
    source: &'s Source,
    spans: HashMap<(String, Vec<String>), Vec<prompt_syntax::Span>>,
}

impl<'s> Places<'s> {
    pub(crate) fn new(source: &'s Source, found: Vec<prompt_syntax::Use>) -> Self {
        let mut spans: HashMap<_, Vec<_>> = HashMap::new();
        for found in found {
            let places = spans.entry((found.name, found.path)).or_default();
            places.push(found.span);
        }
        Self { source, spans }
    }

    /// Where a name first stands with its path.
    pub(crate) fn span(&self, used: &Used) -> Span {
        self.location(used).span
    }

    pub(super) fn location(&self, used: &Used) -> Location {
        self.nth(used, 0)
    }

    /// The place where it stands for the nth time, from 0.
    pub(super) fn nth(&self, used: &Used, number: usize) -> Location {
        let places = self.spans.get(&(used.name.clone(), used.path.clone()));
        let place = places.and_then(|places| places.get(number).or(places.first()));
        let (start, end) = place.map_or((0, 0), |place| (place.start, place.end));
        self.source.locate(start, end)
    }
}
