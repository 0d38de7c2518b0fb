use prompt_core::PromptNode;

#[derive(PromptNode)]
struct Reviewer(#[section] String);

fn main() {}
