//! `#[derive(PromptNode)]`, from tokens to tokens.

use crate::{
    check::check,
    diagnostic::{Diagnostic, Errors},
    expand::fallback::fallback,
    input::Input,
    model::Model,
};
use proc_macro2::TokenStream;
use prompt_syntax::Code;
use quote::ToTokens;
use syn::DeriveInput;

/// Reads what the user wrote, understands it, checks it, and writes the implementation; or else all errors at once.
pub(crate) fn prompt_node(input: TokenStream) -> TokenStream {
    let item: DeriveInput = match syn::parse2(input) {
        Ok(item) => item,
        Err(error) => return unreadable(&error),
    };
    let mut errors = Errors::default();
    let input = Input::read(item, &mut errors);
    let model = Model::new(&input, &mut errors);
    check(&input, &model, &mut errors);
    match errors.in_order() {
        None => model.into_token_stream(),
        Some(errors) => fallback(&input, &errors),
    }
}

/// Something that is no type at all. The compiler hands none to a derive.
pub(crate) fn unreadable(error: &syn::Error) -> TokenStream {
    let help = "a derive stands on a struct or an enum";
    Diagnostic::new(Code::UnsupportedInput, error.span(), error, help).to_tokens()
}
