use prompt_core::PromptNode;

struct Team;

/// By {team}.
#[derive(PromptNode)]
struct Reviewer {
    #[var(json)]
    team: Team,
}

fn main() {}
