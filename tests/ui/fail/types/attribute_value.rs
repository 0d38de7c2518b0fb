use prompt_core::PromptNode;

struct Team;

#[derive(PromptNode)]
#[prompt(tag = "team", attr(id = self.team))]
struct Reviewer {
    team: Team,
}

fn main() {}
