use prompt_core::PromptNode;

/// {names}
#[derive(PromptNode)]
struct Reviewer {
    #[var(item = "- {item} of {teams}")]
    names: Vec<String>,
    #[var(item = "{names}")]
    teams: Vec<String>,
}

fn main() {}
