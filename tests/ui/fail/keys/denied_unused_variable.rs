use prompt_core::PromptNode;

/// You review code.
#[derive(PromptNode)]
#[prompt(vars(total = 3), deny(unused_variable))]
struct Reviewer;

fn main() {}
