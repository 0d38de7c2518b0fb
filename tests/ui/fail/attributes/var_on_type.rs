use prompt_core::PromptNode;

#[derive(PromptNode)]
#[var(hang)]
struct Reviewer;

fn main() {}
