//! What a condition `{?name}` asks: true, not empty, a `Some` of such a value.

use super::write::Maybe;
use crate::node::Markdown;
use std::{
    borrow::Cow,
    collections::{BTreeMap, BTreeSet, HashMap, HashSet, VecDeque},
    ops::Deref,
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
    /// True, not empty, a `Some` of such a value.
    fn holds(&self) -> bool;

    /// The same without the white space at its ends, as `trim` prints a text.
    fn holds_trimmed(&self) -> bool {
        self.holds()
    }
}

impl Condition for bool {
    fn holds(&self) -> bool {
        *self
    }
}

/// What is in it is asked, as in a file, whose values know no `Some`.
impl<T: Condition> Condition for Option<T> {
    fn holds(&self) -> bool {
        self.as_ref().is_some_and(T::holds)
    }

    fn holds_trimmed(&self) -> bool {
        self.as_ref().is_some_and(T::holds_trimmed)
    }
}

impl Condition for str {
    fn holds(&self) -> bool {
        !self.is_empty()
    }

    fn holds_trimmed(&self) -> bool {
        !self.trim().is_empty()
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
    [T] [T], [T, const N: usize] [T; N], [T] Vec<T>, [T] VecDeque<T>, [T] BTreeSet<T>,
    [K, V] BTreeMap<K, V>, [T, S] HashSet<T, S>, [K, V, S] HashMap<K, V, S>
);

/// Pointers to such values.
macro_rules! pointers {
    ($([$($bound:tt)*] $pointer:ty),+) => {$(
        impl<T: Condition + ?Sized $($bound)*> Condition for $pointer {
            fn holds(&self) -> bool {
                (**self).holds()
            }

            fn holds_trimmed(&self) -> bool {
                (**self).holds_trimmed()
            }
        }
    )+};
}

impl Condition for String {
    fn holds(&self) -> bool {
        !self.is_empty()
    }

    fn holds_trimmed(&self) -> bool {
        (**self).holds_trimmed()
    }
}

pointers!([] &T, [] &mut T, [] Box<T>, [] Rc<T>, [] Arc<T>, [+ ToOwned] Cow<'_, T>);

/// Asks a value: `ask(&self.note).holds()`.
///
/// The method is chosen by autoderef specialisation, the first that fits: that of `Ask` for what can be asked by itself,
/// those of `GivenTwice` and `Given` for an `Option` of anything else (a number, a type of the user), and that of
/// `Refused`, whose bound nothing keeps.
pub fn ask<T: ?Sized>(value: &T) -> Ask<'_, T> {
    Ask(GivenTwice(Given(Refused(value))))
}

/// A value that can be asked by itself.
pub struct Ask<'a, T: ?Sized>(GivenTwice<'a, T>);

impl<T: Condition + ?Sized> Ask<'_, T> {
    /// Whether the condition holds.
    pub fn holds(&self) -> bool {
        self.0.0.0.0.holds()
    }

    /// Whether it holds without the white space at the ends of a text.
    pub fn trimmed(&self) -> bool {
        self.0.0.0.0.holds_trimmed()
    }
}

/// An `Option` of an `Option` of what cannot be asked by itself.
pub struct GivenTwice<'a, T: ?Sized>(Given<'a, T>);

impl<M: Maybe<Value: Maybe> + ?Sized> GivenTwice<'_, M> {
    /// Whether it is a `Some` of a `Some`.
    pub fn holds(&self) -> bool {
        self.0.0.0.maybe().and_then(Maybe::maybe).is_some()
    }
}

/// An `Option` of what cannot be asked by itself.
pub struct Given<'a, T: ?Sized>(Refused<'a, T>);

impl<M: Maybe + ?Sized> Given<'_, M> {
    /// Whether it is a `Some`.
    pub fn holds(&self) -> bool {
        self.0.0.maybe().is_some()
    }
}

/// What no condition can ask.
pub struct Refused<'a, T: ?Sized>(&'a T);

impl<T: ?Sized> Refused<'_, T> {
    /// The bound stands here and not on the `impl`, so that it is reported as that.
    pub fn holds(&self) -> bool
    where
        T: Condition,
    {
        self.0.holds()
    }
}

/// Where the method is looked for next.
macro_rules! next {
    ($($this:ident => $next:ident),+) => {$(
        impl<'a, T: ?Sized> Deref for $this<'a, T> {
            type Target = $next<'a, T>;

            fn deref(&self) -> &Self::Target {
                &self.0
            }
        }
    )+};
}

next!(Ask => GivenTwice, GivenTwice => Given, Given => Refused);
