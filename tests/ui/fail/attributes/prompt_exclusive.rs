use prompt_core::PromptNode;

#[derive(PromptNode)]
#[prompt(template = "a", file = "b.md")]
struct Reviewer {
    language: String,
}

fn main() {}
