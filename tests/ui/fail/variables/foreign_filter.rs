use prompt_core::PromptNode;

/// {{ rules | length }} rules.
#[derive(PromptNode)]
struct Reviewer {
    rules: Vec<String>,
}

fn main() {}
