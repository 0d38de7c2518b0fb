use prompt_core::PromptNode;

/// Be {?strict}strict{:else}kind{/strict}.
#[derive(PromptNode)]
struct Reviewer {
    strict: bool,
}

fn main() {}
