use prompt_core::PromptNode;

/// # {PROMPT_SUBTREE}
#[derive(PromptNode)]
struct Reviewer {
    #[section]
    rules: (),
}

fn main() {}
