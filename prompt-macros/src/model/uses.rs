//! Where the values, conditions and loops of a numbered text stand, and what the conditions around them say is there.

pub(crate) use prompt_syntax::holding::Table as Kind;
use prompt_syntax::{Origin, Tables, Text, Used, holding};
use std::collections::{HashMap, hash_map::Entry};

/// A place where a text uses something.
pub(crate) struct Found {
    pub(crate) kind: Kind,
    /// Its number in the table.
    pub(crate) index: u16,
    /// The beginnings of its path that conditions around it ask, each by how many fields it has: behind `{?ship}` and
    /// `{?ship.mate}` these are 0 and 1 for `{ship.mate.name}`.
    pub(crate) asked: Vec<usize>,
}

/// All places of a text, in its order.
pub(crate) fn found(text: &Text, tables: &Tables) -> Vec<Found> {
    let found = |place: holding::Place| {
        let used = used(tables, place.table, place.index);
        let conditions = place.holding.into_iter();
        let asked = conditions.map(|index| &tables.conditions()[usize::from(index)]);
        let asked = asked.filter(|asked| is_beginning(asked, used));
        Found {
            kind: place.table,
            index: place.index,
            asked: asked.map(|asked| asked.path.len()).collect(),
        }
    };
    holding::places(text).into_iter().map(found).collect()
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

/// Whether a condition asks something that a path begins with.
fn is_beginning(asked: &Used, used: &Used) -> bool {
    let is_named = matches!(asked.origin, Origin::Node { .. });
    asked.origin == used.origin
        && (!is_named || asked.name == used.name)
        && used.path.starts_with(&asked.path)
}

/// The beginnings of paths that are asked wherever they are used.
#[derive(Default)]
pub(crate) struct AskedPaths(HashMap<(Kind, u16), Vec<usize>>);

impl AskedPaths {
    /// Adds a use.
    pub(crate) fn note(&mut self, found: Found) {
        match self.0.entry((found.kind, found.index)) {
            Entry::Occupied(mut known) => {
                known.get_mut().retain(|count| found.asked.contains(count));
            }
            Entry::Vacant(first) => {
                first.insert(found.asked);
            }
        }
    }

    /// Those of a value, condition or loop.
    pub(crate) fn of(&self, kind: Kind, index: usize) -> &[usize] {
        let index = u16::try_from(index).ok();
        let asked = index.and_then(|index| self.0.get(&(kind, index)));
        asked.map_or(&[], Vec::as_slice)
    }
}
