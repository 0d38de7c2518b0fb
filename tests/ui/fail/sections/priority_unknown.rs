use prompt_core::PromptNode;

/// Hello {language}.
#[derive(PromptNode)]
struct Reviewer {
    language: String,
    #[section(priority = "high")]
    rules: String,
}

fn main() {}
