use prompt_core::PromptNode;

#[derive(PromptNode)]
#[prompt = "x"]
struct Reviewer;

fn main() {}
