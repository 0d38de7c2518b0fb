//! From a node to its text: the one road. The walk runs the elements of each node against its scope, visits sections on the
//! way, asks everything once, and tells the page what to print. Where a text cannot be printed in one go (a budget, a turn
//! of the model, texts that were collected) the answers are kept, and the same walk goes over them.

#![expect(
    clippy::similar_names,
    reason = "`content` stands in a `context`: both are what they are called"
)]

mod again;
mod asked;
mod collected;
mod content;
mod contexts;
mod frame;
mod kept;
pub mod lint;
mod list;
mod node;
mod place;
mod plain;
mod reach;
mod reading;
mod recording;
pub(crate) mod rows;
mod run;
mod section;
mod shown;
mod tag;
mod template;
mod tree;
pub(crate) mod turns;
mod unit;
mod view;
mod walk;

pub(crate) use again::{Playing, Short};
pub use kept::Kept;
pub(crate) use recording::{Played, Recording, Visited};
pub(crate) use shown::{Offers, Shown, fragments, open_tool, openable, pieces, standing};
pub use tree::template;
pub(crate) use tree::{Printing, print_text};
pub(crate) use view::{View, form, is_in_focus};

/// Trees are this deep at most: a level for each section, or item of a list.
const MAX_DEPTH: u32 = 128;
