//! `#[task(..)]` on an enum and on its variants.

use crate::{
    diagnostic::Errors,
    input::{
        keys::{Book, Group},
        value::{PathValue, Texts, Words},
    },
};
use darling::FromMeta;
use syn::{Attribute, LitStr, Path};

/// The keys on the enum.
#[derive(Clone, Debug, Default, FromMeta)]
#[darling(default)]
pub(super) struct EnumKeys {
    /// `categories = ["..", ..]`: the categories there are. Without it, those that the variants name.
    pub(super) categories: Option<Texts>,
    /// `crate = path`: where `prompt_core` is.
    #[darling(rename = "crate")]
    pub(super) krate: Option<PathValue>,
}

impl Group for EnumKeys {
    const KEYS: &'static [&'static str] = &["categories", "crate"];
}

static ENUM: Book = Book {
    attribute: "task",
    groups: &[EnumKeys::KEYS],
    exclusive: &[],
    others: &[],
};

/// The keys on a variant.
#[derive(Clone, Debug, Default, FromMeta)]
#[darling(default)]
pub(super) struct VariantKeys {
    /// `category = ".."`: the category whose config entry the task falls back to.
    pub(super) category: Option<Words>,
    /// `name = ".."`: the name of the task, instead of the variant in snake case.
    pub(super) name: Option<Words>,
}

impl Group for VariantKeys {
    const KEYS: &'static [&'static str] = &["category", "name"];
}

static VARIANT: Book = Book {
    attribute: "task",
    groups: &[VariantKeys::KEYS],
    exclusive: &[],
    others: &[],
};

impl EnumKeys {
    pub(super) fn read_from(attributes: &[Attribute], errors: &mut Errors) -> Self {
        let entries = ENUM.read(attributes, errors).unwrap_or_default();
        Self::read(&entries, errors)
    }

    pub(super) fn categories(&self) -> Option<Vec<LitStr>> {
        self.categories.as_ref().map(|texts| texts.0.clone())
    }
}

impl VariantKeys {
    pub(super) fn read_from(attributes: &[Attribute], errors: &mut Errors) -> Self {
        let entries = VARIANT.read(attributes, errors).unwrap_or_default();
        Self::read(&entries, errors)
    }
}

/// The path under `crate` of the `#[prompt(..)]` attributes, which another derive reads as a whole: what is wrong in
/// there is for that one to say.
pub(super) fn crate_of_prompt(attributes: &[Attribute]) -> Option<Path> {
    let mut unheard = Errors::default();
    let container = crate::input::container::Container::read(attributes, &mut unheard);
    container.own.krate.map(|path| path.0)
}
