//! What a value is to the prompt around it, and a section as its node hands it out.

use super::{Node, NodeRef, Priority};
use crate::messages::message::Message;
use crate::node::Markdown;
use crate::node::Visibility;
use std::borrow::Cow;

/// What a value is to the prompt around it: nothing, an introduction alone, text, a node, or several of these.
///
/// ```
/// use prompt_core::{Embedded, PromptNode};
///
/// /// A place on earth, printed as text.
/// struct Place {
///     name: String,
/// }
///
/// impl PromptNode for Place {
///     fn embedded(&self) -> Embedded<'_> {
///         Embedded::text(self.name.as_str())
///     }
/// }
///
/// assert_eq!(Place { name: "Tern Rock".into() }.prompt().text()?, "Tern Rock");
/// # Ok::<(), prompt_core::PromptError>(())
/// ```
#[derive(Clone)]
pub struct Embedded<'a> {
    pub(crate) content: Content<'a>,
    /// Whether a value decides what this is, by more than the values that it prints.
    pub(crate) varies: bool,
}

/// The kinds of it.
#[derive(Clone)]
pub(crate) enum Content<'a> {
    /// Nothing: no trace is left, or the `empty` text.
    Absent,
    /// `()`: only the introduction.
    Unit,
    /// Text as it is.
    Text(Cow<'a, str>),
    /// A list that prints by the `item` template of its section.
    Items {
        /// Whether it has no items.
        is_empty: bool,
    },
    /// Markdown that was parsed at run time.
    Markdown(&'a Markdown),
    /// A node with a text of its own.
    Node(NodeRef<'a>),
    /// Several of these.
    List(Vec<Entry<'a>>),
    /// A history that is spliced in.
    Messages(&'a [Message]),
}

/// One of several, with its key if they are the entries of a map.
#[derive(Clone)]
pub(crate) struct Entry<'a> {
    pub(crate) name: Option<Cow<'a, str>>,
    pub(crate) content: Content<'a>,
}

impl<'a> Embedded<'a> {
    /// Nothing: the section leaves no trace, or prints its `empty` text.
    pub fn absent() -> Self {
        Self::of_values(Content::Absent)
    }

    /// Nothing of its own, under the section's introduction.
    pub fn unit() -> Self {
        Self::fixed(Content::Unit)
    }

    /// Text as it is. Empty text leaves no trace.
    pub fn text(text: impl Into<Cow<'a, str>>) -> Self {
        Self::of_values(Content::Text(text.into()))
    }

    /// Several, one after the other: texts become bullets, nodes sections of their own. Where both stand in one list,
    /// each item keeps its form and its place, with a blank line between a text and a node; what is no text (a node,
    /// [`Markdown`], a list) counts as a node.
    ///
    /// ```
    /// use prompt_core::{Markdown, PromptNode};
    ///
    /// let notes: Vec<Box<dyn PromptNode>> = vec![
    ///     Box::new("Pull before you push."),
    ///     Box::new("Rebase, never merge."),
    ///     Box::new(Markdown::from("See *CONTRIBUTING*.")),
    /// ];
    /// assert_eq!(
    ///     notes.prompt().text()?,
    ///     "- Pull before you push.\n- Rebase, never merge.\n\n# Item 3\n\nSee *CONTRIBUTING*.",
    /// );
    /// # Ok::<(), prompt_core::PromptError>(())
    /// ```
    pub fn list(items: impl IntoIterator<Item = Self>) -> Self {
        let entry = |item: Self| Entry {
            name: None,
            content: item.content,
        };
        Self::of_values(Content::List(items.into_iter().map(entry).collect()))
    }

    /// The entries of a map, one after the other: like [`Embedded::list`], each under its name.
    pub fn map<K: Into<Cow<'a, str>>>(entries: impl IntoIterator<Item = (K, Self)>) -> Self {
        Self::entries(entries.into_iter().map(|(name, item)| (Some(name), item)))
    }

    /// A list of which some items have names.
    pub(crate) fn entries<K: Into<Cow<'a, str>>>(
        entries: impl IntoIterator<Item = (Option<K>, Self)>,
    ) -> Self {
        let entry = |(name, item): (Option<K>, Self)| Entry {
            name: name.map(Into::into),
            content: item.content,
        };
        Self::of_values(Content::List(entries.into_iter().map(entry).collect()))
    }

    /// A node with a text of its own, as derived code says it.
    #[doc(hidden)]
    pub fn described(node: &'a dyn Node) -> Self {
        Self::of_node(NodeRef::new(node))
    }

    pub(crate) fn of_node(node: NodeRef<'a>) -> Self {
        Self::fixed(Content::Node(node))
    }

    pub(crate) fn markdown(markdown: &'a Markdown) -> Self {
        Self::of_values(Content::Markdown(markdown))
    }

    /// Marks it as decided by a value, so that the static prefix ends before it: for an implementation that embeds one of
    /// several things.
    #[must_use]
    pub fn varying(mut self) -> Self {
        self.varies = true;
        self
    }

    fn fixed(content: Content<'a>) -> Self {
        Self {
            content,
            varies: false,
        }
    }

    fn of_values(content: Content<'a>) -> Self {
        Self::fixed(content).varying()
    }
}

impl<'a> Content<'a> {
    /// Whether it leaves no trace by itself.
    pub(crate) fn is_empty(&self) -> bool {
        match self {
            Self::Absent => true,
            Self::Unit | Self::Node(_) => false,
            Self::Text(text) => is_blank(text),
            Self::Items { is_empty } => *is_empty,
            Self::Markdown(markdown) => markdown.text().is_empty(),
            Self::List(entries) => entries.iter().all(|entry| entry.content.is_empty()),
            Self::Messages(messages) => messages.is_empty(),
        }
    }

    /// Whether its items are sections of their own: it is a list, and not of text alone.
    pub(crate) fn is_node_list(&self) -> bool {
        let Self::List(entries) = self else {
            return false;
        };
        let is_node = |content: &Self| !content.is_text() && !content.is_empty();
        entries.iter().any(|entry| is_node(&entry.content))
    }

    /// Whether it is a text, which has no heading of its own.
    pub(crate) fn is_text(&self) -> bool {
        matches!(self, Self::Text(_))
    }

    /// The node with a text of its own.
    pub(crate) fn node(&self) -> Option<NodeRef<'a>> {
        match self {
            Self::Node(node) => Some(*node),
            _ => None,
        }
    }
}

/// Whether a text is nothing but white space: mostly its first byte tells.
#[inline]
fn is_blank(text: &str) -> bool {
    let first = text.as_bytes().first();
    !first.is_some_and(u8::is_ascii_graphic) && text.trim_start().is_empty()
}

/// A section as its node hands it out.
#[derive(Clone)]
pub struct Section<'a> {
    pub(crate) content: Content<'a>,
    /// Whether it is there at all.
    pub(crate) when: bool,
    /// Instead of the declared visibility.
    pub(crate) visibility: Option<Visibility>,
    /// Instead of the declared priority.
    pub(crate) priority: Option<Priority>,
    /// Whether its presence or form was decided by a value.
    pub(crate) conditional: bool,
}

impl<'a> Section<'a> {
    /// A section that embeds this.
    pub fn new(embedded: Embedded<'a>) -> Self {
        Self {
            conditional: embedded.varies,
            ..Self::with(embedded.content)
        }
    }

    /// A list that prints by its `item` template: its items are those of its loop
    /// ([`Items::list`](super::Items::list)), each printed by [`Items::text`](super::Items::text).
    pub fn items(is_empty: bool) -> Self {
        Self {
            conditional: true,
            ..Self::with(Content::Items { is_empty })
        }
    }

    /// A history that is spliced in.
    pub fn messages(messages: &'a [Message]) -> Self {
        Self {
            conditional: true,
            ..Self::with(Content::Messages(messages))
        }
    }

    /// A section that is not there: its condition does not hold. Nothing else of it is asked.
    pub fn hidden() -> Self {
        Self {
            when: false,
            conditional: true,
            ..Self::with(Content::Absent)
        }
    }

    /// A section that is switched off, and what it would embed: reviews look into it.
    pub(crate) fn off(embedded: Embedded<'a>) -> Self {
        Self {
            content: embedded.content,
            ..Self::hidden()
        }
    }

    /// Marks the section as decided by a value: its condition holds.
    #[must_use]
    pub fn conditional(mut self) -> Self {
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

    fn with(content: Content<'a>) -> Self {
        Self {
            content,
            when: true,
            visibility: None,
            priority: None,
            conditional: false,
        }
    }
}
