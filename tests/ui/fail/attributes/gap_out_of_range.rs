use prompt_core::PromptNode;

/// Hello.
#[derive(PromptNode)]
#[prompt(gap = 10)]
struct Reviewer {
    #[section(gap = -1)]
    language: String,
}

fn main() {}
