use prompt_core::PromptNode;

/// Hello {language}.
#[derive(PromptNode)]
struct Reviewer {
    language: String,
    #[section(visibility = "sumary")]
    rules: String,
}

fn main() {}
