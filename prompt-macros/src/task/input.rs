//! What the user wrote: the enum and its variants, with their attributes read and nothing decided.

use super::{
    attribute::{Pairs, crate_of_prompt},
    mistake,
};
use darling::{Error, error::Accumulator};
use syn::{Data, DeriveInput, Fields, Generics, Ident, LitStr, Path, Visibility};

/// The enum.
pub(super) struct TaskInput {
    pub(super) visibility: Visibility,
    pub(super) ident: Ident,
    pub(super) generics: Generics,
    /// `crate = path`: where `prompt_core` is.
    pub(super) krate: Option<Path>,
    /// `categories = ["..", ..]`: the categories there are. Without it, those that the variants name.
    pub(super) categories: Option<Vec<LitStr>>,
    pub(super) variants: Vec<VariantInput>,
}

/// A variant.
pub(super) struct VariantInput {
    pub(super) ident: Ident,
    pub(super) fields: Fields,
    /// `category = ".."`: the category whose config entry the task falls back to.
    pub(super) category: Option<LitStr>,
    /// `name = ".."`: the name of the task, instead of the variant in snake case.
    pub(super) name: Option<LitStr>,
}

/// Reads an item; of one that is no enum, all but variants.
pub(super) fn read(item: DeriveInput, errors: &mut Accumulator) -> TaskInput {
    let pairs = Pairs::read(&item.attrs, &["categories", "crate"], errors);
    let krate = pairs
        .path("crate", errors)
        .or_else(|| crate_of_prompt(&item.attrs, errors));
    let categories = pairs.texts("categories", errors);
    let variants = errors
        .handle(variants(item.data, &item.ident))
        .unwrap_or_default();
    let variants = variants
        .into_iter()
        .map(|variant| read_variant(variant, errors))
        .collect();
    TaskInput {
        visibility: item.vis,
        ident: item.ident,
        generics: item.generics,
        krate,
        categories,
        variants,
    }
}

fn variants(data: Data, ident: &Ident) -> Result<Vec<syn::Variant>, Error> {
    let wrong =
        |fact: &str| Err(mistake(fact, "write an enum with one variant per task").with_span(ident));
    match data {
        Data::Enum(data) if data.variants.is_empty() => {
            wrong("an enum without variants has no tasks")
        }
        Data::Enum(data) => Ok(data.variants.into_iter().collect()),
        Data::Struct(_) => wrong("a struct cannot list tasks"),
        Data::Union(_) => wrong("a union cannot list tasks"),
    }
}

fn read_variant(variant: syn::Variant, errors: &mut Accumulator) -> VariantInput {
    let pairs = Pairs::read(&variant.attrs, &["category", "name"], errors);
    VariantInput {
        category: pairs.text("category", errors),
        name: pairs.text("name", errors),
        ident: variant.ident,
        fields: variant.fields,
    }
}
