use prompt_core::PromptNode;

/// {*ruels}{item}
#[derive(PromptNode)]
struct Reviewer {
    rules: Vec<String>,
}

fn main() {}
