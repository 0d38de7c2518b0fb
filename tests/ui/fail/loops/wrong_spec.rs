use prompt_core::PromptNode;

/// {*rules}{item:.x}
#[derive(PromptNode)]
struct Reviewer {
    rules: Vec<String>,
}

fn main() {}
