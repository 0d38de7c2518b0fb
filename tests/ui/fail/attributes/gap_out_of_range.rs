use prompt_core::PromptNode;

/// Hello.
#[derive(PromptNode)]
#[prompt(gap = 3)]
struct Reviewer {
    #[section(gap = 9)]
    language: String,
}

fn main() {}
