use prompt_core::PromptNode;

/// By {names}, {others}.
#[derive(PromptNode)]
struct Reviewer {
    #[var(join = ", ", some = "({})")]
    names: Vec<Option<String>>,
    #[var(item = "- {item}")]
    others: Vec<Option<String>>,
}

fn main() {}
