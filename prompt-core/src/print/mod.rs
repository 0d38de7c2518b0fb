//! From a node to its text: the one road. The walk runs the elements of each node against its scope, meets sections on
//! the way, asks everything once, and hands steps to a page; or to a tape, which keeps them in both forms of each section
//! and is played on pages later without asking anybody.

#![expect(
    clippy::similar_names,
    reason = "`content` stands in a `context`: both are what they are called"
)]

mod ahead;
mod collected;
mod content;
mod list;
mod section;
mod shown;
mod tag;
mod tape;
mod unit;
mod view;
mod walk;

pub(crate) use shown::{Offers, Shown, fragments, open_tool, openable, pieces, standing};
pub(crate) use tape::{Met, Played, Playing, Printing, Short, Tape, Wanted};
pub(crate) use view::{Collecting, View, form, is_in_focus};

/// Trees are this deep at most: a level for each section, or item of a list.
pub(crate) const MAX_DEPTH: u32 = 128;
