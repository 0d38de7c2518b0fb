use prompt_core::PromptNode;

/// Be {?strict}strict{/?strict}, {?!strict}kind{/!strict}, {?strict}fair{/}.
#[derive(PromptNode)]
struct Reviewer {
    strict: bool,
}

fn main() {}
