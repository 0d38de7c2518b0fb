use prompt_core::PromptNode;

#[derive(PromptNode)]
#[prompt(tag = "code", attr(data-source = "a", id = 1))]
struct Reviewer;

fn main() {}
