//! What a condition `{?name}` asks: true, `Some`, not empty.

use super::sequence::Sequence;
use crate::markdown::Markdown;
use std::{
    borrow::Cow,
    collections::{BTreeMap, BTreeSet, HashMap, HashSet, VecDeque},
    rc::Rc,
    sync::Arc,
};

/// A value that a condition `{?name}` can ask.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be asked by a condition",
    label = "neither `bool` nor `Option` nor text nor list",
    note = "name the condition: `#[prompt(vars(has_any = self.count > 0))]` and `{{?has_any}}`"
)]
pub trait Condition {
    /// True, `Some`, not empty.
    fn holds(&self) -> bool;
}

impl Condition for bool {
    fn holds(&self) -> bool {
        *self
    }
}

impl<T> Condition for Option<T> {
    fn holds(&self) -> bool {
        self.is_some()
    }
}

impl Condition for Markdown {
    fn holds(&self) -> bool {
        !self.text().is_empty()
    }
}

/// Everything that can be empty.
macro_rules! collections {
    ($([$($parameter:tt)*] $collection:ty),+) => {$(
        impl<$($parameter)*> Condition for $collection {
            fn holds(&self) -> bool {
                !self.is_empty()
            }
        }
    )+};
}

collections!(
    [] str, [] String, [T] [T], [T, const N: usize] [T; N], [T] Vec<T>, [T] VecDeque<T>, [T] BTreeSet<T>,
    [K, V] BTreeMap<K, V>, [T, S] HashSet<T, S>, [K, V, S] HashMap<K, V, S>
);

/// Pointers to such values.
macro_rules! pointers {
    ($([$($bound:tt)*] $pointer:ty),+) => {$(
        impl<T: Condition + ?Sized $($bound)*> Condition for $pointer {
            fn holds(&self) -> bool {
                (**self).holds()
            }
        }
    )+};
}

pointers!([] &T, [] &mut T, [] Box<T>, [] Rc<T>, [] Arc<T>, [+ ToOwned] Cow<'_, T>);

/// Whether a condition holds.
pub fn holds<T: Condition + ?Sized>(value: &T) -> bool {
    value.holds()
}

/// Whether a condition about the item with this index (from 0) holds; past the end it does not.
pub fn holds_item<'a, S: Sequence + ?Sized>(
    list: &'a S,
    index: usize,
    holds: impl FnOnce(S::Item<'a>) -> bool,
) -> bool {
    list.items().nth(index).is_some_and(holds)
}
