use prompt_core::PromptNode;

/// Hello.
#[derive(PromptNode)]
struct Reviewer {
    #[section(item_key = "slug")]
    rules: Vec<String>,
}

fn main() {}
