use prompt_core::PromptNode;

/// Hello.
#[derive(PromptNode)]
struct Reviewer {
    #[var(hang)]
    #[section]
    language: String,
}

fn main() {}
