use prompt_core::PromptNode;

#[derive(PromptNode)]
#[prompt(crate = "renamed")]
struct Reviewer {
    language: String,
}

fn main() {}
