use prompt_core::PromptNode;

/// Hello {team}.
#[derive(PromptNode)]
struct Reviewer {
    #[var(raw, untrusted)]
    team: String,
}

fn main() {}
