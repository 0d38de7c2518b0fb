use prompt_core::PromptNode;

/// By {team}.
#[derive(PromptNode)]
struct Reviewer {
    #[var(yes = "me")]
    team: String,
}

fn main() {}
