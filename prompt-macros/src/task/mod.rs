//! `#[derive(PromptTask)]`: attributes -> input -> model -> check -> expand.

mod attribute;
mod check;
mod expand;
mod input;
mod model;
mod name;

use proc_macro2::TokenStream;
use quote::quote;

/// The derive as its steps. Mistakes do not stop it: they come out together, beside an expansion that still compiles.
pub(crate) fn derive(input: TokenStream) -> TokenStream {
    let input: syn::DeriveInput = match syn::parse2(input) {
        Ok(input) => input,
        Err(error) => return error.into_compile_error(),
    };
    let mut errors = darling::Error::accumulator();
    let input = input::read(input, &mut errors);
    let model = model::build(input);
    check::check(&model, &mut errors);
    match errors.finish() {
        Ok(()) => expand::expand(&model),
        Err(error) => {
            let errors = error.write_errors();
            let stub = expand::stub(&model);
            quote!(#errors #stub)
        }
    }
}

/// One mistake: the fact, then what to write instead.
fn mistake(fact: impl std::fmt::Display, help: impl std::fmt::Display) -> darling::Error {
    darling::Error::custom(format_args!("{fact}\nhelp: {help}"))
}
