use prompt_core::PromptNode;

/// {?strict}
/// ```text
/// cargo test
/// {/strict}
#[derive(PromptNode)]
struct Reviewer {
    strict: bool,
}

fn main() {}
