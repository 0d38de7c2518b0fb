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

use super::model::{Task, TaskModel};
use crate::input::value::Words;
use proc_macro2::TokenStream;
use quote::quote;
use syn::Fields;

/// The expansion of an enum without mistakes.
pub(super) fn expand(model: &TaskModel) -> TokenStream {
    let names = model.tasks.iter().map(|Task { ident, name, .. }| {
        let name = name.value();
        quote!(Self::#ident => #name,)
    });
    let categories = model.tasks.iter().map(
        |Task {
             ident, category, ..
         }| {
            let category = category.as_ref().map(|category| {
                let name = category.value();
                quote!(Some(#name))
            });
            let category = category.unwrap_or_else(|| quote!(None));
            quote!(Self::#ident => ::core::option::Option::#category,)
        },
    );
    let parsed = model.tasks.iter().map(|Task { ident, name, .. }| {
        let name = name.value();
        quote!(#name => ::core::result::Result::Ok(Self::#ident),)
    });
    items(
        model,
        &quote!(match self { #(#names)* }),
        &quote!(match self { #(#categories)* }),
        &quote!(#(#parsed)*),
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

/// The constant and the method that need no trait in scope, of which the user may need neither, and the traits.
fn items(
    model: &TaskModel,
    name: &TokenStream,
    category: &TokenStream,
    parsed: &TokenStream,
) -> TokenStream {
    let TaskModel {
        visibility,
        ident,
        krate,
        ..
    } = model;
    let (parameters, arguments, bounds) = model.generics.split_for_impl();
    // The variants that can stand in a list of values; all of them, unless there are mistakes.
    let units = model.tasks.iter();
    let units = units.filter(|task| matches!(task.fields, Fields::Unit));
    let units: Vec<_> = units.map(|task| &task.ident).collect();
    let count = units.len();
    let categories = model.categories.iter().map(Words::value);
    quote! {
        #[automatically_derived]
        #[allow(dead_code)]
        impl #parameters #ident #arguments #bounds {
            /// Every task, in declaration order.
            #visibility const ALL: [Self; #count] = [#(Self::#units),*];

            /// The name of the task.
            #visibility const fn as_str(&self) -> &'static ::core::primitive::str {
                #name
            }
        }

        #[automatically_derived]
        impl #parameters #krate::PromptTask for #ident #arguments #bounds {
            const ALL: &'static [Self] = &[#(Self::#units),*];
            const CATEGORIES: &'static [&'static ::core::primitive::str] = &[#(#categories),*];

            fn as_str(&self) -> &'static ::core::primitive::str {
                Self::as_str(self)
            }

            fn category(&self) -> ::core::option::Option<&'static ::core::primitive::str> {
                #category
            }
        }

        #[automatically_derived]
        impl #parameters ::core::str::FromStr for #ident #arguments #bounds {
            type Err = #krate::diagnostics::UnknownName;

            fn from_str(
                name: &::core::primitive::str,
            ) -> ::core::result::Result<Self, #krate::diagnostics::UnknownName> {
                match name {
                    #parsed
                    _ => ::core::result::Result::Err(#krate::__private::unknown_task::<Self>(name)),
                }
            }
        }

        #[automatically_derived]
        impl #parameters ::core::fmt::Display for #ident #arguments #bounds {
            fn fmt(&self, formatter: &mut ::core::fmt::Formatter<'_>) -> ::core::fmt::Result {
                formatter.pad(Self::as_str(self))
            }
        }
    }
}
