use prompt_core::PromptNode;

/// By {names}.
#[derive(PromptNode)]
struct Reviewer {
    names: Vec<String>,
}

fn main() {}
