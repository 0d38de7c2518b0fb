use prompt_core::PromptNode;

#[derive(PromptNode)]
#[prompt(deny(over_nesting))]
struct Reviewer;

fn main() {}
