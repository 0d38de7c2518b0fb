//! Lists with an order: what `join`, `item`, `item_title` and `item_key` work on.

use std::{
    borrow::Cow,
    collections::{BTreeMap, BTreeSet, VecDeque},
    rc::Rc,
    sync::Arc,
};

/// A list whose order is the same on every run.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is no list that a prompt can print",
    label = "not an ordered list",
    note = "lists are slices, arrays, `Vec`, `VecDeque`, `BTreeMap` and `BTreeSet`; the order of a `HashMap` or `HashSet` \
            changes from run to run, and so would the prompt"
)]
pub trait Sequence {
    /// An item: a reference, or a pair of key and value for a map.
    type Item<'a>
    where
        Self: 'a;

    /// The items in order.
    fn items(&self) -> impl Iterator<Item = Self::Item<'_>>;
}

/// Collections that give references to their items.
macro_rules! collections {
    ($([$($parameter:tt)*] $collection:ty),+) => {$(
        impl<$($parameter)*> Sequence for $collection {
            type Item<'a>
                = &'a T
            where
                Self: 'a;

            fn items(&self) -> impl Iterator<Item = &T> {
                self.iter()
            }
        }
    )+};
}

collections!([T] [T], [T, const N: usize] [T; N], [T] Vec<T>, [T] VecDeque<T>, [T] BTreeSet<T>);

impl<K, V> Sequence for BTreeMap<K, V> {
    type Item<'a>
        = (&'a K, &'a V)
    where
        Self: 'a;

    fn items(&self) -> impl Iterator<Item = (&K, &V)> {
        self.iter()
    }
}

/// An absent list has no items.
impl<S: Sequence> Sequence for Option<S> {
    type Item<'a>
        = S::Item<'a>
    where
        Self: 'a;

    fn items(&self) -> impl Iterator<Item = S::Item<'_>> {
        self.iter().flat_map(Sequence::items)
    }
}

/// Pointers to lists.
macro_rules! pointers {
    ($([$($bound:tt)*] $pointer:ty),+) => {$(
        impl<S: Sequence + ?Sized $($bound)*> Sequence for $pointer {
            type Item<'a>
                = S::Item<'a>
            where
                Self: 'a;

            fn items(&self) -> impl Iterator<Item = S::Item<'_>> {
                (**self).items()
            }
        }
    )+};
}

pointers!([] &S, [] Box<S>, [] Rc<S>, [] Arc<S>, [+ ToOwned] Cow<'_, S>);

/// Whether a list has no items.
pub fn is_empty<S: Sequence + ?Sized>(list: &S) -> bool {
    list.items().next().is_none()
}
