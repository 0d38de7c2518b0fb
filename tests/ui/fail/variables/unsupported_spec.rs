use prompt_core::PromptNode;

/// Width {language:width$}.
#[derive(PromptNode)]
struct Reviewer {
    language: String,
}

fn main() {}
