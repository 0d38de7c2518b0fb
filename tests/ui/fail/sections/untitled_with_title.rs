use prompt_core::PromptNode;

/// Hello {language}.
#[derive(PromptNode)]
struct Reviewer {
    language: String,
    #[section(untitled, title = "x")]
    rules: String,
}

fn main() {}
