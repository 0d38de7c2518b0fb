//! What the input means: tasks with their names, and the categories.

use super::input::{TaskInput, VariantInput};
use proc_macro2::Span;
use prompt_syntax::snake_case;
use syn::{Fields, Generics, Ident, Path, Visibility, ext::IdentExt, parse_quote};

/// The enum.
pub(super) struct TaskModel {
    pub(super) visibility: Visibility,
    pub(super) ident: Ident,
    pub(super) generics: Generics,
    pub(super) krate: Path,
    pub(super) tasks: Vec<Task>,
    /// The categories as declared; else as the tasks name them, each once.
    pub(super) categories: Vec<Name>,
    /// Whether they are declared, so that a task can name none besides.
    pub(super) closed: bool,
}

/// A variant.
pub(super) struct Task {
    pub(super) ident: Ident,
    pub(super) fields: Fields,
    pub(super) name: Name,
    pub(super) category: Option<Name>,
}

/// A name, and what the user wrote for it.
#[derive(Clone)]
pub(super) struct Name {
    pub(super) text: String,
    pub(super) span: Span,
}

pub(super) fn build(input: TaskInput) -> TaskModel {
    let tasks: Vec<Task> = input.variants.into_iter().map(task).collect();
    let closed = input.categories.is_some();
    let categories = match input.categories {
        Some(declared) => declared.iter().map(Name::from).collect(),
        None => named_categories(&tasks),
    };
    TaskModel {
        visibility: input.visibility,
        ident: input.ident,
        generics: input.generics,
        krate: input.krate.unwrap_or_else(|| parse_quote!(::prompt_core)),
        tasks,
        categories,
        closed,
    }
}

fn task(variant: VariantInput) -> Task {
    let name = match &variant.name {
        Some(name) => Name::from(name),
        None => Name {
            text: snake_case(&variant.ident.unraw().to_string()),
            span: variant.ident.span(),
        },
    };
    let category = variant.category.as_ref().map(Name::from);
    Task {
        ident: variant.ident,
        fields: variant.fields,
        name,
        category,
    }
}

fn named_categories(tasks: &[Task]) -> Vec<Name> {
    let mut categories: Vec<Name> = Vec::new();
    for category in tasks.iter().filter_map(|task| task.category.as_ref()) {
        if categories.iter().all(|known| known.text != category.text) {
            categories.push(category.clone());
        }
    }
    categories
}

impl From<&syn::LitStr> for Name {
    fn from(text: &syn::LitStr) -> Self {
        Self {
            text: text.value(),
            span: text.span(),
        }
    }
}
