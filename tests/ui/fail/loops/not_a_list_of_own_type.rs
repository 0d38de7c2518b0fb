use prompt_core::PromptNode;

struct Teams;

/// {*teams}{item}
#[derive(PromptNode)]
struct Reviewer {
    teams: Teams,
}

fn main() {}
