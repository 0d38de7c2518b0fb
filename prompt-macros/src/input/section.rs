//! How a child stands in the prompt: `#[section(..)]` on a field.

use super::{
    groups::{HeadingKeys, ItemKeys, TagKeys, TextKeys},
    keys::{Entries, Said},
    named::{Named, tag_attributes},
    value::{Expression, Guarding, ItemField, Priority, Role, Seconds, Switch, Visibility, Words},
};
use crate::diagnostic::Errors;
use darling::FromMeta;
use prompt_syntax::book::{Group, Holder};
use syn::Attribute;

/// How a child stands in the prompt: `#[section(..)]`.
#[derive(Clone, Default)]
pub(crate) struct SectionKeys {
    /// `template`, `file`.
    pub(crate) text: TextKeys,
    /// Its names, its condition, its forms.
    pub(crate) own: OwnKeys,
    /// `heading`, `level`, `tight`, `gap`.
    pub(crate) heading: HeadingKeys,
    /// `tag`, `attr`, `inline`.
    pub(crate) tag: TagKeys,
    /// `guard`, `raw`, `untrusted`.
    pub(crate) markup: MarkupKeys,
    /// What becomes of it outside of the text.
    pub(crate) policy: PolicyKeys,
    /// `item`, `join`, `last`.
    pub(crate) items: ItemKeys,
    /// `item_title`, `item_key`, `item_tag`, `untitled_items`.
    pub(crate) each: EachKeys,
    /// The entries of `attr(..)`.
    pub(crate) attributes: Vec<Named>,
    /// Which keys are there.
    pub(crate) said: Said,
}

/// The names of a section, whether it is there, and its short forms.
#[derive(Clone, Default, FromMeta)]
pub(crate) struct OwnKeys {
    pub(crate) key: Option<Words>,
    pub(crate) title: Option<Words>,
    pub(crate) untitled: Option<Switch>,
    pub(crate) visibility: Option<Visibility>,
    pub(crate) summary: Option<Words>,
    pub(crate) when: Option<Expression>,
    pub(crate) empty: Option<Words>,
}

/// What happens in the tag of a section.
#[derive(Clone, Default, FromMeta)]
pub(crate) struct MarkupKeys {
    pub(crate) guard: Option<Guarding>,
    pub(crate) raw: Option<Switch>,
    pub(crate) untrusted: Option<Switch>,
}

/// What becomes of a section outside of its own text.
#[derive(Clone, Default, FromMeta)]
pub(crate) struct PolicyKeys {
    pub(crate) priority: Option<Priority>,
    pub(crate) role: Option<Role>,
    pub(crate) messages: Option<Switch>,
    pub(crate) cache: Option<Seconds>,
    pub(crate) volatile: Option<Switch>,
    pub(crate) tools: Option<Expression>,
}

/// What each item of a list section has of its own.
#[derive(Clone, Default, FromMeta)]
pub(crate) struct EachKeys {
    pub(crate) item_title: Option<Words>,
    pub(crate) item_key: Option<ItemField>,
    pub(crate) item_tag: Option<Words>,
    pub(crate) untitled_items: Option<Switch>,
}

impl SectionKeys {
    /// Reads the attributes of a field; `None` if it has none.
    pub(crate) fn of_field(attributes: &[Attribute], errors: &mut Errors) -> Option<Self> {
        let mut entries = Entries::of_attributes(Holder::Section, "section", attributes, errors)?;
        let tag: TagKeys = entries.read(Group::Tag, errors);
        Some(Self {
            text: entries.read(Group::Text, errors),
            own: entries.read(Group::Section, errors),
            heading: entries.read(Group::Heading, errors),
            attributes: tag_attributes(tag.attr.as_ref(), errors),
            tag,
            markup: entries.read(Group::Markup, errors),
            policy: entries.read(Group::Policy, errors),
            items: entries.read(Group::Items, errors),
            each: entries.read(Group::Each, errors),
            said: entries.said(),
        })
    }

    /// Whether each item of the list has something of its own.
    pub(crate) fn names_items(&self) -> bool {
        self.said.has(&["item_key", "item_title", "item_tag"])
    }
}
