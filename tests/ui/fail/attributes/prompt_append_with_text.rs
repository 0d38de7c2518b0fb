use prompt_core::PromptNode;

#[derive(PromptNode)]
#[prompt(append = "no")]
struct Reviewer {
    language: String,
}

fn main() {}
