use prompt_core::PromptNode;

/// By {team:.2x}.
#[derive(PromptNode)]
struct Reviewer {
    team: String,
}

fn main() {}
