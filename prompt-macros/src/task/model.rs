//! The enum and its variants, with their `#[task(..)]`: tasks with their names, and the categories.

use crate::{
    diagnostic::{Diagnostic, Errors},
    input::{
        container::PromptKeys,
        keys::Entries,
        value::{Texts, Words},
    },
};
use darling::FromMeta;
use prompt_syntax::{Code, book::Holder, snake_case};
use syn::{
    Attribute, Data, DeriveInput, Fields, Generics, Ident, Path, Visibility, ext::IdentExt,
    parse_quote,
};

/// The keys on the enum.
#[derive(Default, FromMeta)]
struct EnumKeys {
    categories: Option<Texts>,
    /// With or without quotes.
    #[darling(rename = "crate")]
    krate: Option<Path>,
}

/// The keys on a variant.
#[derive(Default, FromMeta)]
struct VariantKeys {
    category: Option<Words>,
    name: Option<Words>,
}

/// The enum.
pub(super) struct TaskModel {
    pub(super) visibility: Visibility,
    pub(super) ident: Ident,
    pub(super) generics: Generics,
    /// Where `prompt_core` is.
    pub(super) krate: Path,
    pub(super) tasks: Vec<Task>,
    /// The categories as declared; else as the tasks name them, each once.
    pub(super) categories: Vec<Words>,
    /// Whether they are declared, so that a task can name none besides.
    pub(super) closed: bool,
}

/// A variant.
pub(super) struct Task {
    pub(super) ident: Ident,
    pub(super) fields: Fields,
    pub(super) name: Words,
    /// The category whose config entry the task falls back to.
    pub(super) category: Option<Words>,
}

impl TaskModel {
    /// Reads an item; of one that is no enum, all but variants.
    pub(super) fn read(item: DeriveInput, errors: &mut Errors) -> Self {
        let keys: EnumKeys = keys(Holder::TaskEnum, &item.attrs, errors);
        let variants = variants(item.data, &item.ident).unwrap_or_else(|error| {
            errors.push(error);
            Vec::new()
        });
        let tasks = variants.into_iter();
        let tasks: Vec<Task> = tasks.map(|variant| Task::read(variant, errors)).collect();
        let closed = keys.categories.is_some();
        let categories = match keys.categories {
            Some(declared) => declared.0.into_iter().map(Words).collect(),
            None => named_categories(&tasks),
        };
        Self {
            visibility: item.vis,
            ident: item.ident,
            generics: item.generics,
            krate: keys
                .krate
                .or_else(|| crate_of_prompt(&item.attrs))
                .unwrap_or_else(|| parse_quote!(::prompt_core)),
            tasks,
            categories,
            closed,
        }
    }
}

impl Task {
    fn read(variant: syn::Variant, errors: &mut Errors) -> Self {
        let keys: VariantKeys = keys(Holder::TaskVariant, &variant.attrs, errors);
        let ident = variant.ident;
        let made = || Words::made(&snake_case(&ident.unraw().to_string()), ident.span());
        Self {
            name: keys.name.unwrap_or_else(made),
            category: keys.category,
            fields: variant.fields,
            ident,
        }
    }
}

/// The keys of `#[task(..)]`.
fn keys<R: FromMeta + Default>(holder: Holder, attributes: &[Attribute], errors: &mut Errors) -> R {
    let entries = Entries::of_attributes(holder, "task", attributes, errors);
    entries
        .map(|mut entries| entries.read(errors))
        .unwrap_or_default()
}

/// The path under `crate` of the `#[prompt(..)]` attributes, which another derive reads as a whole: what is wrong in
/// there is for that one to say.
fn crate_of_prompt(attributes: &[Attribute]) -> Option<Path> {
    let unheard = &mut Errors::default();
    let mut entries = Entries::of_attributes(Holder::Prompt, "prompt", attributes, unheard)?;
    let keys: PromptKeys = entries.read(unheard);
    keys.krate.map(|path| path.0)
}

fn variants(data: Data, ident: &Ident) -> Result<Vec<syn::Variant>, Diagnostic> {
    let fact = match data {
        Data::Enum(data) if !data.variants.is_empty() => {
            return Ok(data.variants.into_iter().collect());
        }
        Data::Enum(_) => "an enum without variants has no tasks",
        Data::Struct(_) => "a struct cannot list tasks",
        Data::Union(_) => "a union cannot list tasks",
    };
    let help = "write an enum with one variant per task";
    Err(Diagnostic::new(
        Code::UnsupportedInput,
        ident.span(),
        fact,
        help,
    ))
}

fn named_categories(tasks: &[Task]) -> Vec<Words> {
    let mut categories: Vec<Words> = Vec::new();
    for category in tasks.iter().filter_map(|task| task.category.as_ref()) {
        if categories.iter().all(|known| known != category) {
            categories.push(category.clone());
        }
    }
    categories
}
