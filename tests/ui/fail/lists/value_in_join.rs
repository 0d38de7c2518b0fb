use prompt_core::PromptNode;

/// {names}
#[derive(PromptNode)]
#[prompt(end = "{team}")]
struct Agent {
    #[var(join = "{team}")]
    names: Vec<String>,
    team: String,
}

fn main() {}
