use prompt_core::PromptNode;

/// Be {?manner}{manner}{% else %}kind{% endif %}.
#[derive(PromptNode)]
struct Reviewer {
    manner: Option<String>,
}

fn main() {}
