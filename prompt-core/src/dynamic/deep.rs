//! What is nested in something: dropped, copied and compared with a stack of its own, so that depth costs memory and not
//! the thread's stack.

use std::ops::{Deref, DerefMut};

/// Something with the same kind of thing below it.
pub(super) trait Branch: Sized {
    fn below(&self) -> &Deep<Self>;
    fn below_mut(&mut self) -> &mut Deep<Self>;

    /// A copy without what is below.
    fn alone(&self) -> Self;

    /// Whether the two are equal but for what is below.
    fn is_like(&self, other: &Self) -> bool;
}

/// The branches below one.
pub(super) struct Deep<T: Branch>(Vec<T>);

impl<T: Branch> Deep<T> {
    pub(super) fn push(&mut self, branch: T) {
        self.0.push(branch);
    }

    /// Leaves none behind.
    pub(super) fn take(&mut self) -> Vec<T> {
        std::mem::take(&mut self.0)
    }
}

/// A copy with all that is below.
fn copy<T: Branch>(branch: &T) -> T {
    let open = |branch: &T| branch.alone();
    let mut parents = Vec::new();
    let (mut node, mut todo) = (open(branch), branch.below().0.iter());
    loop {
        if let Some(child) = todo.next() {
            parents.push((std::mem::replace(&mut node, open(child)), todo));
            todo = child.below().0.iter();
        } else {
            let Some((mut parent, rest)) = parents.pop() else {
                return node;
            };
            parent.below_mut().push(node);
            (node, todo) = (parent, rest);
        }
    }
}

impl<T: Branch> Default for Deep<T> {
    fn default() -> Self {
        Self(Vec::new())
    }
}

impl<T: Branch> From<Vec<T>> for Deep<T> {
    fn from(branches: Vec<T>) -> Self {
        Self(branches)
    }
}

impl<T: Branch> Deref for Deep<T> {
    type Target = [T];

    fn deref(&self) -> &[T] {
        &self.0
    }
}

impl<T: Branch> DerefMut for Deep<T> {
    fn deref_mut(&mut self) -> &mut [T] {
        &mut self.0
    }
}

impl<T: Branch> Clone for Deep<T> {
    fn clone(&self) -> Self {
        Self(self.0.iter().map(copy).collect())
    }
}

impl<T: Branch> PartialEq for Deep<T> {
    fn eq(&self, other: &Self) -> bool {
        let mut todo = vec![(self, other)];
        while let Some((left, right)) = todo.pop() {
            if left.len() != right.len() {
                return false;
            }
            for (left, right) in left.iter().zip(right.iter()) {
                if !left.is_like(right) {
                    return false;
                }
                todo.push((left.below(), right.below()));
            }
        }
        true
    }
}

impl<T: Branch> Drop for Deep<T> {
    fn drop(&mut self) {
        let mut todo = self.take();
        while let Some(mut branch) = todo.pop() {
            todo.append(&mut branch.below_mut().0);
        }
    }
}
