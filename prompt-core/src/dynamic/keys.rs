//! What is said of a node, by the keys of the book.

use super::{
    fault::{Faults, Spot},
    given::{Data, Entry, Given, Span},
};
use prompt_syntax::{
    Problem,
    book::{self, Holder, Key, Takes},
};

/// The keys of a node, each once, in the order in which they were given. What says nothing, as `untitled = false`, is
/// not kept.
#[derive(Clone, Debug, Default)]
pub(super) struct Keys(Vec<(&'static str, Given)>);

impl PartialEq for Keys {
    /// In whatever order.
    fn eq(&self, other: &Self) -> bool {
        let has = |(name, given): &(&'static str, Given)| other.get(name) == Some(given);
        self.0.len() == other.0.len() && self.0.iter().all(has)
    }
}

impl Keys {
    /// Takes the entries of a map. Each key is found in the book, and stands once.
    pub(super) fn read(
        entries: Vec<Entry>,
        holder: Holder,
        around: Spot<'_>,
        faults: &mut Faults,
    ) -> Self {
        let mut keys = Self::default();
        let mut seen: Vec<&str> = Vec::with_capacity(entries.len());
        for Entry { name, value, at } in entries {
            let spot = around.at(Span::at(at));
            match find(holder, &name) {
                Err(problem) => faults.report(spot, problem),
                Ok(key) if seen.contains(&key.name) => {
                    faults.report(spot.part_of(key.name), book::twice(key.name));
                }
                Ok(key) => {
                    seen.push(key.name);
                    keys.set(key.name, value);
                }
            }
        }
        keys
    }

    /// Checks that the holder has these keys, that each has a value that it can have, and that they go together. A wrong
    /// value is taken out, so that nothing more is said of it.
    pub(super) fn check(&mut self, holder: Holder, around: Spot<'_>, faults: &mut Faults) {
        let mut before: Vec<&Key> = Vec::with_capacity(self.0.len());
        for (name, given) in &mut self.0 {
            let spot = around.part_of(name).at(given.span);
            let key = match book::find(holder, name) {
                Ok(key) => key,
                Err(problem) => {
                    faults.report(spot, problem);
                    continue;
                }
            };
            if given.data != Data::Wrong && !fits(key.takes, given) {
                faults.report(spot, key.refuse(holder, given.text()));
                given.data = Data::Wrong;
            }
            let clashes = before
                .iter()
                .filter_map(|earlier| book::clash(earlier, key));
            clashes.for_each(|problem| faults.report(spot, problem));
            before.push(key);
        }
    }

    pub(super) fn take(&mut self, name: &str) -> Option<Given> {
        let at = self.0.iter().position(|(key, _)| *key == name)?;
        Some(self.0.remove(at).1)
    }

    pub(super) fn get(&self, name: &str) -> Option<&Given> {
        let found = self.0.iter().find(|(key, _)| *key == name);
        found.map(|(_, given)| given)
    }

    /// A key of which something is said.
    pub(super) fn spot<'s>(&self, name: &str, around: Spot<'s>) -> Spot<'s> {
        self.get(name).map_or(around, |given| around.at(given.span))
    }

    pub(super) fn has(&self, name: &str) -> bool {
        self.get(name).is_some()
    }

    pub(super) fn has_any(&self, names: &[&str]) -> bool {
        names.iter().any(|name| self.has(name))
    }

    /// Says something, instead of what was said before.
    pub(super) fn set(&mut self, name: &'static str, given: impl Into<Given>) {
        let given = given.into();
        self.0.retain(|(key, _)| *key != name);
        if !says_nothing(name, &given) {
            self.0.push((name, given));
        }
    }

    pub(super) fn text(&self, name: &str) -> Option<&str> {
        self.get(name)?.text()
    }

    /// Whether a switch is on that is off by itself.
    pub(super) fn flag(&self, name: &str) -> bool {
        self.get(name).and_then(Given::flag) == Some(true)
    }

    pub(super) fn number<N: TryFrom<i64>>(&self, name: &str) -> Option<N> {
        self.get(name)?.number()
    }

    pub(super) fn list(&self, name: &str) -> &[Given] {
        self.get(name).map_or(&[], Given::list)
    }

    pub(super) fn map(&self, name: &str) -> &[Entry] {
        self.get(name).map_or(&[], Given::map)
    }

    pub(super) fn iter(&self) -> impl Iterator<Item = (&'static str, &Given)> {
        self.0.iter().map(|(name, given)| (*name, given))
    }
}

/// Whether it is as if the key were not there. What a key cannot have is refused, and so says something.
fn says_nothing(name: &str, given: &Given) -> bool {
    let is_on_by_itself = matches!(name, "when" | "append");
    let is_nothing = match &given.data {
        Data::Null => return true,
        Data::Bool(flag) => *flag == is_on_by_itself,
        Data::Text(text) => match name {
            "body" | "start" | "end" | "description" => text.is_empty(),
            "visibility" => text == "full",
            _ => false,
        },
        Data::List(items) => items.is_empty(),
        Data::Map(entries) => entries.is_empty() && name != "sections",
        _ => false,
    };
    let mut keys = book::KEYS.iter().filter(|key| key.name == name);
    is_nothing && keys.any(|key| fits(key.takes, given))
}

/// The key of this name. Whether it means something on the root or on a section is checked later, because a tree that a
/// builder made has no root before.
fn find(holder: Holder, name: &str) -> Result<&'static Key, Problem> {
    book::find(holder, name).or_else(|problem| {
        let holders = [Holder::FileRoot, Holder::FileSection].into_iter();
        let mut found = holders.filter_map(|holder| book::find(holder, name).ok());
        let key = found.next().filter(|_| holder != Holder::FileVar);
        key.ok_or(problem)
    })
}

/// Whether a key can have a value.
pub(super) fn fits(takes: Takes, given: &Given) -> bool {
    let number = given.number::<i64>();
    let is_within = |most: i64| number.is_some_and(|number| (0..=most).contains(&number));
    let flag = given.flag();
    match takes {
        Takes::Text => given.text().is_some(),
        Takes::Switch => flag.is_some(),
        Takes::Level => number != Some(0) && is_within(6),
        Takes::Gap => is_within(9),
        Takes::Columns => is_within(255),
        Takes::Characters => number != Some(0) && is_within(65_535),
        Takes::Hang => flag.is_some() || is_within(65_535),
        Takes::Seconds => flag.is_some() || number != Some(0) && is_within(u32::MAX.into()),
        Takes::Priority => given.number::<i32>().is_some() || given.text() == Some("required"),
        Takes::OneOf(words) | Takes::OneOfOrExpression(words) | Takes::OneOfOrNothing(words) => {
            given.text().is_some_and(|text| words.contains(&text))
        }
        Takes::Json => flag.is_some() || is_within(255) || given.text() == Some("pretty"),
        Takes::ItemField | Takes::ValueName => given.text().is_some_and(is_path),
        Takes::Decision => {
            let name = |text: &str| is_path(text.strip_prefix('!').unwrap_or(text));
            flag.is_some() || given.text().is_some_and(name)
        }
        Takes::Texts => {
            let is_text = |item: &Given| item.text().is_some();
            matches!(given.data, Data::List(_)) && given.list().iter().all(is_text)
        }
        Takes::Map => matches!(given.data, Data::Map(_)),
        Takes::Sections => matches!(given.data, Data::List(_)),
        Takes::Expression | Takes::Path | Takes::Bounds | Takes::List => false,
    }
}

/// Whether it is names between dots, none of them empty.
fn is_path(text: &str) -> bool {
    let is_name = |name: &str| !name.is_empty() && name.trim() == name;
    text.split('.').all(is_name)
}
