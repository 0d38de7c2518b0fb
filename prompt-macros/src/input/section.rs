//! How a child stands in the prompt: `#[section(..)]` on a field.

use super::{
    keys::{Entries, Said},
    named::{Named, tag_attributes},
    value::{
        Columns, Expression, Gap, Guarding, ItemField, Level, List, Priority, Role, Seconds,
        Switch, Visibility, Words,
    },
};
use crate::diagnostic::Errors;
use darling::FromMeta;
use prompt_syntax::book::Holder;
use syn::Attribute;

/// How a child stands in the prompt: `#[section(..)]`. What each key means says the book of keys.
#[derive(Clone, Default, FromMeta)]
pub(crate) struct SectionKeys {
    pub(crate) template: Option<Words>,
    pub(crate) file: Option<Words>,
    pub(crate) key: Option<Words>,
    pub(crate) title: Option<Words>,
    pub(crate) untitled: Option<Switch>,
    pub(crate) heading: Option<Words>,
    pub(crate) level: Option<Level>,
    pub(crate) tight: Option<Switch>,
    pub(crate) gap: Option<Gap>,
    pub(crate) when: Option<Expression>,
    pub(crate) empty: Option<Words>,
    pub(crate) visibility: Option<Visibility>,
    pub(crate) summary: Option<Words>,
    pub(crate) item: Option<Words>,
    pub(crate) join: Option<Words>,
    pub(crate) last: Option<Words>,
    pub(crate) item_title: Option<Words>,
    pub(crate) item_key: Option<ItemField>,
    pub(crate) item_tag: Option<Words>,
    pub(crate) untitled_items: Option<Switch>,
    pub(crate) tag: Option<Words>,
    pub(crate) attr: Option<List>,
    pub(crate) inline: Option<Switch>,
    pub(crate) indent: Option<Columns>,
    pub(crate) guard: Option<Guarding>,
    pub(crate) raw: Option<Switch>,
    pub(crate) untrusted: Option<Switch>,
    pub(crate) priority: Option<Priority>,
    pub(crate) role: Option<Role>,
    pub(crate) messages: Option<Switch>,
    pub(crate) cache: Option<Seconds>,
    pub(crate) volatile: Option<Switch>,
    pub(crate) tools: Option<Expression>,
    /// The entries of `attr(..)`.
    #[darling(skip)]
    pub(crate) attributes: Vec<Named>,
    /// Which keys are there.
    #[darling(skip)]
    pub(crate) said: Said,
}

impl SectionKeys {
    /// Reads the attributes of a field; `None` if it has none.
    pub(crate) fn of_field(attributes: &[Attribute], errors: &mut Errors) -> Option<Self> {
        let mut entries = Entries::of_attributes(Holder::Section, "section", attributes, errors)?;
        let keys: Self = entries.read(errors);
        Some(Self {
            attributes: tag_attributes(keys.attr.as_ref(), errors),
            said: entries.said(),
            ..keys
        })
    }

    /// Whether each item of the list has something of its own.
    pub(crate) fn names_items(&self) -> bool {
        self.said.has(&["item_key", "item_title", "item_tag"])
    }
}
