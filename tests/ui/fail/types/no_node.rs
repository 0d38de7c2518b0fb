use prompt_core::PromptNode;

struct Team;

/// Hello.
#[derive(PromptNode)]
struct Reviewer {
    #[section]
    team: Team,
}

fn main() {}
