use prompt_core::PromptNode;

#[derive(PromptNode)]
#[prompt(file = "ui/texts/unknown_variable.md")]
struct Reviewer {
    language: String,
}

fn main() {}
