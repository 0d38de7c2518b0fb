use prompt_core::PromptNode;

/// Run:
///
///     cargo test
#[derive(PromptNode)]
struct Reviewer {
}

fn main() {}
