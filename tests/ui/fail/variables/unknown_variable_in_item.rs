use prompt_core::PromptNode;

/// {names}
#[derive(PromptNode)]
struct Reviewer {
    #[var(item = "- {name}", join = "\n")]
    names: Vec<String>,
}

fn main() {}
