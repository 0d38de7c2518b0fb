use prompt_core::PromptNode;

/// Hello {language}.
#[derive(PromptNode)]
struct Reviewer {
    language: String,
    #[section(tools = self.language.len())]
    rules: String,
}

fn main() {}
