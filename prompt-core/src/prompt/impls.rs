//! What is a section besides derived types: text, `()`, Markdown, options, pointers, lists and ordered maps.

use super::builder::PromptNode;
use crate::document::Document;
use crate::node::Markdown;
use crate::node::{Embedded, summarised::Summarised};
use std::{
    borrow::Cow,
    collections::{BTreeMap, BTreeSet, VecDeque},
    fmt::Display,
    rc::Rc,
    sync::Arc,
};

// What is behind it is known when it is printed.
impl Summarised for dyn PromptNode + '_ {}
impl Summarised for dyn PromptNode + Send + Sync + '_ {}

impl PromptNode for Document<'_> {
    fn embedded(&self) -> Embedded<'_> {
        self.root()
    }

    fn asked(&self) -> Option<&Document<'_>> {
        Some(self)
    }
}

impl PromptNode for () {
    fn embedded(&self) -> Embedded<'_> {
        Embedded::unit()
    }
}

impl PromptNode for str {
    fn embedded(&self) -> Embedded<'_> {
        Embedded::text(self)
    }
}

impl PromptNode for String {
    fn embedded(&self) -> Embedded<'_> {
        Embedded::text(self.as_str())
    }
}

impl PromptNode for Markdown {
    fn embedded(&self) -> Embedded<'_> {
        Embedded::markdown(self)
    }
}

impl<T: PromptNode> PromptNode for Option<T> {
    fn embedded(&self) -> Embedded<'_> {
        match self {
            Some(node) => node.embedded().varying(),
            None => Embedded::absent(),
        }
    }
}

/// Pointers are what they point to.
macro_rules! pointers {
    ($([$($bound:tt)*] $pointer:ty),+) => {$(
        impl<T: PromptNode + ?Sized $($bound)*> PromptNode for $pointer {
            fn embedded(&self) -> Embedded<'_> {
                (**self).embedded()
            }

            fn asked(&self) -> Option<&Document<'_>> {
                (**self).asked()
            }
        }
    )+};
}

pointers!([] &T, [] &mut T, [] Box<T>, [] Rc<T>, [] Arc<T>, [+ ToOwned] Cow<'_, T>);

fn list<T: PromptNode>(list: &[T]) -> Embedded<'_> {
    T::embedded_list(list).unwrap_or_else(|| Embedded::list(list.iter().map(PromptNode::embedded)))
}

impl<T: PromptNode> PromptNode for [T] {
    fn embedded(&self) -> Embedded<'_> {
        list(self)
    }
}

impl<T: PromptNode> PromptNode for Vec<T> {
    fn embedded(&self) -> Embedded<'_> {
        list(self)
    }
}

impl<T: PromptNode, const N: usize> PromptNode for [T; N] {
    fn embedded(&self) -> Embedded<'_> {
        list(self)
    }
}

impl<T: PromptNode> PromptNode for VecDeque<T> {
    fn embedded(&self) -> Embedded<'_> {
        Embedded::list(self.iter().map(PromptNode::embedded))
    }
}

impl<T: PromptNode> PromptNode for BTreeSet<T> {
    fn embedded(&self) -> Embedded<'_> {
        Embedded::list(self.iter().map(PromptNode::embedded))
    }
}

impl<K: Display, V: PromptNode> PromptNode for BTreeMap<K, V> {
    fn embedded(&self) -> Embedded<'_> {
        Embedded::map(
            self.iter()
                .map(|(key, value)| (key.to_string(), value.embedded())),
        )
    }
}
