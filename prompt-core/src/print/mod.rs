//! How it looks: from an outline and the forms of its rows to text and spans.
//!
//! [`walk`] goes through the rows with a stack of its own; [`run`] prints one text, [`section`] opens and closes a section,
//! [`content`] prints what it embeds, [`tag`] its tags; [`writer`] owes white space until something follows it; [`finish`]
//! guards the finished text.

mod ask;
mod content;
mod contexts;
mod finish;
mod job;
mod look;
mod run;
mod section;
mod state;
mod straight;
mod tag;
mod usual;
mod walk;
mod wording;
mod words;
mod writer;

pub(crate) use ask::Memo;
pub(crate) use contexts::Contexts;
pub(crate) use job::{Job, PrintedText, Sourced, Span};
pub(crate) use look::Look;
pub use look::{HeadingOverflow, Numbering, Style};
pub(crate) use run::template;
pub(crate) use straight::print_straight;
pub(crate) use walk::{print, title};
pub use wording::Wording;
pub(crate) use words::Words;
