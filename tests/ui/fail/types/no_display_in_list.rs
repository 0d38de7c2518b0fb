use prompt_core::PromptNode;

struct Team;

/// By {teams}.
#[derive(PromptNode)]
struct Reviewer {
    #[var(join = ", ")]
    teams: Vec<Team>,
}

fn main() {}
