use prompt_core::PromptNode;

/// You review {?language} code.
#[derive(PromptNode)]
struct Reviewer {
    language: String,
}

fn main() {}
