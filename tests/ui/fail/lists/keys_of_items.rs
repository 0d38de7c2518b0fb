use prompt_core::PromptNode;

/// Hello.
#[derive(PromptNode)]
struct Reviewer {
    #[section(item_title = "{index}", item_tag = "word")]
    language: String,
    #[section(untitled_items)]
    words: Option<String>,
    #[section(untitled_items)]
    rules: Vec<String>,
    #[section(untitled_items, item = "{item.0}")]
    pairs: Vec<(u8, u8)>,
}

fn main() {}
