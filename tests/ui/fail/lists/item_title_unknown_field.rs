use prompt_core::PromptNode;

/// Hello.
#[derive(PromptNode)]
struct Reviewer {
    #[section(item_title = "{item.name}")]
    rules: Vec<String>,
}

fn main() {}
