use prompt_core::PromptNode;

#[derive(PromptNode)]
#[prompt(attr(id))]
struct Reviewer {
    language: String,
}

fn main() {}
