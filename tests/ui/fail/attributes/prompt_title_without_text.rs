use prompt_core::PromptNode;

#[derive(PromptNode)]
#[prompt(title)]
struct Reviewer {
    language: String,
}

fn main() {}
