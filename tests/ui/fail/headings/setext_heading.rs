use prompt_core::PromptNode;

/// Title
/// =====
#[derive(PromptNode)]
struct Reviewer {
}

fn main() {}
