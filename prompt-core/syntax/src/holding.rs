//! Where a numbered text uses the entries of its tables, and the conditions that hold there.

use crate::{Element, Inline, Text, branches::BranchesRef};
use alloc::vec::Vec;

/// Which table.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Table {
    /// The values.
    Value,
    /// The conditions.
    Condition,
    /// The loops.
    Loop,
}

/// A place where a text uses an entry.
#[derive(Clone, Debug)]
pub struct Place {
    /// The table of the entry.
    pub table: Table,
    /// The number of the entry.
    pub index: u16,
    /// The conditions around that hold there, outermost first.
    pub holding: Vec<u16>,
}

/// All places of a text, in its order.
pub fn places(text: &Text) -> Vec<Place> {
    let mut walk = Walk::default();
    walk.elements(&text.elements);
    walk.found
}

/// All places of some pieces, in their order.
pub fn places_of(pieces: &[Inline]) -> Vec<Place> {
    let mut walk = Walk::default();
    walk.pieces(pieces);
    walk.found
}

#[derive(Default)]
struct Walk {
    holding: Vec<u16>,
    found: Vec<Place>,
}

impl Walk {
    fn elements(&mut self, elements: &[Element]) {
        for element in elements {
            for text in element.inline_texts() {
                self.pieces(text.iter().as_slice());
            }
            if let Some(branches) = element.branches() {
                self.branches(&branches, Self::elements);
            }
        }
    }

    fn pieces(&mut self, pieces: &[Inline]) {
        for piece in pieces {
            match piece {
                Inline::Value { index, .. } => self.note(Table::Value, *index),
                Inline::Blocks(list) => self.elements(list),
                _ => {}
            }
            if let Some(branches) = piece.branches() {
                self.branches(&branches, Self::pieces);
            }
        }
    }

    fn branches<T: Clone>(&mut self, branches: &BranchesRef<'_, T>, walk: fn(&mut Self, &[T])) {
        let (table, holds) = match branches.negated {
            Some(negated) => (Table::Condition, [!negated, negated]),
            None => (Table::Loop, [false; 2]),
        };
        self.note(table, branches.index);
        for (part, holds) in branches.parts().zip(holds) {
            let outside = self.holding.len();
            self.holding.extend(holds.then_some(branches.index));
            walk(self, &part.list);
            self.holding.truncate(outside);
        }
    }

    fn note(&mut self, table: Table, index: u16) {
        self.found.push(Place {
            table,
            index,
            holding: self.holding.clone(),
        });
    }
}
