use prompt_core::PromptNode;

/// # Review of {langage}
#[derive(PromptNode)]
struct Reviewer {
    language: String,
}

fn main() {}
