use prompt_core::PromptNode;

/// You review {langage} code.
#[derive(PromptNode)]
struct Reviewer {
    language: String,
}

fn main() {}
