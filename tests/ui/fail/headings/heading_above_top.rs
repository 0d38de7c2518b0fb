use prompt_core::PromptNode;

/// ## Two
///
/// # One
#[derive(PromptNode)]
struct Reviewer {
}

fn main() {}
