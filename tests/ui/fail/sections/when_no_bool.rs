use prompt_core::PromptNode;

/// Hello {language}.
#[derive(PromptNode)]
struct Reviewer {
    language: String,
    #[section(when = self.language.len())]
    rules: String,
}

fn main() {}
