use prompt_core::PromptNode;

#[derive(PromptNode)]
#[prompt(title = 3)]
struct Reviewer {
    language: String,
}

fn main() {}
