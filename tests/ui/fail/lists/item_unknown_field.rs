use prompt_core::PromptNode;

struct Team {
    lead: String,
}

/// {teams}
#[derive(PromptNode)]
struct Reviewer {
    #[var(item = "- {item.led}")]
    teams: Vec<Team>,
}

fn main() {}
