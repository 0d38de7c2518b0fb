//! What variables say of items far down their lists. To reach an item of a map takes as many steps as there are items
//! before it: from some item on all further ones are asked at once, so that a list stays linear.

use crate::node::{Answers, Body, Node, Output, Scope};
use crate::page::RowId;
use std::{cell::RefCell, collections::HashMap, fmt};

/// The first item that is asked together with those behind it.
pub(super) const NEAR: usize = 64;

/// The answers so far, by the row of the node and the number of the value.
#[derive(Default)]
pub(super) struct Ahead {
    answers: RefCell<HashMap<(Option<RowId>, usize), Answers>>,
}

/// A node whose values about items are asked ahead.
pub(super) struct AskedAhead<'n> {
    pub(super) node: &'n dyn Node,
    pub(super) row: Option<RowId>,
    pub(super) ahead: &'n Ahead,
}

impl Scope for AskedAhead<'_> {
    fn value(&self, index: usize, output: &mut Output<'_>) -> fmt::Result {
        let Some(item) = output.item().checked_sub(NEAR) else {
            return self.node.value(index, output);
        };
        let mut all = self.ahead.answers.borrow_mut();
        let answers = all.entry((self.row, index)).or_insert_with(|| {
            let mut answers = Answers::default();
            // Where one fails, or nothing is said of items, it is asked again by itself.
            let _ = self
                .node
                .value(index, &mut Output::for_items_from(&mut answers, NEAR));
            answers
        });
        if answers.write(item, output) {
            return Ok(());
        }
        drop(all);
        self.node.value(index, output)
    }

    fn ask(&self, index: usize, item: usize) -> bool {
        self.node.ask(index, item)
    }

    fn each(&self, index: usize, item: usize, body: &mut Body<'_>) -> fmt::Result {
        self.node.each(index, item, body)
    }
}
