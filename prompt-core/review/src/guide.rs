//! The guide: what the pages show, and what the command does.
//!
//! | page | for |
//! |---|---|
//! | [`pages`] | the page of a prompt, and of what changed |
//! | [`command`] | prompt files: checked, shown, printed, compared and watched |

#[doc = include_str!("guide/pages.md")]
pub mod pages {}

#[doc = include_str!("guide/command.md")]
pub mod command {}
