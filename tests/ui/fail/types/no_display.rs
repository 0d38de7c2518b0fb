use prompt_core::PromptNode;

struct Team;

/// By {team}.
#[derive(PromptNode)]
struct Reviewer {
    team: Team,
}

fn main() {}
