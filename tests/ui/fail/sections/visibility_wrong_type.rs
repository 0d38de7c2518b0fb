use prompt_core::PromptNode;

/// Hello {language}.
#[derive(PromptNode)]
struct Reviewer {
    language: String,
    #[section(visibility = self.language.len())]
    rules: String,
}

fn main() {}
