use prompt_core::PromptNode;

/// ####### Seven
#[derive(PromptNode)]
struct Reviewer {
}

fn main() {}
