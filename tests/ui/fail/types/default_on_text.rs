use prompt_core::PromptNode;

/// By {team}.
#[derive(PromptNode)]
struct Reviewer {
    #[var(default = "me")]
    team: String,
}

fn main() {}
