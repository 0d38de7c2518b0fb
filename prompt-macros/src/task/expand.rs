//! The expansion. For `enum Task { Tasting, #[task(category = "rubric")] RubricCrust }`:
//!
//! ```text
//! impl Task {
//!     pub const ALL: [Self; 2] = [Self::Tasting, Self::RubricCrust];
//!     pub const fn as_str(&self) -> &'static str {
//!         match self { Self::Tasting => "tasting", Self::RubricCrust => "rubric_crust" }
//!     }
//! }
//! impl PromptTask for Task {
//!     const ALL: &'static [Self] = &[Self::Tasting, Self::RubricCrust];
//!     const CATEGORIES: &'static [&'static str] = &["rubric"];
//!     fn as_str(&self) -> &'static str { Self::as_str(self) }
//!     fn category(&self) -> Option<&'static str> {
//!         match self { Self::Tasting => None, Self::RubricCrust => Some("rubric") }
//!     }
//! }
//! impl FromStr for Task { .. }
//! impl Display for Task { .. }
//! ```

use super::model::{Name, Task, TaskModel};
use proc_macro2::TokenStream;
use quote::quote;
use syn::{Fields, Ident};

/// The expansion of an enum without mistakes.
pub(super) fn expand(model: &TaskModel) -> TokenStream {
    let name_arms = model.tasks.iter().map(|Task { ident, name, .. }| {
        let text = &name.text;
        quote!(Self::#ident => #text,)
    });
    let category_arms = model.tasks.iter().map(category_arm);
    let parse_arms = model.tasks.iter().map(|Task { ident, name, .. }| {
        let text = &name.text;
        quote!(#text => ::core::result::Result::Ok(Self::#ident),)
    });
    items(
        model,
        &quote!(match self { #(#name_arms)* }),
        &quote!(match self { #(#category_arms)* }),
        &quote!(#(#parse_arms)*),
    )
}

/// An expansion with the same items that compiles whatever is wrong, so that a use of the enum is no second mistake.
pub(super) fn stub(model: &TaskModel) -> TokenStream {
    items(
        model,
        &quote!(""),
        &quote!(::core::option::Option::None),
        &TokenStream::new(),
    )
}

fn items(
    model: &TaskModel,
    name: &TokenStream,
    category: &TokenStream,
    parse_arms: &TokenStream,
) -> TokenStream {
    let inherent = inherent_items(model, name);
    let prompt_task = prompt_task_impl(model, category);
    let from_str = from_str_impl(model, parse_arms);
    let display = display_impl(model);
    quote!(#inherent #prompt_task #from_str #display)
}

fn category_arm(
    Task {
        ident, category, ..
    }: &Task,
) -> TokenStream {
    let value = category
        .as_ref()
        .map_or_else(|| quote!(None), |Name { text, .. }| quote!(Some(#text)));
    quote!(Self::#ident => ::core::option::Option::#value,)
}

/// The variants that can stand in a list of values; all of them, unless there are mistakes.
fn units(tasks: &[Task]) -> Vec<&Ident> {
    tasks
        .iter()
        .filter(|task| matches!(task.fields, Fields::Unit))
        .map(|task| &task.ident)
        .collect()
}

/// The constant and the method that need no trait in scope. The user may need neither.
fn inherent_items(
    TaskModel {
        visibility,
        ident,
        generics,
        tasks,
        ..
    }: &TaskModel,
    name: &TokenStream,
) -> TokenStream {
    let (impl_generics, type_generics, where_clause) = generics.split_for_impl();
    let units = units(tasks);
    let count = units.len();
    quote! {
        #[automatically_derived]
        #[allow(dead_code)]
        impl #impl_generics #ident #type_generics #where_clause {
            /// Every task, in declaration order.
            #visibility const ALL: [Self; #count] = [#(Self::#units),*];

            /// The name of the task.
            #visibility const fn as_str(&self) -> &'static ::core::primitive::str {
                #name
            }
        }
    }
}

fn prompt_task_impl(model: &TaskModel, category: &TokenStream) -> TokenStream {
    let TaskModel {
        ident,
        generics,
        krate,
        ..
    } = model;
    let (impl_generics, type_generics, where_clause) = generics.split_for_impl();
    let units = units(&model.tasks);
    let categories = model.categories.iter().map(|category| &category.text);
    quote! {
        #[automatically_derived]
        impl #impl_generics #krate::PromptTask for #ident #type_generics #where_clause {
            const ALL: &'static [Self] = &[#(Self::#units),*];
            const CATEGORIES: &'static [&'static ::core::primitive::str] = &[#(#categories),*];

            fn as_str(&self) -> &'static ::core::primitive::str {
                Self::as_str(self)
            }

            fn category(&self) -> ::core::option::Option<&'static ::core::primitive::str> {
                #category
            }
        }
    }
}

fn from_str_impl(
    TaskModel {
        ident,
        generics,
        krate,
        ..
    }: &TaskModel,
    arms: &TokenStream,
) -> TokenStream {
    let (impl_generics, type_generics, where_clause) = generics.split_for_impl();
    quote! {
        #[automatically_derived]
        impl #impl_generics ::core::str::FromStr for #ident #type_generics #where_clause {
            type Err = #krate::assembly::UnknownTask;

            fn from_str(name: &::core::primitive::str) -> ::core::result::Result<Self, #krate::assembly::UnknownTask> {
                match name {
                    #arms
                    _ => ::core::result::Result::Err(#krate::assembly::UnknownTask::new::<Self>(name)),
                }
            }
        }
    }
}

fn display_impl(
    TaskModel {
        ident, generics, ..
    }: &TaskModel,
) -> TokenStream {
    let (impl_generics, type_generics, where_clause) = generics.split_for_impl();
    quote! {
        #[automatically_derived]
        impl #impl_generics ::core::fmt::Display for #ident #type_generics #where_clause {
            fn fmt(&self, formatter: &mut ::core::fmt::Formatter<'_>) -> ::core::fmt::Result {
                formatter.pad(Self::as_str(self))
            }
        }
    }
}
