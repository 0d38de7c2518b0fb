use prompt_core::PromptNode;

/// Hello {language}.
#[derive(PromptNode)]
struct Reviewer {
    language: String,
    #[section(role = "sistem")]
    rules: String,
}

fn main() {}
