use prompt_core::PromptNode;

/// Hello {team}.
#[derive(PromptNode)]
struct Reviewer {
    #[var(debug, json)]
    team: Option<String>,
}

fn main() {}
