use prompt_core::PromptNode;

#[derive(PromptNode)]
#[prompt(inline)]
struct Reviewer;

fn main() {}
