use prompt_core::PromptNode;

/// You review {weather} code.
#[derive(PromptNode)]
struct Reviewer {
    language: String,
}

fn main() {}
