//! Summary sections, `open_sections`, and the loop around them.

mod calls;
mod cases;
mod catalogue;
mod compaction;
mod conversation;
mod found;
mod law;
mod properties;
mod trace;
