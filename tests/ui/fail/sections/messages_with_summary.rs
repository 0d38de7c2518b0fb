use prompt_core::PromptNode;

/// Hello {language}.
#[derive(PromptNode)]
struct Reviewer {
    language: String,
    #[section(messages, summary = "x")]
    rules: String,
}

fn main() {}
