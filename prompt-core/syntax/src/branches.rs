//! Conditions and loops over a list, of blocks or of pieces of a line, with what prints their source.

use alloc::borrow::{Cow, ToOwned};
use core::fmt;

/// A text that is static in derived code and owned at run time.
pub type Str = Cow<'static, str>;

/// A list that is static in derived code and owned at run time.
pub type List<T> = Cow<'static, [T]>;

/// A text of its own, which costs nothing if it is empty.
pub(crate) fn own(text: &str) -> Str {
    if text.is_empty() {
        Cow::Borrowed("")
    } else {
        Cow::Owned(text.to_owned())
    }
}

/// How far a condition or loop reaches.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Form {
    /// First on its line and not closed on it: the rest of the line.
    Line,
    /// `{?x}..{/x}` within a paragraph, heading or line of code: what stands between.
    Inline,
    /// Marker lines of their own, which are not printed: the lines between.
    Block,
}

/// A condition and what it keeps or drops.
#[derive(Clone, Debug)]
pub struct If<T: Clone + 'static> {
    /// How far it reaches.
    pub form: Form,
    /// Number in the table of conditions.
    pub index: u16,
    /// Whether it holds where the value is false, absent or empty.
    pub negated: bool,
    /// What is printed if it holds.
    pub then: Part<T>,
    /// What is printed if it does not.
    pub otherwise: Option<Part<T>>,
    /// The marker that ends it, as written; with [`Form::Block`] its whole line without the break. Empty with
    /// [`Form::Line`].
    pub end: Str,
}

/// A loop and what it repeats.
#[derive(Clone, Debug)]
pub struct Each<T: Clone + 'static> {
    /// How far it reaches.
    pub form: Form,
    /// Number in the table of loops.
    pub index: u16,
    /// What is printed for each item.
    pub body: Part<T>,
    /// What is printed if there are no items.
    pub otherwise: Option<Part<T>>,
    /// What joins the last two items that print something, where it is not the trail of the body.
    pub last: Option<Str>,
    /// The marker that ends it, as in [`If::end`].
    pub end: Str,
}

/// A branch of a condition, or the body of a loop.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Part<T: Clone + 'static> {
    /// The marker before it as written (`{?x}`, `{*rules as rule}`, `{else}`); with [`Form::Block`] its whole line
    /// without the break.
    pub marker: Str,
    /// Blank lines right behind a marker line, each with its break.
    pub lead: Str,
    /// What stands in it.
    pub list: List<T>,
    /// Blank lines right before the next marker line, each with its break. Of a loop that words a list in a line: what joins
    /// two items that print something.
    pub trail: Str,
}

/// A condition or a loop.
#[derive(Debug)]
pub(crate) struct BranchesRef<'b, T: Clone + 'static> {
    pub(crate) form: Form,
    pub(crate) index: u16,
    /// Of a condition, whether it holds where the value is false, absent or empty.
    pub(crate) negated: Option<bool>,
    pub(crate) first: &'b Part<T>,
    pub(crate) otherwise: Option<&'b Part<T>>,
    pub(crate) end: &'b Str,
}

impl<T: Clone + PartialEq> PartialEq for BranchesRef<'_, T> {
    /// The number is not compared: the markers say what is asked.
    fn eq(&self, other: &Self) -> bool {
        (self.form, self.negated, self.end) == (other.form, other.negated, other.end)
            && self.parts().eq(other.parts())
    }
}

impl<'b, T: Clone> BranchesRef<'b, T> {
    /// In the order of the source.
    pub(crate) fn parts(&self) -> impl Iterator<Item = &'b Part<T>> + use<'b, T> {
        core::iter::once(self.first).chain(self.otherwise)
    }

    /// Prints the source; `print` is given each part for its list.
    pub(crate) fn fmt(
        &self,
        f: &mut fmt::Formatter<'_>,
        mut print: impl FnMut(&Part<T>, &mut fmt::Formatter<'_>) -> fmt::Result,
    ) -> fmt::Result {
        for part in self.parts() {
            f.write_str(&part.marker)?;
            if self.form == Form::Block {
                write!(f, "\n{}", part.lead)?;
            }
            print(part, f)?;
            if self.form == Form::Block {
                let break_after = if part.list.is_empty() { "" } else { "\n" };
                write!(f, "{break_after}{}", part.trail)?;
            }
        }
        f.write_str(self.end)
    }
}

impl<T: Clone + PartialEq> PartialEq for If<T> {
    fn eq(&self, other: &Self) -> bool {
        self.branches() == other.branches()
    }
}

impl<T: Clone + Eq> Eq for If<T> {}

impl<T: Clone + PartialEq> PartialEq for Each<T> {
    fn eq(&self, other: &Self) -> bool {
        self.branches() == other.branches()
    }
}

impl<T: Clone + Eq> Eq for Each<T> {}

impl<T: Clone> If<T> {
    pub(crate) fn branches(&self) -> BranchesRef<'_, T> {
        BranchesRef {
            form: self.form,
            index: self.index,
            negated: Some(self.negated),
            first: &self.then,
            otherwise: self.otherwise.as_ref(),
            end: &self.end,
        }
    }

    /// Its branches, in the order of the source.
    pub fn parts(&self) -> impl Iterator<Item = &Part<T>> {
        self.branches().parts()
    }

    /// The condition with another list in each branch.
    #[must_use]
    pub fn map<U: Clone>(self, mut change: impl FnMut(List<T>) -> List<U>) -> If<U> {
        If {
            form: self.form,
            index: self.index,
            negated: self.negated,
            then: self.then.map(&mut change),
            otherwise: self.otherwise.map(|part| part.map(&mut change)),
            end: self.end,
        }
    }
}

impl<T: Clone> Each<T> {
    pub(crate) fn branches(&self) -> BranchesRef<'_, T> {
        BranchesRef {
            form: self.form,
            index: self.index,
            negated: None,
            first: &self.body,
            otherwise: self.otherwise.as_ref(),
            end: &self.end,
        }
    }

    /// Its body and its `{else}`, in the order of the source.
    pub fn parts(&self) -> impl Iterator<Item = &Part<T>> {
        self.branches().parts()
    }

    /// The loop with other lists.
    #[must_use]
    pub fn map<U: Clone>(self, mut change: impl FnMut(List<T>) -> List<U>) -> Each<U> {
        Each {
            form: self.form,
            index: self.index,
            body: self.body.map(&mut change),
            otherwise: self.otherwise.map(|part| part.map(&mut change)),
            last: self.last,
            end: self.end,
        }
    }
}

impl<T: Clone> Part<T> {
    fn map<U: Clone>(self, change: &mut impl FnMut(List<T>) -> List<U>) -> Part<U> {
        Part {
            marker: self.marker,
            lead: self.lead,
            list: change(self.list),
            trail: self.trail,
        }
    }
}
