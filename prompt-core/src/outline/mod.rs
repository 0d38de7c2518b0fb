//! Who is there: one row for each section of a tree, in print order, found in one pass that asks each section once.
//!
//! Everything after this reads rows: what is shown, how it looks, what it costs, what the model may open. A row says what
//! a value answered when it was asked; nobody asks again. Sections that are switched off or empty have no row. The pass
//! has a stack of its own, so that depth costs memory and not the thread's stack.

mod path;
mod resolve;
mod rows;

pub(crate) use path::{SectionPath, nearest_of};
pub(crate) use resolve::{Index, nearest};
pub(crate) use rows::{Host, NO_HOST, Outline, Row, RowId, Step};
