//! What variables say of items far down their lists. To reach an item of a map takes as many steps as there are items
//! before it: from some item on all further ones are asked at once, so that a list stays linear.

use crate::node::{Answers, Body, NodeInfo, NodeRef, Output, Scope};
use std::{cell::RefCell, collections::HashMap, fmt, ptr};

/// The first item that is asked together with those behind it.
const NEAR: usize = 64;

/// The answers so far, by node and the number of the value.
#[derive(Default)]
pub(crate) struct Ahead {
    answers: RefCell<HashMap<(Identity, usize), Answers>>,
}

/// Where a node stands in memory, and its description: a node may begin where the one around it does.
pub(super) type Identity = (*const (), *const NodeInfo);

pub(super) fn identity(node: NodeRef<'_>) -> Identity {
    (
        ptr::from_ref(node.parts().0).cast(),
        ptr::from_ref(node.info()),
    )
}

/// A node whose values about items are asked ahead.
pub(super) struct AskedAhead<'n> {
    pub(super) node: NodeRef<'n>,
    pub(super) ahead: &'n Ahead,
}

impl Scope for AskedAhead<'_> {
    fn value(&self, index: usize, output: &mut Output<'_>) -> fmt::Result {
        let Some(item) = output.item().checked_sub(NEAR) else {
            return self.node.value(index, output);
        };
        let mut all = self.ahead.answers.borrow_mut();
        let answers = all.entry((identity(self.node), index)).or_insert_with(|| {
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
