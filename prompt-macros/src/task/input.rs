//! What the user wrote: the enum and its variants, with their attributes read and nothing decided.

use super::attribute::{EnumKeys, VariantKeys, crate_of_prompt, read as keys};
use crate::diagnostic::{Diagnostic, Errors};
use prompt_syntax::{Code, book::Holder};
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
pub(super) fn read(item: DeriveInput, errors: &mut Errors) -> TaskInput {
    let keys: EnumKeys = keys(Holder::TaskEnum, &item.attrs, errors);
    let variants = variants(item.data, &item.ident).unwrap_or_else(|error| {
        errors.push(error);
        Vec::new()
    });
    TaskInput {
        visibility: item.vis,
        ident: item.ident,
        generics: item.generics,
        krate: keys
            .krate
            .map(|path| path.0)
            .or_else(|| crate_of_prompt(&item.attrs)),
        categories: keys.categories.map(|texts| texts.0),
        variants: variants
            .into_iter()
            .map(|variant| read_variant(variant, errors))
            .collect(),
    }
}

fn variants(data: Data, ident: &Ident) -> Result<Vec<syn::Variant>, Diagnostic> {
    let wrong = |fact: &str| {
        let help = "write an enum with one variant per task";
        Err(Diagnostic::new(
            Code::UnsupportedInput,
            ident.span(),
            fact,
            help,
        ))
    };
    match data {
        Data::Enum(data) if data.variants.is_empty() => {
            wrong("an enum without variants has no tasks")
        }
        Data::Enum(data) => Ok(data.variants.into_iter().collect()),
        Data::Struct(_) => wrong("a struct cannot list tasks"),
        Data::Union(_) => wrong("a union cannot list tasks"),
    }
}

fn read_variant(variant: syn::Variant, errors: &mut Errors) -> VariantInput {
    let keys: VariantKeys = keys(Holder::TaskVariant, &variant.attrs, errors);
    VariantInput {
        category: keys.category.map(|words| words.0),
        name: keys.name.map(|words| words.0),
        ident: variant.ident,
        fields: variant.fields,
    }
}
