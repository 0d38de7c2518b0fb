use prompt_core::PromptNode;

struct Team {
    lead: String,
}

/// {*teams}{item}
#[derive(PromptNode)]
struct Reviewer {
    teams: Vec<Team>,
}

fn main() {}
