use prompt_core::PromptNode;

/// Hello {team}.
#[derive(PromptNode)]
struct Reviewer {
    #[var(with = "path")]
    team: Option<String>,
}

fn main() {}
