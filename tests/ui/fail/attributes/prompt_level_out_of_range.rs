use prompt_core::PromptNode;

#[derive(PromptNode)]
#[prompt(level = 9)]
struct Reviewer {
    language: String,
}

fn main() {}
