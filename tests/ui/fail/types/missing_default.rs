use prompt_core::PromptNode;

/// By {team}.
#[derive(PromptNode)]
struct Reviewer {
    team: Option<String>,
}

fn main() {}
