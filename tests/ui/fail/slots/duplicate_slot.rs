use prompt_core::PromptNode;

/// {PROMPT_SUBTREE}
///
/// {PROMPT_SUBTREE}
#[derive(PromptNode)]
struct Reviewer {
    #[section]
    rules: (),
}

fn main() {}
