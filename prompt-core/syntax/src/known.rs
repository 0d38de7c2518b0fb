//! The names that a text may use, ready to be asked.

use crate::{
    Code, Options, Place,
    nearest::{Slips, nearest},
};
use alloc::{collections::BTreeSet, string::String, vec::Vec};
use core::cell::{Cell, OnceCell, RefCell};

/// Where inline text stands, which decides what is legal in it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Site {
    /// Lines of text.
    Lines,
    /// Lines of code.
    Code,
    /// A heading.
    Title,
    /// An info string.
    Info,
}

/// The slots that every node has.
pub(crate) const TREE_SLOTS: [&str; 2] = ["PROMPT_SUBTREE", "COLLECTED_CONTEXT"];

/// How many names are compared for the sake of good advice. A text with more mistakes than that gets the nearest name
/// for the first ones only, so that the time stays linear.
const COMPARED: usize = 20_000;

/// The names of an [`Options`], sorted.
#[derive(Debug)]
pub(crate) struct Names<'a> {
    pub(crate) options: Options<'a>,
    variables: Vec<&'a str>,
    slots: BTreeSet<&'a str>,
    sections: BTreeSet<&'a str>,
    /// Made when it is first asked for: most texts never do.
    slips: OnceCell<Slips<'a>>,
    compared: Cell<usize>,
    /// What was asked for and is no name, if more names may come to be known: with [`Place::Free`].
    missed: RefCell<BTreeSet<String>>,
}

impl<'a> Names<'a> {
    pub(crate) fn new(options: &Options<'a>) -> Self {
        let takes_sections = matches!(options.place, Place::Node | Place::Free);
        let sections: &[&str] = if takes_sections {
            options.sections
        } else {
            &[]
        };
        let slots: BTreeSet<&str> = sections.iter().chain(&TREE_SLOTS).copied().collect();
        let names = options.names.iter().copied();
        let names: BTreeSet<&str> = names.filter(|name| !slots.contains(name)).collect();
        Self {
            options: *options,
            variables: names.into_iter().collect(),
            slots,
            sections: options.sections.iter().copied().collect(),
            slips: OnceCell::new(),
            compared: Cell::new(0),
            missed: RefCell::default(),
        }
    }

    /// Whether the name is listed as a variable.
    pub(crate) fn is_name(&self, name: &str) -> bool {
        let is_name = self.variables.binary_search(&name).is_ok();
        if !is_name && self.options.place == Place::Free {
            let mut missed = self.missed.borrow_mut();
            if !missed.contains(name) {
                missed.insert(name.into());
            }
        }
        is_name
    }

    /// Whether a text that was parsed with these names parses in the same way with `more` of them: no name that it used and
    /// did not find is among `more`, or a typo of one.
    pub(crate) fn is_enough(&self, more: &Self) -> bool {
        let is_apart = |name: &String| {
            more.variables.binary_search(&name.as_str()).is_err() && more.near_miss(name).is_none()
        };
        self.variables == more.variables
            || self.options.place == Place::Free && self.missed.borrow().iter().all(is_apart)
    }

    /// Whether the name stands for embedded content here.
    pub(crate) fn is_slot(&self, name: &str) -> bool {
        self.slots.contains(name)
    }

    /// Whether the name is listed, as a variable or a slot.
    pub(crate) fn is_listed(&self, name: &str) -> bool {
        self.is_name(name) || self.is_slot(name)
    }

    /// Whether `{name}` in text is a variable.
    pub(crate) fn is_variable(&self, name: &str) -> bool {
        self.options.place == Place::Free || self.is_name(name)
    }

    /// Whether the text is about an item.
    pub(crate) fn is_of_item(&self) -> bool {
        self.options.place.is_template() && self.is_name("item")
    }

    /// Whether a condition can ask the name: a variable, or a section, wherever the text stands.
    pub(crate) fn is_asked(&self, name: &str) -> bool {
        self.is_variable(name) || self.is_section(name)
    }

    /// Whether a condition in code asks the name: there it must be listed.
    pub(crate) fn is_asked_in_code(&self, name: &str) -> bool {
        self.is_name(name) || self.is_section(name)
    }

    /// Whether the node has a section of this name, wherever the text stands.
    pub(crate) fn is_section(&self, name: &str) -> bool {
        self.sections.contains(name)
    }

    /// The known name of which this unknown one is a typo.
    pub(crate) fn near_miss(&self, name: &str) -> Option<&'a str> {
        self.slips
            .get_or_init(|| Slips::new(&self.variables))
            .of(name)
    }

    /// The nearest name that a text may use, variables first, if it is asked for while there is time.
    pub(crate) fn nearest(&self, name: &str) -> Option<&'a str> {
        self.nearest_of(name, &self.slots)
    }

    /// The nearest name that a condition may ask.
    pub(crate) fn nearest_asked(&self, name: &str) -> Option<&'a str> {
        self.nearest_of(name, &self.sections)
    }

    fn nearest_of(&self, name: &str, others: &BTreeSet<&'a str>) -> Option<&'a str> {
        let all = self.variables.len() + others.len();
        let compared = self.compared.get().saturating_add(all);
        if self.compared.get() > COMPARED {
            return None;
        }
        self.compared.set(compared);
        nearest(name, self.variables.iter().chain(others).copied())
    }

    pub(crate) fn names(&self) -> &[&'a str] {
        &self.variables
    }

    pub(crate) fn allows(&self, code: Code) -> bool {
        code.can_allow() && self.options.allow.contains(&code)
    }
}
