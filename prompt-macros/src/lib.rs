//! The derive macros of `prompt-core`. Use them through that crate.
#![forbid(unsafe_code)]

mod check;
mod derive;
mod diagnostic;
mod expand;
mod input;
mod model;
mod task;

use proc_macro::TokenStream;

/// Makes a type a prompt.
#[proc_macro_derive(PromptNode, attributes(prompt, var, section))]
pub fn derive_prompt_node(input: TokenStream) -> TokenStream {
    derive::prompt_node(input.into()).into()
}

/// Derives the trait `prompt_core::PromptTask` for an enum without fields.
///
/// On a variant:
///
/// - `#[task(category = "..")]`: the category whose entry in a config the task falls back to;
/// - `#[task(name = "..")]`: the name, where it is not the variant in snake case.
///
/// On the enum:
///
/// - `#[task(categories = ["..", ..])]`: the categories there are; any other on a variant is then an error;
/// - `#[task(crate = path)]` or `#[prompt(crate = path)]`: where `prompt_core` is, if it is not `::prompt_core`.
///
/// Besides the trait it implements `FromStr` and `Display`, and gives `ALL` and `as_str` as inherent items.
#[proc_macro_derive(PromptTask, attributes(task, prompt))]
pub fn derive_prompt_task(input: TokenStream) -> TokenStream {
    task::derive(input.into()).into()
}
