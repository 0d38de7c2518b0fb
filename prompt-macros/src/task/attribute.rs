//! `#[task(..)]` on an enum and on its variants.

use crate::{
    diagnostic::Errors,
    input::{
        keys::{Book, Group, entries, keys, meta},
        value::{Expression, Texts, Words, ungrouped},
    },
};
use prompt_syntax::Code;
use syn::{Attribute, Expr, ExprLit, Lit, LitStr, Meta, Path, spanned::Spanned};

keys! {
    /// The keys on the enum.
    pub(super) struct EnumKeys {
        /// `categories = ["..", ..]`: the categories there are. Without it, those that the variants name.
        categories: Texts,
        /// `crate = path`: where `prompt_core` is, with or without quotes.
        krate = "crate": Expression,
    }
}

static ENUM: Book = Book {
    attribute: "task",
    groups: &[EnumKeys::KEYS],
    exclusive: &[],
    others: &[],
};

keys! {
    /// The keys on a variant.
    pub(super) struct VariantKeys {
        /// `category = ".."`: the category whose config entry the task falls back to.
        category: Words,
        /// `name = ".."`: the name of the task, instead of the variant in snake case.
        name: Words,
    }
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

impl EnumKeys {
    /// The path under `crate`.
    pub(super) fn krate(&self, errors: &mut Errors) -> Option<Path> {
        let value = &self.krate.as_ref()?.0;
        let path = path(value);
        if path.is_none() {
            let help = "write `crate = ::some_crate`";
            errors.add(
                Code::InvalidValue,
                value.span(),
                "`crate` takes a path",
                help,
            );
        }
        path
    }
}

/// The path under `crate` of the `#[prompt(..)]` attributes, which another derive reads as a whole: what is wrong in
/// there is for that one to say.
pub(super) fn crate_of_prompt(attributes: &[Attribute]) -> Option<Path> {
    let mut unheard = Errors::default();
    let lists = attributes
        .iter()
        .filter_map(|attribute| match &attribute.meta {
            Meta::List(list) if list.path.is_ident("prompt") => Some(list),
            _ => None,
        });
    let mut found = lists.flat_map(|list| entries(list, |input| input.call(meta), &mut unheard));
    found.find_map(|(entry, _)| match entry {
        Meta::NameValue(pair) if pair.path.is_ident("crate") => path(&pair.value),
        _ => None,
    })
}

fn path(value: &Expr) -> Option<Path> {
    match ungrouped(value) {
        Expr::Path(value) => Some(value.path.clone()),
        Expr::Lit(ExprLit {
            lit: Lit::Str(text),
            ..
        }) => text.parse().ok(),
        _ => None,
    }
}
