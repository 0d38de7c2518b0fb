use prompt_core::PromptNode;

/// Hello {item}.
#[derive(PromptNode)]
struct Reviewer {
    names: Vec<String>,
}

fn main() {}
