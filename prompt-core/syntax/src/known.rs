//! The names that a text may use, ready to be asked.

use crate::{Code, Options, Place, Target, name::distance};
use alloc::{collections::BTreeSet, vec::Vec};

/// The slots that every node has.
pub(crate) const TREE_SLOTS: [&str; 2] = ["PROMPT_SUBTREE", "COLLECTED_CONTEXT"];

/// The names of an [`Options`], sorted.
#[derive(Debug)]
pub(crate) struct Known<'a> {
    pub(crate) options: Options<'a>,
    names: Vec<&'a str>,
    slots: Vec<&'a str>,
}

impl<'a> Known<'a> {
    pub(crate) fn new(options: &Options<'a>) -> Self {
        let takes_sections = matches!(options.place, Place::Node | Place::Free);
        let sections: &[&str] = if takes_sections {
            options.sections
        } else {
            &[]
        };
        let slots: BTreeSet<&str> = sections.iter().chain(&TREE_SLOTS).copied().collect();
        let names: BTreeSet<&str> = options
            .names
            .iter()
            .copied()
            .filter(|name| !slots.contains(name))
            .collect();
        Self {
            options: *options,
            names: names.into_iter().collect(),
            slots: slots.into_iter().collect(),
        }
    }

    /// Whether the name is listed as a variable.
    pub(crate) fn is_name(&self, name: &str) -> bool {
        self.names.binary_search(&name).is_ok()
    }

    /// Whether the name stands for embedded content here.
    pub(crate) fn is_slot(&self, name: &str) -> bool {
        self.slots.binary_search(&name).is_ok()
    }

    /// What a slot embeds. A section counts by its first place among the sections.
    pub(crate) fn target(&self, slot: &str) -> Target {
        let section = self
            .options
            .sections
            .iter()
            .position(|&section| section == slot);
        match TREE_SLOTS.iter().position(|&name| name == slot) {
            Some(0) => Target::Subtree,
            Some(_) => Target::Collected,
            None => Target::Section(
                section
                    .and_then(|index| u16::try_from(index).ok())
                    .unwrap_or(u16::MAX),
            ),
        }
    }

    /// Whether `{name}` in text is a variable.
    pub(crate) fn is_variable(&self, name: &str) -> bool {
        self.options.place == Place::Free || self.is_name(name)
    }

    /// A known name that this unknown one is a slip of the pen away from.
    pub(crate) fn near_miss(&self, name: &str) -> Option<&'a str> {
        let length = name.chars().count();
        self.names
            .iter()
            .copied()
            .find(|known| length >= 4 && distance(name, known, 1) == Some(1))
    }

    /// Every name that a text may use, variables first.
    pub(crate) fn all(&self) -> impl Iterator<Item = &'a str> {
        self.names.iter().chain(&self.slots).copied()
    }

    pub(crate) fn names(&self) -> &[&'a str] {
        &self.names
    }

    pub(crate) fn allows(&self, code: Code) -> bool {
        code.can_allow() && self.options.allow.contains(&code)
    }
}
