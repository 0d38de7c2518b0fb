//! A map that keeps the order in which its names came.
//!
//! The names are found in a map from them to places, which is the same one for values of all types: a map of the standard
//! library is among the largest things that the compiler has to translate again for each type in it.

use std::{collections::BTreeMap, mem};

/// Values by name, in the order in which the names came.
#[derive(Clone, Debug)]
pub(crate) struct ByName<V> {
    /// One that was taken out leaves its place empty.
    entries: Vec<Option<(String, V)>>,
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

impl<V: PartialEq> PartialEq for ByName<V> {
    fn eq(&self, other: &Self) -> bool {
        self.iter().eq(other.iter())
    }
}

impl<V> ByName<V> {
    /// A name that is there already keeps its place and gets the value.
    pub(crate) fn insert(&mut self, name: String, value: V) {
        let place = self.places.get(&name);
        let known = place.and_then(|place| self.entries.get_mut(*place)?.as_mut());
        if let Some((_, known)) = known {
            *known = value;
        } else {
            self.places.insert(name.clone(), self.entries.len());
            self.entries.push(Some((name, value)));
        }
    }

    /// Takes a name out. Empty places go as soon as they are more than the others, so that each costs no more than it did
    /// to come.
    pub(crate) fn remove(&mut self, name: &str) {
        let place = self.places.remove(name);
        if let Some(entry) = place.and_then(|place| self.entries.get_mut(place)) {
            *entry = None;
        }
        if self.entries.len() > 2 * self.places.len() {
            for (name, value) in mem::take(self).into_entries() {
                self.insert(name, value);
            }
        }
    }

    pub(crate) fn get(&self, name: &str) -> Option<&V> {
        let entry = self.entries.get(*self.places.get(name)?)?;
        entry.as_ref().map(|(_, value)| value)
    }

    pub(crate) fn len(&self) -> usize {
        self.places.len()
    }

    /// Names and values in the order in which the names came.
    pub(crate) fn iter(&self) -> impl Iterator<Item = &(String, V)> {
        self.entries.iter().flatten()
    }

    pub(crate) fn into_entries(self) -> impl Iterator<Item = (String, V)> {
        self.entries.into_iter().flatten()
    }
}
