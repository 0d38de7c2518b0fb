use prompt_core::PromptNode;

struct Team {
    lead: String,
}

/// {*teams}{item.led}
#[derive(PromptNode)]
struct Reviewer {
    teams: Vec<Team>,
}

fn main() {}
