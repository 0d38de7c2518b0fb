//! The names that generated code uses: the only place that knows where the runtime lives.

use crate::model::value::ident;
use proc_macro2::{Ident, Span, TokenStream};
use quote::{ToTokens, quote, quote_spanned};
use syn::{Generics, Path};

/// `use ::prompt_core::__private as __p;`: everything else goes through `__p`.
pub(crate) fn alias(krate: Option<&Path>) -> TokenStream {
    let root = krate.map_or_else(|| quote!(::prompt_core), ToTokens::to_token_stream);
    quote!(use #root::__private as __p;)
}

/// `#[automatically_derived] impl __p::Node for Reviewer { .. }`.
pub(crate) fn implementation(
    name: &str,
    ident: &Ident,
    generics: &Generics,
    body: &TokenStream,
) -> TokenStream {
    let name = Ident::new(name, Span::call_site());
    let (parameters, arguments, bounds) = generics.split_for_impl();
    quote! {
        #[automatically_derived]
        impl #parameters __p::#name for #ident #arguments #bounds { #body }
    }
}

/// Parameters and locals of generated code: the user's expressions cannot see them.
pub(crate) fn local(name: &str) -> Ident {
    Ident::new(name, Span::mixed_site())
}

/// Locals of generated code that the names which texts choose must not hide.
const LOCALS: &[&str] = &["around", "body", "entry", "inner", "list", "out"];

/// A local that is called as a text calls it.
pub(crate) fn named(name: &str) -> Ident {
    let span = Span::mixed_site();
    if LOCALS.contains(&name) {
        return Ident::new(&format!("{name}_"), span);
    }
    let mut ident = ident(name).unwrap_or_else(|| Ident::new("item", span));
    ident.set_span(span);
    ident
}

/// Generated code that is blamed on a place of the user's.
pub(crate) fn at(span: Span) -> Span {
    Span::call_site().located_at(span)
}

/// Makes the build run again when a prompt file changes.
pub(crate) fn watch(file: &syn::LitStr) -> TokenStream {
    let span = at(file.span());
    quote_spanned!(span=> const _: &str = __p::include_str!(__p::concat!(__p::env!("CARGO_MANIFEST_DIR"), "/", #file));)
}
