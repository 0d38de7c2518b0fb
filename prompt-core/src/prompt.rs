//! What belongs to a prompt that is rendered: its options, its section table, its preview.

pub use crate::preview::Preview;
pub use crate::render::{HeadingOverflow, Numbering};
pub use crate::rendered::RenderedSection;
