use prompt_core::PromptNode;

/// ##
#[derive(PromptNode)]
struct Reviewer {
}

fn main() {}
