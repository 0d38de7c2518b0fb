use prompt_core::PromptNode;

#[derive(PromptNode)]
struct Reviewer {
    #[section(item = "- {item}", summary = "Such as {item}.")]
    rules: Vec<String>,
}

fn main() {}
