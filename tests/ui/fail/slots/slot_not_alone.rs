use prompt_core::PromptNode;

/// Here: {PROMPT_SUBTREE}
#[derive(PromptNode)]
struct Reviewer {
    #[section]
    rules: (),
}

fn main() {}
