//! `#[derive(PromptTask)]`: attributes -> input -> model -> check -> expand.

mod attribute;
mod check;
mod expand;
mod input;
mod model;

use crate::{derive::unreadable, diagnostic::Errors};
use proc_macro2::TokenStream;
use quote::quote;

/// The derive as its steps. Mistakes do not stop it: they come out together, beside an expansion that still compiles.
pub(crate) fn derive(input: TokenStream) -> TokenStream {
    let input: syn::DeriveInput = match syn::parse2(input) {
        Ok(input) => input,
        Err(error) => return unreadable(&error),
    };
    let mut errors = Errors::default();
    let input = input::read(input, &mut errors);
    let model = model::build(input);
    check::check(&model, &mut errors);
    match errors.in_order() {
        None => expand::expand(&model),
        Some(errors) => {
            let errors = errors.iter().map(crate::diagnostic::Diagnostic::to_tokens);
            let stub = expand::stub(&model);
            quote!(#(#errors)* #stub)
        }
    }
}
