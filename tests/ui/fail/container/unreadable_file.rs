use prompt_core::PromptNode;

#[derive(PromptNode)]
#[prompt(file = "ui/texts/missing.md")]
struct Reviewer;

fn main() {}
