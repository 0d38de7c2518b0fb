use prompt_core::PromptNode;

/// Hello.
#[derive(PromptNode)]
struct Reviewer {
    #[section(key = "House Style")]
    style: String,
}

fn main() {}
