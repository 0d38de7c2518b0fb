use prompt_core::PromptNode;

/// ```
/// let x = 1;
/// ```
#[derive(PromptNode)]
struct Reviewer {
}

fn main() {}
