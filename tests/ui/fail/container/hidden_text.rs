use prompt_core::PromptNode;

#[derive(PromptNode)]
#[doc = include_str!("hidden_text.rs")]
struct Reviewer;

fn main() {}
