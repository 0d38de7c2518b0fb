//! What is said of a node, by the keys of the book.

use super::given::{Data, Given};
use prompt_syntax::book::{self, Holder, Key, Takes};

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
    pub(super) fn get(&self, name: &str) -> Option<&Given> {
        let found = self.0.iter().find(|(key, _)| *key == name);
        found.map(|(_, given)| given)
    }

    pub(super) fn get_mut(&mut self, name: &str) -> Option<&mut Given> {
        let found = self.0.iter_mut().find(|(key, _)| *key == name);
        found.map(|(_, given)| given)
    }

    pub(super) fn has(&self, name: &str) -> bool {
        self.get(name).is_some()
    }

    /// Says something, instead of what was said before.
    pub(super) fn set(&mut self, name: &'static str, given: impl Into<Given>) {
        let given = given.into();
        self.0.retain(|(key, _)| *key != name);
        if !says_nothing(name, &given.data) {
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

    pub(super) fn iter(&self) -> impl Iterator<Item = (&'static str, &Given)> {
        self.0.iter().map(|(name, given)| (*name, given))
    }
}

/// Whether it is as if the key were not there.
fn says_nothing(name: &str, data: &Data) -> bool {
    let is_on_by_itself = matches!(name, "when" | "append");
    match data {
        Data::Null => true,
        Data::Bool(flag) => *flag == is_on_by_itself,
        Data::Text(text) => match name {
            "body" | "start" | "end" | "description" => text.is_empty(),
            "visibility" => text == "full",
            _ => false,
        },
        Data::List(items) => items.is_empty(),
        Data::Map(entries) => entries.is_empty(),
        _ => false,
    }
}

/// The key of a node that is the root, or a section, of a tree; or of either.
pub(super) fn find(name: &str) -> Option<&'static Key> {
    let holders = [Holder::FileRoot, Holder::FileSection];
    holders
        .into_iter()
        .find_map(|holder| book::find(holder, name).ok())
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
        Takes::Gap => is_within(2),
        Takes::Columns => is_within(255),
        Takes::Characters => number != Some(0) && is_within(65_535),
        Takes::Hang => flag.is_some() || is_within(65_535),
        Takes::Seconds => flag == Some(true) || number != Some(0) && is_within(u32::MAX.into()),
        Takes::Priority => {
            given.number::<i32>().is_some() || given.text() == Some("required")
        }
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
