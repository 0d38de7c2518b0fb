use prompt_core::PromptNode;

/// {?strict}
/// Be strict.
/// { else }
/// Be kind.
/// {/strict}
///
/// And {? strict}strict{/strict}, {?strict}all{/ strict}.
#[derive(PromptNode)]
struct Reviewer {
    strict: bool,
}

fn main() {}
