use prompt_core::PromptNode;

/// Keep {*rules}{item}.
#[derive(PromptNode)]
struct Reviewer {
    rules: Vec<String>,
}

fn main() {}
