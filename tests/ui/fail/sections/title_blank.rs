use prompt_core::PromptNode;

#[derive(PromptNode)]
struct Reviewer {
    #[section(title = "")]
    rules: String,
}

fn main() {}
