use prompt_core::PromptNode;

/// Hello {language}.
#[derive(PromptNode)]
#[prompt(title = "Review of {langage}")]
struct Reviewer {
    language: String,
}

fn main() {}
