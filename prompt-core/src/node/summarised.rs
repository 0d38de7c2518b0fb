//! The proof, at compile time, that a section has a short form which its type must give.

use std::{
    collections::{BTreeMap, VecDeque},
    rc::Rc,
    sync::Arc,
};

/// A type of nodes that have a short form of their own, or of whose short form only the run time tells.
#[diagnostic::on_unimplemented(
    message = "a section is shown as a summary and has none [summary_missing]",
    label = "`{Self}` has no `summary`",
    note = "add `summary = \"..\"` to the section, or to `#[prompt(..)]` of its type"
)]
pub trait Summarised {}

/// Asks for it.
pub const fn has_summary<T: Summarised + ?Sized>() {}

impl<T: Summarised> Summarised for Option<T> {}
impl<T: Summarised + ?Sized> Summarised for &T {}
impl<T: Summarised + ?Sized> Summarised for Box<T> {}
impl<T: Summarised + ?Sized> Summarised for Rc<T> {}
impl<T: Summarised + ?Sized> Summarised for Arc<T> {}
impl<T: Summarised> Summarised for [T] {}
impl<T: Summarised, const N: usize> Summarised for [T; N] {}
impl<T: Summarised> Summarised for Vec<T> {}
impl<T: Summarised> Summarised for VecDeque<T> {}
impl<K, T: Summarised> Summarised for BTreeMap<K, T> {}
