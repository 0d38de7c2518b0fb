use prompt_core::PromptNode;

/// Part.
#[derive(PromptNode)]
struct Part {
    #[section]
    next: Option<Part>,
}

fn main() {}
