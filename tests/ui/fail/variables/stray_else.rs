use prompt_core::PromptNode;

/// You review {else} code of {language}.
#[derive(PromptNode)]
struct Reviewer {
    language: String,
}

fn main() {}
