//! Types whose trees can be printed in one go, as they know at compile time: nothing in them moves, stops or is treated,
//! whatever the values are.

use super::{
    Describe,
    flow::{
        Failed, Flow, Flowed,
        section::{Child, Head, Own},
    },
    seen::{Declared, Listed},
};
use std::borrow::Cow;

/// How much a tree prints, if it can be printed in one go.
pub type Tree = Option<Extent>;

/// About how much a tree prints that can be printed in one go.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Extent {
    /// Bytes of text.
    pub bytes: usize,
    /// Whether it begins with words of its own.
    pub speaks: bool,
    /// Sections.
    pub sections: usize,
    /// Whether there are tools in it.
    pub has_tools: bool,
    /// Whether words of the author hold a `<`.
    pub has_tags: bool,
}

/// A type whose tree can be printed in one go, if all that it embeds can. Boxes and references do not have it, because
/// a recursive type has no extent.
pub trait Straight {
    /// As the root of a prompt; `None` where something that it embeds is not known.
    const TREE: Option<Extent>;
    /// As a part of another: levels of headings that stand in its own text would move.
    const PART: Option<Extent> = Self::TREE;
    /// What it says of itself.
    const OWN: Own = Own::NONE;
    /// Whether a value decides that it is there.
    const VARIES: bool = false;

    /// Whether it is there.
    fn is_there(&self) -> bool {
        true
    }

    /// Prints it.
    ///
    /// # Errors
    /// A value that could not be printed.
    fn flow(&self, out: &mut Flow<'_>) -> Flowed;
}

/// A [`Straight`] value whose type is not known.
pub trait Flows {
    /// About how much it prints, with its headings at their levels or moved; `None` where it cannot be printed in one go
    /// after all.
    fn extent(&self, is_moved: bool) -> Option<Extent>;

    /// Prints it.
    ///
    /// # Errors
    /// A value that could not be printed.
    fn flow_into<'f>(&'f self, out: &mut Flow<'f>) -> Flowed;
}

impl<T: Straight> Flows for T {
    fn extent(&self, is_moved: bool) -> Option<Extent> {
        if is_moved { T::PART } else { T::TREE }
    }

    fn flow_into<'f>(&'f self, out: &mut Flow<'f>) -> Flowed {
        self.flow(out)
    }
}

impl<T: Straight> Straight for Option<T> {
    const TREE: Option<Extent> = T::TREE;
    const PART: Option<Extent> = T::PART;
    const OWN: Own = T::OWN;
    const VARIES: bool = true;

    fn is_there(&self) -> bool {
        self.as_ref().is_some_and(Straight::is_there)
    }

    fn flow(&self, out: &mut Flow<'_>) -> Flowed {
        self.as_ref().map_or(Ok(()), |node| node.flow(out))
    }
}

/// An introduction, and nothing else.
impl Straight for () {
    const TREE: Option<Extent> = Some(Extent::NONE);

    fn flow(&self, _: &mut Flow<'_>) -> Flowed {
        Ok(())
    }
}

macro_rules! texts {
    ($($text:ty),+) => {$(
        impl Straight for $text {
            const TREE: Option<Extent> = Some(Extent::TEXT);
            const VARIES: bool = true;

            fn is_there(&self) -> bool {
                !self.trim().is_empty()
            }

            fn flow(&self, out: &mut Flow<'_>) -> Flowed {
                out.block(self);
                Ok(())
            }
        }
    )+};
}

texts!(str, &str, String, Cow<'_, str>);

/// A text that is an item of a list.
trait Item: AsRef<str> {}

impl Item for &str {}
impl Item for String {}
impl Item for Cow<'_, str> {}

/// Lists of texts are bullets. What is said of items, the derive knows, and keeps such a list from this way.
macro_rules! lists {
    ($([$($parameter:tt)*] $list:ty),+) => {$(
        impl<T: Item, $($parameter)*> Straight for $list {
            const TREE: Option<Extent> = Some(Extent::TEXTS);
            const VARIES: bool = true;

            fn is_there(&self) -> bool {
                self.iter().any(|text| !text.as_ref().trim().is_empty())
            }

            fn flow(&self, out: &mut Flow<'_>) -> Flowed {
                out.bullets(self.iter());
                Ok(())
            }
        }
    )+};
}

lists!([] Vec<T>, [] [T], [] &[T], [const N: usize] [T; N]);

impl Extent {
    /// Nothing.
    pub(crate) const NONE: Self = Self::of(0);
    /// A text whose length is not known.
    pub(crate) const TEXT: Self = Self::of(64);
    /// Several of them.
    pub(crate) const TEXTS: Self = Self::of(256);

    const fn of(bytes: usize) -> Self {
        Self {
            bytes,
            speaks: bytes > 0,
            sections: 0,
            has_tools: false,
            has_tags: false,
        }
    }
}

/// Any field that is a section: what it prints is known if its type is [`Straight`]; else [`UnknownPart`] stands in.
pub struct Part<'a, T: ?Sized>(pub &'a T);

impl<T: Straight + ?Sized> Part<'_, T> {
    /// How much it prints.
    pub const EXTENT: Option<Extent> = T::PART;

    const CHILD: Child = Child {
        own: &T::OWN,
        wraps: matches!(T::PART, Some(Extent { sections: 1.., .. })),
        speaks: matches!(T::PART, Some(Extent { speaks: true, .. })),
    };

    /// Prints a section of which nothing is said but its title.
    ///
    /// # Errors
    /// A value that could not be printed.
    pub fn usual(
        self,
        head: &'static Head<'static>,
        declared: impl Into<Declared>,
        index: u32,
        out: &mut Flow<'_>,
    ) -> Flowed {
        self.told(head, declared, index, false, out)
    }

    /// Prints a section of which nothing is said but its title and an introduction.
    ///
    /// # Errors
    /// A value that could not be printed.
    pub fn introduced(
        self,
        head: &'static Head<'static>,
        declared: impl Into<Declared>,
        index: u32,
        out: &mut Flow<'_>,
    ) -> Flowed {
        self.told(head, declared, index, true, out)
    }

    /// Prints a section under the title that it has itself, if words follow it at once.
    #[inline]
    fn told(
        self,
        head: &'static Head<'static>,
        declared: impl Into<Declared>,
        index: u32,
        is_introduced: bool,
        out: &mut Flow<'_>,
    ) -> Flowed {
        let speaks = is_introduced || Self::CHILD.speaks;
        if !speaks || T::OWN.title.is_some() {
            return self.section(declared, index, out);
        }
        if !self.is_there(out) {
            return Ok(());
        }
        let declared = declared.into();
        let listed = Listed { declared, index };
        out.usual(head, listed, Self::CHILD, |out| {
            if is_introduced {
                out.introduction(&listed.info().intro.literal, Self::CHILD);
            }
            self.0.flow(out)
        })
    }

    /// Prints a section.
    ///
    /// # Errors
    /// A value that could not be printed.
    pub fn section(self, declared: impl Into<Declared>, index: u32, out: &mut Flow<'_>) -> Flowed {
        if !self.is_there(out) {
            return Ok(());
        }
        let declared = declared.into();
        let listed = Listed { declared, index };
        out.section(listed.info(), listed, Self::CHILD, |out| self.0.flow(out))
    }

    fn is_there(&self, out: &mut Flow<'_>) -> bool {
        if T::VARIES {
            out.depends();
        }
        !T::VARIES || self.0.is_there()
    }
}

/// What is not known is not printed in one go.
pub trait UnknownPart: Sized {
    /// Not known.
    const EXTENT: Option<Extent> = None;

    /// Never called: nothing around it has an extent.
    ///
    /// # Errors
    /// None.
    fn usual<D>(self, _: &'static Head<'static>, _: D, _: u32, _: &mut Flow<'_>) -> Flowed {
        Ok(())
    }

    /// Never called either.
    ///
    /// # Errors
    /// None.
    fn introduced<D>(self, _: &'static Head<'static>, _: D, _: u32, _: &mut Flow<'_>) -> Flowed {
        Ok(())
    }

    /// Never called either.
    ///
    /// # Errors
    /// None.
    fn section<D>(self, _: D, _: u32, _: &mut Flow<'_>) -> Flowed {
        Ok(())
    }
}

impl<T: ?Sized> UnknownPart for Part<'_, T> {}

/// A condition. One of another type than `bool` is an error where the section is handed out, and no second one here.
pub struct When<T>(pub T);

impl When<bool> {
    /// Whether it does.
    pub fn holds(self) -> bool {
        self.0
    }
}

/// Stands in where a condition is none.
pub trait UnknownWhen: Sized {
    /// Never called: the build fails.
    fn holds(self) -> bool {
        false
    }
}

impl<T> UnknownWhen for When<T> {}

/// What a node without sections prints: words of so many bytes, with values among them.
pub const fn leaf(words: usize, around: usize) -> Option<Extent> {
    extent([words, around], false, &[])
}

/// The same tree, where a `<` stands in the words of its author.
pub const fn tagged(tree: Option<Extent>) -> Option<Extent> {
    match tree {
        Some(extent) => Some(Extent {
            has_tags: true,
            ..extent
        }),
        None => None,
    }
}

/// What a node prints: its own words of so many bytes, what stands around its parts, and these, a section each.
pub const fn extent(
    [words, around]: [usize; 2],
    has_tools: bool,
    parts: &[Option<Extent>],
) -> Option<Extent> {
    let mut sum = Extent {
        bytes: words + around,
        speaks: words > 0,
        sections: parts.len(),
        has_tools,
        has_tags: false,
    };
    let mut rest = parts;
    while let [part, others @ ..] = rest {
        let Some(part) = part else { return None };
        sum.bytes += part.bytes;
        sum.sections += part.sections;
        sum.has_tools |= part.has_tools;
        sum.has_tags |= part.has_tags;
        rest = others;
    }
    Some(sum)
}

/// Prints the own text of a node, whose first value stands behind so many bytes.
///
/// # Errors
/// A value that could not be printed.
#[inline]
pub fn own<N: Describe>(node: &N, first: usize, out: &mut Flow<'_>) -> Flowed {
    match node.print(out.plain(first)) {
        Ok(_) => Ok(()),
        Err(index) => Err(Failed::new(node.info(), index)),
    }
}
