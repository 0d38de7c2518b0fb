use prompt_core::PromptNode;

/// {names}
#[derive(PromptNode)]
struct Reviewer {
    #[var(item = "{?flag}- {item}")]
    names: Vec<String>,
    flag: bool,
}

fn main() {}
