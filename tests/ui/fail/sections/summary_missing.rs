use prompt_core::PromptNode;

/// Hello {language}.
#[derive(PromptNode)]
struct Reviewer {
    language: String,
    #[section(visibility = "summary")]
    rules: String,
}

fn main() {}
