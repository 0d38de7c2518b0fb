use prompt_core::PromptNode;

/// {*teams}{item}
#[derive(PromptNode)]
struct Reviewer {
    teams: Vec<Option<String>>,
}

fn main() {}
