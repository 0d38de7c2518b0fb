use prompt_core::PromptNode;

/// {a}
#[derive(PromptNode)]
#[prompt(vars(a: 1))]
struct Reviewer;

fn main() {}
