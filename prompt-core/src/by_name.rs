//! A map that keeps the order in which its names came.
//!
//! The names are found in a map from them to places, which is the same one for values of all types: a map of the standard
//! library is among the largest things that the compiler has to translate again for each type in it.

use std::collections::BTreeMap;

/// Values by name, in the order in which the names came.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct ByName<V> {
    entries: Vec<(String, V)>,
    places: BTreeMap<String, usize>,
}

impl<V> Default for ByName<V> {
    fn default() -> Self {
        Self {
            entries: Vec::new(),
            places: BTreeMap::new(),
        }
    }
}

impl<V> ByName<V> {
    /// A name that is there already keeps its place and gets the value.
    pub(crate) fn insert(&mut self, name: String, value: V) {
        let place = self.places.get(&name).copied();
        if let Some((_, known)) = place.and_then(|place| self.entries.get_mut(place)) {
            *known = value;
        } else {
            self.places.insert(name.clone(), self.entries.len());
            self.entries.push((name, value));
        }
    }

    pub(crate) fn get(&self, name: &str) -> Option<&V> {
        let place = *self.places.get(name)?;
        self.entries.get(place).map(|(_, value)| value)
    }

    pub(crate) fn contains(&self, name: &str) -> bool {
        self.places.contains_key(name)
    }

    /// Names and values in the order in which the names came.
    pub(crate) fn entries(&self) -> &[(String, V)] {
        &self.entries
    }

    pub(crate) fn into_entries(self) -> Vec<(String, V)> {
        self.entries
    }

    /// The names, sorted.
    pub(crate) fn names(&self) -> impl Iterator<Item = &str> {
        self.places.keys().map(String::as_str)
    }
}
