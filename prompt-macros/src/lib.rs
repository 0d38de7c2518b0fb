//! The derive macros of `prompt-core`. Use them through that crate.
#![forbid(unsafe_code)]

mod check;
mod derive;
mod diagnostic;
mod expand;
mod input;
mod model;

use proc_macro::TokenStream;

/// Makes a type a prompt.
#[proc_macro_derive(PromptNode, attributes(prompt, var, section))]
pub fn derive_prompt_node(input: TokenStream) -> TokenStream {
    derive::prompt_node(input.into()).into()
}
