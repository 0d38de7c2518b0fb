//! `#[derive(PromptNode)]`, from tokens to tokens.

use crate::{
    check::check, diagnostic::Errors, expand::fallback::fallback, input::Input, model::Model,
};
use proc_macro2::TokenStream;
use quote::ToTokens;
use syn::DeriveInput;

/// Reads what the user wrote, understands it, checks it, and writes the implementation; or else all errors at once.
pub(crate) fn prompt_node(input: TokenStream) -> TokenStream {
    let input: DeriveInput = match syn::parse2(input) {
        Ok(input) => input,
        Err(error) => return error.into_compile_error(),
    };
    let (ident, generics) = (input.ident.clone(), input.generics.clone());
    let mut errors = Errors::default();
    let model = Input::read(input, &mut errors).map(|input| Model::new(&input, &mut errors));
    if let Some(model) = &model {
        check(model, &mut errors);
    }
    let krate = model.as_ref().and_then(|model| model.krate.clone());
    match (in_order(errors), model) {
        (None, Some(model)) => model.into_token_stream(),
        (None, None) => TokenStream::new(),
        (Some(errors), _) => fallback(&ident, &generics, krate.as_ref(), errors),
    }
}

/// All errors, from the top of the file to its bottom.
fn in_order(errors: Errors) -> Option<darling::Error> {
    let mut errors: Vec<darling::Error> = errors
        .into_inner()
        .into_iter()
        .flat_map(darling::Error::flatten)
        .collect();
    errors.sort_by_key(|error| {
        let start = error.span().start();
        (start.line, start.column)
    });
    (!errors.is_empty()).then(|| darling::Error::multiple(errors))
}
