use prompt_core::PromptNode;

struct Team;

/// By {team}.
#[derive(PromptNode)]
struct Reviewer {
    #[var(debug)]
    team: Team,
}

fn main() {}
