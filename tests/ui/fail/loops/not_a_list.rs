use prompt_core::PromptNode;

/// {*team}{item}
#[derive(PromptNode)]
struct Reviewer {
    team: String,
}

fn main() {}
