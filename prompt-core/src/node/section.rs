//! A section as its node hands it out: what is embedded, and whether it is shown.

use super::{Priority, PromptNode};
use crate::markdown::Markdown;
use crate::message::Message;
use crate::visibility::Visibility;
use std::borrow::Cow;

/// What a value is to the prompt around it.
#[derive(Clone)]
pub enum Embedded<'a> {
    /// Nothing: no trace is left, or the `empty` text (`None`).
    Absent,
    /// `()`: only the introduction.
    Unit,
    /// Text as it is.
    Text(Cow<'a, str>),
    /// A variable of the node that has the section: a list printed by its `item` template.
    Written {
        /// Index of the variable.
        variable: u16,
        /// Whether it prints nothing.
        empty: bool,
    },
    /// Markdown that was parsed at run time.
    Markdown(&'a Markdown),
    /// A node with a text of its own.
    Node(&'a dyn PromptNode),
    /// Several of these.
    List(&'a dyn List),
    /// The same, gathered: entries of a map carry their key.
    Items(Vec<(Option<String>, Embedded<'a>)>),
    /// A history that is spliced in.
    Messages(&'a [Message]),
}

/// A list of nodes.
pub trait List {
    /// How many.
    fn len(&self) -> usize;

    /// Whether there are none.
    fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// One of them; `Absent` past the end.
    fn item(&self, index: usize) -> Embedded<'_>;
}

/// A section as its node hands it out.
#[derive(Clone)]
#[non_exhaustive]
pub struct Section<'a> {
    /// What is embedded.
    pub content: Embedded<'a>,
    /// Whether it is there at all.
    pub when: bool,
    /// Overrides the declared visibility.
    pub visibility: Option<Visibility>,
    /// Overrides the declared priority.
    pub priority: Option<Priority>,
    /// Whether its presence was decided by a value.
    pub conditional: bool,
}

impl<'a> Section<'a> {
    /// A section with this content.
    pub fn new(content: Embedded<'a>) -> Self {
        Self {
            content,
            when: true,
            visibility: None,
            priority: None,
            conditional: false,
        }
    }

    /// A section with this value.
    pub fn of(value: &'a dyn PromptNode) -> Self {
        Self {
            conditional: value.varies(),
            ..Self::new(value.embedded())
        }
    }

    /// A section printed by a variable of its node.
    pub fn written(variable: u16, empty: bool) -> Self {
        Self::new(Embedded::Written { variable, empty })
    }

    /// Leaves it out unless `condition` holds.
    #[must_use]
    pub fn when(mut self, condition: bool) -> Self {
        self.when = condition;
        self.conditional = true;
        self
    }

    /// Sets the visibility.
    #[must_use]
    pub fn visibility(mut self, visibility: Visibility) -> Self {
        self.visibility = Some(visibility);
        self.conditional = true;
        self
    }

    /// Sets the priority.
    #[must_use]
    pub fn priority(mut self, priority: impl Into<Priority>) -> Self {
        self.priority = Some(priority.into());
        self
    }
}
