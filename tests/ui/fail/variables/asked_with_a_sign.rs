use prompt_core::PromptNode;

/// Be {strict?}strict.
#[derive(PromptNode)]
struct Reviewer {
    strict: bool,
}

fn main() {}
