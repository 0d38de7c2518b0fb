use prompt_core::PromptNode;

struct Team {
    lead: String,
}

/// {teams}
#[derive(PromptNode)]
struct Reviewer {
    #[var(item = "- {item.leader}")]
    teams: Vec<Team>,
}

fn main() {}
