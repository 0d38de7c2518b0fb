//! What is a section besides derived types: text, `()`, Markdown, options, pointers, lists and ordered maps.

use super::{Embedded, List, NodeInfo, Output, PromptNode, Section};
use crate::markdown::Markdown;
use crate::tool::ToolSpec;
use std::{
    borrow::Cow,
    collections::{BTreeMap, BTreeSet, VecDeque},
    fmt::{self, Display},
    rc::Rc,
    sync::Arc,
};

impl PromptNode for () {
    fn embedded(&self) -> Embedded<'_> {
        Embedded::Unit
    }
}

impl PromptNode for str {
    fn embedded(&self) -> Embedded<'_> {
        Embedded::Text(Cow::Borrowed(self))
    }
}

impl PromptNode for String {
    fn embedded(&self) -> Embedded<'_> {
        Embedded::Text(Cow::Borrowed(self))
    }
}

impl PromptNode for Markdown {
    fn embedded(&self) -> Embedded<'_> {
        Embedded::Markdown(self)
    }
}

impl<T: PromptNode> PromptNode for Option<T> {
    fn embedded(&self) -> Embedded<'_> {
        self.as_ref().map_or(Embedded::Absent, PromptNode::embedded)
    }

    fn varies(&self) -> bool {
        true
    }
}

/// Pointers are what they point to, in everything: a method call may find the pointer's implementation first.
macro_rules! pointers {
    ($([$($bound:tt)*] $pointer:ty),+) => {$(
        impl<T: PromptNode + ?Sized $($bound)*> PromptNode for $pointer {
            fn embedded(&self) -> Embedded<'_> {
                (**self).embedded()
            }

            fn varies(&self) -> bool {
                (**self).varies()
            }

            fn info(&self) -> &NodeInfo {
                (**self).info()
            }

            fn variable(&self, index: usize, output: &mut Output<'_>) -> fmt::Result {
                (**self).variable(index, output)
            }

            fn guard(&self, index: usize) -> bool {
                (**self).guard(index)
            }

            fn section(&self, index: usize) -> Section<'_> {
                (**self).section(index)
            }

            fn tools(&self, section: Option<usize>) -> Vec<ToolSpec> {
                (**self).tools(section)
            }
        }
    )+};
}

pointers!([] &T, [] &mut T, [] Box<T>, [] Rc<T>, [] Arc<T>, [+ ToOwned] Cow<'_, T>);

impl<T: PromptNode> PromptNode for Vec<T> {
    fn embedded(&self) -> Embedded<'_> {
        T::embedded_list(self).unwrap_or(Embedded::List(self))
    }
}

impl<T: PromptNode> List for Vec<T> {
    fn len(&self) -> usize {
        self.len()
    }

    fn item(&self, index: usize) -> Embedded<'_> {
        self.get(index)
            .map_or(Embedded::Absent, PromptNode::embedded)
    }
}

impl<T: PromptNode> PromptNode for VecDeque<T> {
    fn embedded(&self) -> Embedded<'_> {
        Embedded::List(self)
    }
}

impl<T: PromptNode> List for VecDeque<T> {
    fn len(&self) -> usize {
        self.len()
    }

    fn item(&self, index: usize) -> Embedded<'_> {
        self.get(index)
            .map_or(Embedded::Absent, PromptNode::embedded)
    }
}

impl<T: PromptNode> PromptNode for [T] {
    fn embedded(&self) -> Embedded<'_> {
        let items = || Embedded::Items(self.iter().map(|item| (None, item.embedded())).collect());
        T::embedded_list(self).unwrap_or_else(items)
    }
}

impl<T: PromptNode, const N: usize> PromptNode for [T; N] {
    fn embedded(&self) -> Embedded<'_> {
        T::embedded_list(self).unwrap_or(Embedded::List(self))
    }
}

impl<T: PromptNode, const N: usize> List for [T; N] {
    fn len(&self) -> usize {
        N
    }

    fn item(&self, index: usize) -> Embedded<'_> {
        self.get(index)
            .map_or(Embedded::Absent, PromptNode::embedded)
    }
}

impl<T: PromptNode> PromptNode for BTreeSet<T> {
    fn embedded(&self) -> Embedded<'_> {
        Embedded::Items(self.iter().map(|item| (None, item.embedded())).collect())
    }
}

impl<K: Display, V: PromptNode> PromptNode for BTreeMap<K, V> {
    fn embedded(&self) -> Embedded<'_> {
        Embedded::Items(
            self.iter()
                .map(|(key, value)| (Some(key.to_string()), value.embedded()))
                .collect(),
        )
    }
}
