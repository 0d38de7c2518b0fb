//! Where the names of a text stand.

use crate::input::docs::{Location, Source};
use proc_macro2::Span;
use prompt_syntax::Used;
use std::collections::HashMap;

/// Where the names of a text stand.
pub(crate) struct Places {
    source: Source,
    spans: HashMap<(String, Vec<String>), Vec<prompt_syntax::Span>>,
}

impl Places {
    pub(crate) fn new(source: &Source, found: Vec<prompt_syntax::Use>) -> Self {
        let mut spans: HashMap<_, Vec<_>> = HashMap::new();
        for found in found {
            let places = spans.entry((found.name, found.path)).or_default();
            places.push(found.span);
        }
        let source = source.clone();
        Self { source, spans }
    }

    /// The place where a name stands with its path for the nth time, from 0.
    fn nth(&self, used: &Used, number: usize) -> Option<Location> {
        let places = self.spans.get(&(used.name.clone(), used.path.clone()))?;
        let place = places.get(number).or(places.first())?;
        Some(self.source.locate(place.start, place.end))
    }
}

/// Where the names of a text stand, and those of the templates of its values.
#[derive(Clone, Copy)]
pub(crate) struct AllPlaces<'p> {
    pub(super) own: &'p Places,
    pub(super) templates: &'p [Places],
}

impl AllPlaces<'_> {
    /// Where a name first stands with its path.
    pub(crate) fn span(self, used: &Used) -> Span {
        self.nth(used, 0).span
    }

    /// The place where it stands for the nth time, from 0.
    pub(super) fn nth(self, used: &Used, number: usize) -> Location {
        let place = self.find(used, number);
        place.unwrap_or_else(|| self.own.source.locate(0, 0))
    }

    /// That place, if the name stands somewhere.
    pub(super) fn find(self, used: &Used, number: usize) -> Option<Location> {
        let mut templates = self.templates.iter();
        let place = self.own.nth(used, number);
        place.or_else(|| templates.find_map(|places| places.nth(used, 0)))
    }
}
