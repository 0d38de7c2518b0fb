//! Loops: the items of a list in order, each as a scope that knows everything around it too.

use super::{Output, Scope, sequence::Sequence};
use std::fmt;

/// What is done with each item of a loop, and where it stands.
pub type Body<'b> = dyn FnMut(&dyn Scope, At) -> fmt::Result + 'b;

/// Where an item stands in its list.
#[derive(Clone, Copy)]
pub struct At {
    index: usize,
    is_last: bool,
}

impl At {
    pub(crate) fn new(index: usize, is_last: bool) -> Self {
        Self { index, is_last }
    }

    /// Its place, from 0.
    pub fn index(self) -> usize {
        self.index
    }

    /// Its number, from 1.
    pub fn number(self) -> usize {
        self.index + 1
    }

    /// Whether it is the first one.
    pub fn is_first(self) -> bool {
        self.index == 0
    }

    /// Whether it is the last one.
    pub fn is_last(self) -> bool {
        self.is_last
    }
}

/// Hands each item of a list to `body`, as the scope that `scope` makes of it.
///
/// # Errors
/// What `body` returns; no further item is handed out then.
pub fn each<'a, S: Sequence + ?Sized, I: Scope>(
    list: &'a S,
    body: &mut Body<'_>,
    scope: impl Fn(S::Item<'a>) -> I,
) -> fmt::Result {
    let mut items = list.items().enumerate().peekable();
    while let Some((index, item)) = items.next() {
        let at = At::new(index, items.peek().is_none());
        body(&scope(item), at)?;
    }
    Ok(())
}

/// A scope made of what it answers: the item of a loop, or a template that is printed by itself.
pub struct Answers<V, A, E> {
    value: V,
    ask: A,
    each: E,
}

/// A scope that writes its values with `value`, answers its conditions with `ask`, and hands out its loops with `each`,
/// which is also given the scope itself: what is around the items of those loops.
pub fn answers<V, A, E>(value: V, ask: A, each: E) -> Answers<V, A, E>
where
    V: Fn(usize, &mut Output<'_>) -> fmt::Result,
    A: Fn(usize) -> bool,
    E: Fn(usize, &dyn Scope, &mut Body<'_>) -> fmt::Result,
{
    Answers { value, ask, each }
}

impl<V, A, E> Scope for Answers<V, A, E>
where
    V: Fn(usize, &mut Output<'_>) -> fmt::Result,
    A: Fn(usize) -> bool,
    E: Fn(usize, &dyn Scope, &mut Body<'_>) -> fmt::Result,
{
    fn value(&self, index: usize, output: &mut Output<'_>) -> fmt::Result {
        (self.value)(index, output)
    }

    fn ask(&self, index: usize) -> bool {
        (self.ask)(index)
    }

    fn each(&self, index: usize, body: &mut Body<'_>) -> fmt::Result {
        (self.each)(index, self, body)
    }
}
