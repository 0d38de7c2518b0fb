use prompt_core::PromptNode;

/// {?large}
/// {rules}
/// {/large}
///
/// {?rules}Follow the rules above.
#[derive(PromptNode)]
struct Reviewer {
    large: bool,
    #[section]
    rules: String,
}

fn main() {}
