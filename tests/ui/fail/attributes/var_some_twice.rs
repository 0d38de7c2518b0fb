use prompt_core::PromptNode;

/// Hello {team}.
#[derive(PromptNode)]
struct Reviewer {
    #[var(some = "{} {}")]
    team: Option<String>,
}

fn main() {}
