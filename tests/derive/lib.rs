//! The derives of `prompt-macros` as functions from tokens to tokens: a crate of derives can be used by the compiler only.
#![forbid(unsafe_code)]

#[path = "../../prompt-macros/src/check.rs"]
mod check;
#[path = "../../prompt-macros/src/derive.rs"]
mod derive;
#[path = "../../prompt-macros/src/diagnostic.rs"]
mod diagnostic;
#[path = "../../prompt-macros/src/expand/mod.rs"]
mod expand;
#[path = "../../prompt-macros/src/input/mod.rs"]
mod input;
#[path = "../../prompt-macros/src/model/mod.rs"]
mod model;
#[path = "../../prompt-macros/src/task/mod.rs"]
mod task;

use proc_macro2::TokenStream;

/// What `#[derive(PromptNode)]` writes.
pub fn prompt_node(input: TokenStream) -> TokenStream {
    derive::prompt_node(input)
}

/// What `#[derive(PromptTask)]` writes.
pub fn prompt_task(input: TokenStream) -> TokenStream {
    task::derive(input)
}
