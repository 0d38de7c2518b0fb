use prompt_core::PromptNode;

/// Hello {language}.
#[derive(PromptNode)]
struct Reviewer {
    language: String,
    #[section(indent = -2)]
    rules: String,
}

fn main() {}
