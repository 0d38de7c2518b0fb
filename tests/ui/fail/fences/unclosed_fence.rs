use prompt_core::PromptNode;

/// ```text
/// let x;
#[derive(PromptNode)]
struct Reviewer {
}

fn main() {}
