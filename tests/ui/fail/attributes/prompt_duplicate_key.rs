use prompt_core::PromptNode;

#[derive(PromptNode)]
#[prompt(title = "A", title = "B")]
struct Reviewer {
    language: String,
}

fn main() {}
