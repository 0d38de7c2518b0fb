#![doc = include_str!("../README.md")]
#![forbid(unsafe_code)]
#![cfg_attr(docsrs, feature(doc_cfg))]

#[cfg(feature = "command")]
mod command;
mod diff;
pub mod guide;
mod html;
mod page;
mod rows;

#[cfg(feature = "command")]
pub use command::{command, run};
pub use diff::{Change, Diff, LineChange, SectionDiff, diff};
pub use page::page;
