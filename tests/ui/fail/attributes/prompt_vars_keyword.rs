use prompt_core::PromptNode;

#[derive(PromptNode)]
#[prompt(vars(fn))]
struct Reviewer;

fn main() {}
