use prompt_core::PromptNode;

/// # Be brief.
#[derive(PromptNode)]
struct Rules;

/// {rules}
#[derive(PromptNode)]
struct Reviewer {
    rules: Rules,
}

fn main() {}
