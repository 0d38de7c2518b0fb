//! What is written when the input is wrong: every error, and an implementation that keeps uses of the type from adding
//! errors of their own.

use super::runtime;
use proc_macro2::TokenStream;
use quote::quote;
use syn::{Generics, Ident, Path};

/// Errors and a stub.
pub(crate) fn fallback(
    ident: &Ident,
    generics: &Generics,
    krate: Option<&Path>,
    errors: darling::Error,
) -> TokenStream {
    let errors = errors.write_errors();
    let alias = runtime::alias(krate);
    let (parameters, arguments, bounds) = generics.split_for_impl();
    quote! {
        #errors
        const _: () = {
            #alias
            #[automatically_derived]
            impl #parameters __p::PromptNode for #ident #arguments #bounds {
                fn embedded(&self) -> __p::Embedded<'_> {
                    __p::Embedded::Absent
                }
            }
        };
    }
}
