use prompt_core::PromptNode;

/// Hello.
#[derive(PromptNode)]
struct Reviewer {
    #[section]
    rules: String,
    #[section(key = "rules")]
    more: String,
}

fn main() {}
