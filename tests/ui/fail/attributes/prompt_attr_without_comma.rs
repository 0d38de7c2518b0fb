use prompt_core::PromptNode;

#[derive(PromptNode)]
#[prompt(tag = "code", attr(a = 1 b = 2))]
struct Reviewer;

fn main() {}
