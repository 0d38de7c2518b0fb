use prompt_core::PromptNode;

/// Hello {count}.
#[derive(PromptNode)]
#[prompt(vars(count = self.languages.len()))]
struct Reviewer {
    language: String,
}

fn main() {}
