use prompt_core::PromptNode;

/// {names}
#[derive(PromptNode)]
struct Reviewer {
    #[var(item = "{item}{?rules} (see the rules){/rules}")]
    names: Vec<String>,
    #[section]
    rules: Vec<String>,
}

fn main() {}
