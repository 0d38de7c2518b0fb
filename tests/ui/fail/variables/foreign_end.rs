use prompt_core::PromptNode;

/// {?strict}
/// Be strict.
/// {{/if}}
#[derive(PromptNode)]
struct Reviewer {
    strict: bool,
}

fn main() {}
