use prompt_core::PromptNode;

/// Be {?strict}strict{% else %}kind{% endif %}.
#[derive(PromptNode)]
struct Reviewer {
    strict: bool,
}

fn main() {}
