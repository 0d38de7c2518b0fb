use prompt_core::PromptNode;

/// # One
///
/// ### Three
#[derive(PromptNode)]
struct Reviewer {
}

fn main() {}
