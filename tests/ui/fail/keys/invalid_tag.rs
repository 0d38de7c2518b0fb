use prompt_core::PromptNode;

/// Hello.
#[derive(PromptNode)]
struct Reviewer {
    #[section(tag = "house style")]
    style: String,
}

fn main() {}
