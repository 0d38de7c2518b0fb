use prompt_core::PromptNode;

/// Hello {language}.
#[derive(PromptNode)]
struct Reviewer {
    language: String,
    #[section(cache = 0)]
    rules: String,
}

fn main() {}
