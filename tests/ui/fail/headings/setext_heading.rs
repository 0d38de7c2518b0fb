use prompt_core::PromptNode;

/// Title
/// =====
#[derive(PromptNode)]
#[prompt(deny(setext_heading))]
struct Reviewer {
}

fn main() {}
