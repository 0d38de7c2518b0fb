use prompt_core::PromptNode;

/// - {?count}Some.
#[derive(PromptNode)]
struct Reviewer {
    count: u8,
}

fn main() {}
