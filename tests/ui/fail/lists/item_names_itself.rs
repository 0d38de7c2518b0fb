use prompt_core::PromptNode;

/// {names}
#[derive(PromptNode)]
struct Reviewer {
    #[var(item = "- {names}")]
    names: Vec<String>,
}

fn main() {}
