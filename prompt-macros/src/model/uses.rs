//! Where the values, conditions and loops of a numbered text stand, and what the conditions around them say is there.

pub(crate) use prompt_syntax::holding::Table as Kind;
use prompt_syntax::{Origin, Tables, Used, holding};
use std::collections::{BTreeMap, HashMap};

/// A place where a text uses something.
pub(crate) struct Found {
    pub(crate) kind: Kind,
    /// Its number in the table.
    pub(crate) index: u16,
    pub(crate) asked: Asked,
}

/// Which beginnings of a path are there, each by how many fields it has, and whether a condition asks just that. Behind
/// `{?ship.mate}` these are 0, since it asks each step, and 1, which it names, for `{ship.mate.name}`.
#[derive(Clone, Default)]
pub(crate) struct Asked(BTreeMap<usize, bool>);

impl Asked {
    /// Whether one of them has so many fields.
    pub(crate) fn has(&self, count: usize) -> bool {
        self.0.contains_key(&count)
    }

    /// Whether a condition asks just that.
    pub(crate) fn is_named(&self, count: usize) -> bool {
        self.0.get(&count) == Some(&true)
    }

    /// The first of them are there.
    fn steps(&mut self, end: usize) {
        for count in 0..end {
            self.0.entry(count).or_default();
        }
    }

    /// Those that are there in another place, too.
    fn retain(&mut self, other: &Self) {
        self.0.retain(|count, is_named| {
            *is_named &= other.is_named(*count);
            other.has(*count)
        });
    }
}

/// What is used in these places, and what is asked there.
pub(crate) fn found(places: Vec<holding::Place>, tables: &Tables) -> Vec<Found> {
    let found = |place: holding::Place| {
        let used = used(tables, place.table, place.index);
        let mut asked = Asked::default();
        if place.table == Kind::Condition {
            asked.steps(used.path.len());
        }
        for index in place.holding {
            let around = &tables.conditions()[usize::from(index)];
            match common(around, used) {
                Some(fields) if fields == around.path.len() => {
                    asked.steps(fields);
                    asked.0.insert(fields, true);
                }
                Some(fields) => asked.steps(fields + 1),
                None => {}
            }
        }
        Found {
            kind: place.table,
            index: place.index,
            asked,
        }
    };
    places.into_iter().map(found).collect()
}

/// What is used in the table with this number.
pub(crate) fn used(tables: &Tables, kind: Kind, index: u16) -> &Used {
    let index = usize::from(index);
    match kind {
        Kind::Value => &tables.values()[index],
        Kind::Condition => &tables.conditions()[index],
        Kind::Loop => &tables.loops()[index].list,
    }
}

/// How many fields a path shares with what a condition asks, if both are of one value.
fn common(asked: &Used, used: &Used) -> Option<usize> {
    let is_named = matches!(asked.origin, Origin::Node);
    let is_one = asked.origin == used.origin && (!is_named || asked.name == used.name);
    let fields = asked.path.iter().zip(&used.path);
    is_one.then(|| fields.take_while(|(asked, used)| asked == used).count())
}

/// What texts use, each with the beginnings of its path that are asked wherever it stands.
#[derive(Default)]
pub(crate) struct AskedPaths(HashMap<(Kind, u16), Asked>);

impl AskedPaths {
    /// Adds a use.
    pub(crate) fn note(&mut self, found: Found) {
        let known = self.0.entry((found.kind, found.index));
        known
            .and_modify(|known| known.retain(&found.asked))
            .or_insert(found.asked);
    }

    /// Those of a value, condition or loop, if it is used.
    pub(crate) fn of(&self, kind: Kind, index: usize) -> Option<&Asked> {
        self.0.get(&(kind, u16::try_from(index).ok()?))
    }
}
