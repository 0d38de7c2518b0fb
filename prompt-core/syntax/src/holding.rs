//! Where a numbered text uses the entries of its tables, and the conditions that hold there.

use crate::{Each, Element, If, Inline, Part, Text};
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
            match element {
                Element::If { branches, .. } => self.condition(branches, Self::elements),
                Element::Each { branches, .. } => self.each(branches, Self::elements),
                _ => {}
            }
        }
    }

    fn pieces(&mut self, pieces: &[Inline]) {
        for piece in pieces {
            match piece {
                Inline::Value { index, .. } => self.note(Table::Value, *index),
                Inline::If(branches) => self.condition(branches, Self::pieces),
                Inline::Each(branches) => self.each(branches, Self::pieces),
                Inline::Blocks(list) => self.elements(list),
                _ => {}
            }
        }
    }

    fn condition<T: Clone>(&mut self, branches: &If<T>, walk: fn(&mut Self, &[T])) {
        self.note(Table::Condition, branches.index);
        let parts = [Some(&branches.then), branches.otherwise.as_ref()];
        for (part, holds) in parts.into_iter().zip([!branches.negated, branches.negated]) {
            let outside = self.holding.len();
            self.holding.extend(holds.then_some(branches.index));
            self.part(part, walk);
            self.holding.truncate(outside);
        }
    }

    fn each<T: Clone>(&mut self, branches: &Each<T>, walk: fn(&mut Self, &[T])) {
        self.note(Table::Loop, branches.index);
        self.part(Some(&branches.body), walk);
        self.part(branches.otherwise.as_ref(), walk);
    }

    fn part<T: Clone>(&mut self, part: Option<&Part<T>>, walk: fn(&mut Self, &[T])) {
        if let Some(part) = part {
            walk(self, &part.list);
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
