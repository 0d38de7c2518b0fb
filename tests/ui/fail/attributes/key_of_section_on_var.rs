use prompt_core::PromptNode;

/// {rules}
#[derive(PromptNode)]
struct Reviewer {
    #[var(summary = "Rules.")]
    rules: String,
}

fn main() {}
