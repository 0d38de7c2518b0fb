use prompt_core::PromptNode;

#[derive(PromptNode)]
#[doc = include_str!("../../texts/unknown_variable.md")]
struct Reviewer;

fn main() {}
