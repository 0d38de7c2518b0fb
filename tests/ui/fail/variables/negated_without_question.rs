use prompt_core::PromptNode;

/// Be {!strict}kind{/strict}.
#[derive(PromptNode)]
struct Reviewer {
    strict: bool,
}

fn main() {}
