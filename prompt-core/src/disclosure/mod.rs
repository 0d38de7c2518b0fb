//! Progressive disclosure: what the model may open, the `open_sections` tool, its calls, and the loop around them.

mod openable;

pub(crate) use openable::{OPEN_SECTIONS, Openables, suffix};
