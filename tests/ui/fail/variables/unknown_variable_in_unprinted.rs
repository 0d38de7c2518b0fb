use prompt_core::PromptNode;

/// Hello.
#[derive(PromptNode)]
struct Reviewer {
    #[var(item = "{itm}")]
    names: Vec<String>,
}

fn main() {}
