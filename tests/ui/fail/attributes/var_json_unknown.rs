use prompt_core::PromptNode;

/// Hello {team}.
#[derive(PromptNode)]
struct Reviewer {
    #[var(json = "prety")]
    team: Option<String>,
}

fn main() {}
