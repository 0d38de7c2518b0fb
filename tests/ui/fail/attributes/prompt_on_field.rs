use prompt_core::PromptNode;

/// Hello.
#[derive(PromptNode)]
struct Reviewer {
    #[prompt(title = "x")]
    language: String,
}

fn main() {}
