use prompt_core::PromptNode;

/// Here: {rules} and more
#[derive(PromptNode)]
struct Reviewer {
    #[section]
    rules: (),
}

fn main() {}
